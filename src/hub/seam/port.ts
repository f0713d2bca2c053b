// What a hub offers to agents, to persons and to its owner.

import type {
  Answerer,
  Ask,
  AskEvent,
  AskFilter,
  AskInput,
  AskOptions,
  AskPage,
  By,
  Clock,
  DraftHint,
  Inbox,
  Logger,
  Outcome,
  Page,
  Profile,
  Resolver,
  Tracing,
} from "../../core/index.js";
import type { LogAppend, LogBounds, LogEntry, LogQuery, PageSize, RecordStore, Store } from "./store.js";

export interface HubOptions {
  readonly store: Store;
  readonly clock?: Clock;
  /** Where trouble in the background is told; the console where none is given. */
  readonly logger?: Logger;
  readonly limits?: HubLimits;
  /** Follows asks through programs: that of `loadTracing` in `askline/tracing`. */
  readonly tracing?: HubTracing | undefined;
}

/** Tracing that sees what happens in a store, too. */
export interface HubTracing extends Tracing {
  store(store: Store): Store;
}

export interface HubLimits {
  /** What an ask may hold; `profiles.open` by default. */
  readonly profile?: Profile;
  /** Asks on a page where the caller does not say; 50 by default. */
  readonly page?: number;
  /** Asks on a page at most; 500 by default. */
  readonly largestPage?: number;
  /** Characters of all asks on a page, about; 8,388,608 by default. A page has at least one ask. */
  readonly largestPageSize?: number;
  /** Pending asks of one asker; 10,000 by default. Asks without an asker are not counted. */
  readonly pendingAsks?: number;
  /** Bytes of the contents of all stored asks of one asker; 1,073,741,824 by default. */
  readonly storedBytes?: number;
}

export interface AskerOption {
  /** The name of the asker, if a server has checked it. Each asker has keys of its own. */
  readonly asker?: string;
  /**
   * A log that is told of the ask as well, in the same transactions as it is stored and settled: the entries
   * `ask.created` and `ask.<outcome kind>`, with the ask's id as their subject.
   */
  readonly transcript?: string;
}

/** An ask, and while it is pending a registered wait for its end, which cannot be missed. */
export type AttendedAsk =
  | { readonly ask: Ask; readonly waiting: Waiting }
  | { readonly ask: EndedAsk; readonly waiting?: undefined };

/** With whether the ask is new, or was found by its session and key. */
export type Submitted = AttendedAsk & { readonly created: boolean };

/** Its owner calls `stop`, unless the ask has ended. */
export interface Waiting {
  /** The ask once it has ended. Rejects when the hub closes first. */
  readonly ended: Promise<EndedAsk>;
  /** Ends only the waiting: the ask stays as it is. */
  stop(): void;
}

export interface EndedAsk extends Ask {
  readonly outcome: Outcome;
}

/** How much a prune has removed. */
export interface Pruned {
  readonly asks: number;
  readonly transcripts: number;
}

