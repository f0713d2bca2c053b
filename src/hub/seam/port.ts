// The interface of a hub: for agents, for persons and for the program that runs it.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Profile } from "../../core/kit/profiles.js";
import type { Tracing } from "../../core/kit/tracing.js";
import type { Ask, AskInput, DeliveredAsk } from "../../core/model/ask.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import type { Ending, EndingMethods } from "../../core/model/ending.js";
import type { AskEvent } from "../../core/model/event.js";
import type { Answerer, DeliveredOutcome } from "../../core/model/outcome.js";
import type {
  AskFilter,
  AskOptions,
  AskPage,
  By,
  Inbox,
  Page,
  Resolver,
  ResumeLease,
  ResumeOptions,
  SettleOptions,
} from "../../core/model/ports.js";
import type { RememberedRule } from "../../core/model/rule.js";
import type { Asker } from "../../core/model/visibility.js";
import type {
  KeyQuery,
  KeyUse,
  LogAppend,
  LogBounds,
  LogEntry,
  LogQuery,
  PageSize,
  RecordStore,
  Store,
} from "./store.js";

export interface HubOptions {
  /** Where asks are stored: `sqliteStore`, `postgresStore`, `memoryStore`, or your own. The hub opens and closes it. */
  readonly store: Store;
  /** The time and timers; the system's by default. Tests pass `fakeClock()`. */
  readonly clock?: Clock;
  /** Receives errors of background work; the console by default. */
  readonly logger?: Logger;
  /** Limits of an ask, of pages and of an asker. */
  readonly limits?: HubLimits;
  /**
   * Allows asks with a callback. Something must deliver them: `askline serve` does. Without this, such an ask is
   * refused, so that no outcome is silently kept back.
   */
  readonly callbacks?: CallbackPolicy;
  /** Called with the people that a new ask names; rejects to refuse it. */
  readonly checkRecipients?: (recipients: readonly string[]) => Promise<void>;
  /** Called when an ask is refused because its asker has reached a quota, for metrics. */
  readonly onQuotaRefused?: (limit: "pendingAsks" | "pendingAsksPerPerson" | "storedBytes") => void;
  /** Traces asks across programs; created by `loadTracing` in `askline/tracing`. */
  readonly tracing?: HubTracing | undefined;
}

export interface CallbackPolicy {
  /** Why this address may not be called, as far as can be seen without resolving its name; undefined if it may. */
  refuses(url: URL): string | undefined;
}

/** Tracing that also covers the calls of a store. */
export interface HubTracing extends Tracing {
  store(store: Store): Store;
}

export interface HubLimits {
  /** The limits of a single ask; `profiles.open` by default. */
  readonly profile?: Profile;
  /** Asks on a page if the caller gives no limit; 50 by default. */
  readonly page?: number;
  /** The most asks on a page; 500 by default. */
  readonly largestPage?: number;
  /** Approximate characters of all asks on a page; 8,388,608 by default. A page has at least one ask. */
  readonly largestPageSize?: number;
  /** Pending asks of one asker; 10,000 by default. Asks without an asker are not counted. */
  readonly pendingAsks?: number;
  /** Pending asks of one asker for one person; 200 by default. An ask to everyone counts for everyone. */
  readonly pendingAsksPerPerson?: number;
  /** Bytes of the contents of all stored asks of one asker, and of its transcripts; 1,073,741,824 by default. */
  readonly storedBytes?: number;
}

export interface AskerOption {
  /** The name of the asker, verified by a server. Each asker has its own keys. */
  readonly asker?: string;
  /** The person that the asker works for. Askers with the same name and other owners are other askers. */
  readonly owner?: string;
  /**
   * A log that also records the ask: `ask.created` and `ask.<outcome kind>`, with the ask's id as the subject. The
   * entries are written in the same transactions that store and settle the ask.
   */
  readonly transcript?: string;
}

/** An ask. While it is pending, a wait is already registered, so its end cannot be missed. */
export type AttendedAsk =
  | { readonly ask: DeliveredAsk; readonly waiting: Waiting }
  | { readonly ask: EndedAsk; readonly waiting?: undefined };

/** `created` is false if the ask was found by its session and key. */
export type Submitted = AttendedAsk & { readonly created: boolean };

