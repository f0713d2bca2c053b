export type { RememberedRule as Rule } from "../core/model/rule.js";
export { QUOTAS } from "./asking/quotas.js";
export { createHub } from "./hub.js";
export { type RetentionOptions, startRetention } from "./records/retention.js";
export { openedLogOf, transcriptOf } from "./records/transcripts.js";
export type {
  AppendOptions,
  AskerOption,
  AttendedAsk,
  CallbackPolicy,
  EndedAsk,
  EventQuery,
  Hub,
  HubLimits,
  HubLogs,
  HubOptions,
  HubTracing,
  Pruned,
  ReportOptions,
  Showing,
  Submitted,
  Waiting,
} from "./seam/port.js";
export type {
  AskChange,
  AskerUsage,
  AskKey,
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
  RecordPut,
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
} from "./seam/store.js";
export { EVENT_LOG } from "./seam/store.js";
export { steadyNow } from "./seam/store-kit.js";
export { memoryStore } from "./stores/memory/memory-store.js";