export interface Hub extends Resolver, Inbox {
  /** A page ends at its limit or its size, whichever comes first. */
  list(filter?: AskFilter, page?: Page & PageSize): Promise<AskPage>;
  /** Stores an ask and starts to wait for its end. The same session and key give the same ask. */
  submit(request: AskInput, options?: AskerOption): Promise<Submitted>;
  /** {@link Hub.submit}, then waits. An abort withdraws the ask. */
  ask(request: AskInput, options?: AskOptions & AskerOption): Promise<Outcome>;
  /** {@link Hub.submit} without waiting. */
  post(request: AskInput, options?: AskerOption): Promise<Ask>;
  /** A stored ask and the wait for its end: {@link Hub.submit} for an ask that is known by its id. */
  attend(id: string): Promise<AttendedAsk>;
  /** {@link Hub.attend}, then waits. An abort ends only the waiting: the ask stays as it is. */
  wait(id: string, options?: AskOptions): Promise<Outcome>;
  withdraw(id: string, reason?: string): Promise<Ask>;
  /** A person has looked at the ask. The first time at each surface is an event. */
  opened(id: string, by: By): Promise<void>;
  /** Events from a position, then live. Throws `position_trimmed` where the position was removed. */
  events(query?: EventQuery): AsyncIterable<AskEvent>;
  /** {@link Hub.events}, as many at once as there are, for who hands them on to many. */
  eventBatches(query?: EventQuery): AsyncIterable<readonly AskEvent[]>;
  /**
   * The outcome of this ask is being handed to its asker, by other means than `ask` and `wait`. A key without a
   * session stands for its ask only until then.
   */
  delivered(ask: Ask): void;
  /** What happened to one ask, from its beginning. */
  audit(id: string): Promise<readonly AskEvent[]>;
  /** Keeps that an ask was sent to a person's surface, the first time at each. An ask that has ended is left alone. */
  shown(id: string, showing: Showing): Promise<void>;
  /** To which surfaces an ask was sent while it was pending, the first first: as well as it is known. */
  showings(id: string): Promise<readonly Showing[]>;
  /** The time by which the hub counts. */
  now(): number;
  /** The position of the last event: what is listed after asking for it is at least that new. */
  position(): Promise<number>;
  /** Whether an agent in this process waits for the ask now. */
  isAwaited(id: string): boolean;
  readonly presence: HubPresence;
  /** The logs of the store: a session's transcript is one. */
  readonly logs: HubLogs;
  /** Small values beside the asks, such as the names that the gateway has given to them. */
  readonly records: Pick<RecordStore, "get" | "put">;
  /** Calls `listener` when this person saves a draft; the result stops it. */
  onDraft(person: string, listener: (hint: DraftHint) => void): () => void;
  /**
   * Removes asks settled before a time, with their events and drafts; and the transcripts of sessions that nothing
   * was written to since then and that no ask is left of. Of each at most `limit`, which is 1,000 by default.
   */
  prune(options: { readonly settledBefore: number; readonly limit?: number }): Promise<Pruned>;
  /** Rejects unless the store can be reached now, and is one that this program can work on. */
  check(): Promise<void>;
  /** A consistent copy of the store, made while running; `unsupported` where the store has none. */
  backup(path: string): Promise<void>;
  /** Lets go of everything. Who waits here is rejected with `closed`; their asks stay pending. */
  close(): Promise<void>;
}

export interface EventQuery {
  /** Events above this position; from now on where it is not given. */
  readonly after?: number;
  readonly filter?: Omit<AskFilter, "status">;
  /** Characters of the asks that are read at once, about, and at least one ask; 8,388,608 by default. */
  readonly maxSize?: number;
  readonly signal?: AbortSignal;
}

/** An ask was sent to a person's surface. Whether the person looked is another matter: that is `ask.opened`. */
export interface Showing {
  readonly at: number;
  readonly by: Extract<Answerer, { readonly kind: "person" }>;
}

export interface HubPresence {
  /** A person has a surface open, until the returned function is called. */
  connect(person: string, surface: string): () => void;
  /** The persons with a surface connected to this process, and which. */
  connected(): readonly { readonly person: string; readonly surfaces: readonly string[] }[];
}

export interface AppendOptions {
  /** Names what is appended: a second try with the same name within a day appends nothing. */
  readonly once?: string;
}

export interface HubLogs {
  /** Whether it was appended now; false where `once` shows that it had been. */
  append(entries: readonly LogAppend[], options?: AppendOptions): Promise<boolean>;
  /**
   * Keeps a text under a name for a day, and gives the one that was kept first: a second try then does what the
   * first one meant to do, whatever has happened since.
   */
  keepFirst(name: string, text: string): Promise<string>;
  read(log: string, query: LogQuery): Promise<readonly LogEntry[]>;
  bounds(log: string): Promise<LogBounds>;
  /** Removes every entry of a log, if `head` is the last position written: whether it was. */
  remove(log: string, head: number): Promise<boolean>;
  /**
   * Resolves when something may have been written to this log, here or elsewhere, and when the hub closes.
   * Take it before reading: what is committed after the read then resolves it.
   */
  next(log: string): Promise<void>;
}
