export type { EventQuery } from "./event-stream.js";
export { createHub } from "./hub.js";
export type { AppendOptions, HubLogs } from "./hub-logs.js";
export type {
  AskerOption,
  AttendedAsk,
  EndedAsk,
  Hub,
  HubLimits,
  HubOptions,
  HubTracing,
  Pruned,
  Submitted,
  Waiting,
} from "./hub-port.js";
export { memoryStore } from "./memory/memory-store.js";
export type { Showing } from "./showings.js";
export { steadyNow } from "./steady-clock.js";
export type {
  AskChange,
  AskStore,
  Changed,
  Committed,
  Inserted,
  ListPage,
  ListQuery,
  LogAppend,
  LogBounds,
  LogEntry,
  LogListQuery,
  LogQuery,
  LogStore,
  LogSummary,
  NewAsk,
  PendingSummary,
  Put,
  PutOptions,
  RecordQuery,
  RecordStore,
  Restored,
  RestoredAsk,
  RestoredEntries,
  RestoredEntry,
  RestoredEvent,
  Store,
  StoreContext,
  StoredRecord,
  StoreObserver,
} from "./store.js";
export { EVENT_LOG } from "./store.js";
export { transcriptOf } from "./transcripts.js";