/** The owner must call `stop`, unless the ask has ended. */
export interface Waiting {
  /** Resolves to the ended ask. Rejects if the hub closes first. */
  readonly ended: Promise<EndedAsk>;
  /** Stops waiting. The ask is not changed. */
  stop(): void;
}

export interface EndedAsk extends DeliveredAsk {
  readonly outcome: DeliveredOutcome;
}

/** The number of asks and transcripts that a prune removed. */
export interface Pruned {
  readonly asks: number;
  readonly transcripts: number;
}

/** Every ask and outcome that it returns has the answers in words too. */
export interface Hub
  extends Resolver<DeliveredOutcome>,
    Inbox<DeliveredAsk>,
    EndingMethods<DeliveredAsk, [options: SettleOptions]> {
  /** A page ends at its limit or its size, whichever comes first. */
  list(filter?: AskFilter, page?: Page & PageSize): Promise<AskPage<DeliveredAsk>>;
  /** Stores an ask and starts waiting for its end. The same session and key return the same ask. */
  submit(request: AskInput, options?: AskerOption): Promise<Submitted>;
  /** {@link Hub.submit}, then waits. An abort withdraws the ask. */
  ask(request: AskInput, options?: AskOptions & AskerOption): Promise<DeliveredOutcome>;
  /** {@link Hub.submit} without waiting. */
  post(request: AskInput, options?: AskerOption): Promise<DeliveredAsk>;
  /** Like {@link Hub.submit}, for an ask that is already stored. */
  attend(id: string): Promise<AttendedAsk>;
  /** {@link Hub.attend}, then waits. An abort stops the wait and does not change the ask. */
  wait(id: string, options?: AskOptions): Promise<DeliveredOutcome>;
  withdraw(id: string, reason?: string): Promise<DeliveredAsk>;
  /**
   * Adds people to the recipients of a pending ask, as the event `ask.escalated`. Does nothing if everyone may answer
   * it, if they are all among its recipients, or if it has ended. Returns the ask as it now stands.
   */
  escalate(id: string, to: readonly string[]): Promise<Ask>;
  /** Records that a person looked at the ask. Only the first look on each surface is an event. */
  opened(id: string, by: By): Promise<void>;
  /**
   * Ends an ask with what an agent's process says that a person gave in a form of its own; the answerer names the agent
   * as `via`. The caller decides whether that agent may report for that person. A server asks its tokens.
   */
  report(id: string, ending: Ending, options: ReportOptions): Promise<DeliveredAsk>;
  /**
   * Claims the right to resume the run that was parked for an ask, so that one process resumes it. Undefined while the
   * ask is pending, while another holder has the lease, and once the run was marked as resumed.
   */
  claimResume(id: string, options?: ResumeOptions): Promise<ResumeLease | undefined>;
  /**
   * Marks the run of an ask as resumed, unless another holder has the lease. Returns whether it did. Without `holder`,
   * for the process that has the lease. Rejects while the ask is pending.
   */
  finishResume(id: string, holder?: string): Promise<boolean>;
  /** Events from a position, then live. Throws `position_trimmed` if the position was removed. */
  events(query?: EventQuery): AsyncIterable<AskEvent<DeliveredAsk>>;
  /** {@link Hub.events} in batches, for a caller that forwards them to many readers. */
  eventBatches(query?: EventQuery): AsyncIterable<readonly AskEvent<DeliveredAsk>[]>;
  /**
   * Records that the asker is being sent this ask by other means than `ask` and `wait`. If the ask has ended, its
   * outcome counts as delivered: from then on, a key without a session can be used for a new ask. If it is pending, its
   * agent counts as present (`askline prune --abandoned`).
   */
  delivered(ask: Ask): void;
  /** Whether an ended ask's outcome was delivered; true if that is not recorded, as for an ask in a session. */
  isDelivered(ask: Ask): Promise<boolean>;
  /** What happened to one ask, from its beginning. */
  audit(id: string): Promise<readonly AskEvent[]>;
  /** Records the first time that a pending ask was sent to a person's surface. Does nothing for an ended ask. */
  shown(id: string, showing: Showing): Promise<void>;
  /** The surfaces that a pending ask was sent to, in order of time. Best effort: some may be missing. */
  showings(id: string): Promise<readonly Showing[]>;
  /** Which asks an asker stored with these keys, at most `limit` for each key; the asks are not read. */
  findKeys(query: KeyQuery): Promise<readonly KeyUse[]>;
  /** The hub's clock, in milliseconds since the epoch. */
  now(): number;
  /** The position of the last event. A list that is read afterwards is at least as new. */
  position(): Promise<number>;
  /** Whether an agent in this process is waiting for the ask. */
  isAwaited(id: string): boolean;
  /** Which of these asks an agent is waiting for, in any process on the same store: elsewhere as of a second ago. */
  awaited(ids: readonly string[]): Promise<ReadonlySet<string>>;
  readonly presence: HubPresence;
  /** The remembered rules, which decide approvals by themselves (docs/rules.md). */
  readonly rules: HubRules;
  /** The logs of the store, such as the transcripts of sessions. */
  readonly logs: HubLogs;
  /** Small values stored beside the asks, such as the gateway's names for them. */
  readonly records: Pick<RecordStore, "get" | "put">;
  /**
   * Calls `listener` when this person saves a draft, in this process or in another one on the same store. A hint may be
   * missed, such as during an outage of the store. The returned function stops it.
   */
  onDraft(person: string, listener: (hint: DraftHint) => void): () => void;
  /**
   * Removes asks that were settled before a time, with their events and drafts. Also removes the transcripts that were
   * last written before that time and whose session has no asks left. `limit` bounds each of the two; 1,000 by default.
   * Once fewer asks than that were removed, the names of removed asks on the gateway are set to expire in 30 days.
   */
  prune(options: { readonly settledBefore: number; readonly limit?: number }): Promise<Pruned>;
  /** Rejects if the store cannot be reached now, or if this program cannot use it. */
  check(): Promise<void>;
  /** Writes a consistent copy of the store while running. Rejects with `unsupported` if the store cannot. */
  backup(path: string): Promise<void>;
  /** Closes the store. Waits are rejected with `closed`; their asks stay pending. */
  close(): Promise<void>;
}

export interface HubRules {
  /** Oldest first; those of one person, or all. */
  list(person?: string): Promise<readonly RememberedRule[]>;
  /** Returns whether there was such a rule, of this person if one is given. `by` is for the audit. */
  revoke(id: string, person?: string, by?: string): Promise<boolean>;
}

export interface ReportOptions {
  /** The person who gave the ending. */
  readonly person: string;
  /** Where the person gave it, such as `mcp-form`. */
  readonly surface: string;
  /** The agent that reports. */
  readonly via: string;
  readonly settlementId?: string;
}

export interface EventQuery {
  /** Events above this position. If omitted, only new events. */
  readonly after?: number | undefined;
  readonly filter?: Omit<AskFilter, "status"> | undefined;
  /** Approximate characters of the asks read at once; 8,388,608 by default. At least one ask is read. */
  readonly maxSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An ask was sent to a person's surface. The event `ask.opened` says that the person looked at it. */
export interface Showing {
  readonly at: number;
  readonly by: Extract<Answerer, { readonly kind: "person" }>;
}

export interface HubPresence {
  /** Marks a surface as connected until the returned function is called. */
  connect(person: string, surface: string): () => void;
  /** The persons who have a surface connected to this process. */
  connected(): readonly { readonly person: string; readonly surfaces: readonly string[] }[];
}

export interface AppendOptions {
  /** An idempotency key: a second call with the same key within a day appends nothing. */
  readonly once?: string | undefined;
  /** The agent whose transcript it is; the entries count in its `storedBytes`. */
  readonly by?: Asker | undefined;
}

export interface HubLogs {
  /** Returns false if an earlier call with the same `once` already appended the entries. */
  append(entries: readonly LogAppend[], options?: AppendOptions): Promise<boolean>;
  /**
   * Keeps a text under a name for a day and returns the text that was kept first. A retry can then repeat exactly what
   * the first attempt intended, whatever happened since.
   */
  keepFirst(name: string, text: string): Promise<string>;
  read(log: string, query: LogQuery): Promise<readonly LogEntry[]>;
  bounds(log: string): Promise<LogBounds>;
  /** Removes every entry of a log if `head` is its last position. Returns whether it did. */
  remove(log: string, head: number): Promise<boolean>;
  /**
   * Resolves when another entry may have been written to this log, by any process, or when the hub closes.
   * Call it before reading, so that a commit after the read resolves it.
   */
  next(log: string): Promise<void>;
}
