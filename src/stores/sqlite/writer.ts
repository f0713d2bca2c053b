// Who makes the writes of a store: another thread, or this one where there can be no other. Either way the
// writes of one commit come back together, and their events are told before any of them is acknowledged.

import type { AsklineError } from "../../core/error.js";
import type { Committed, StoreObserver } from "../../hub/store.js";
import type { ToEvent } from "./connection.js";
import type { Result } from "./group-commit.js";
import type { OperationName, Operations } from "./operations.js";

export interface Writer {
  write<Name extends OperationName>(
    name: Name,
    request: Operations[Name]["request"],
    toEvent?: ToEvent<Name>,
  ): Promise<Operations[Name]["result"]>;
  /** Calls `listener` when another process, or another store of this one, has committed something. */
  watch(listener: () => void): () => void;
  /** Why nothing can be written any more. */
  readonly ended?: AsklineError | undefined;
  /** Resolves when nothing is on its way. */
  drained(): Promise<void>;
  /** Lets go of the file. To be called once, when all is done. */
  close(): Promise<void>;
}

/** What a writer is given. */
export interface WriterOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  readonly now: () => number;
  /** All events of one commit, in the order of their positions; none where they cannot all be said. */
  readonly onCommit: (events: readonly Committed[]) => void;
  /** Told of each commit, before its writes are acknowledged. */
  readonly committed: StoreObserver["committed"];
  /** Told of each write that failed, before that is said to whoever waits for it. */
  readonly failed: (error: unknown) => void;
  /** Told once, where nothing can be written any more and nobody has asked for that. */
  readonly broken: (reason: AsklineError) => void;
}

/** A write that has not come back yet. */
export interface PendingWrite {
  readonly name: OperationName;
  readonly request: unknown;
  /** Whatever the operation says of its result: the one who made this knows which it is. */
  readonly toEvent: ((result: never) => Committed | undefined) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  /** When it was asked for, by this thread's `performance.now()`. */
  readonly since: number;
}

/** A promise of the result, and what keeps it. */
export function pendingWrite<Name extends OperationName>(
  name: Name,
  request: Operations[Name]["request"],
  toEvent: ToEvent<Name> | undefined,
  add: (write: PendingWrite) => void,
): Promise<Operations[Name]["result"]> {
  return new Promise((resolve, reject) =>
    add({ name, request, toEvent, resolve, reject, since: performance.now() }),
  );
}

/** Tells the events of a commit, then acknowledges its writes. Never throws. */
export function acknowledge(
  writes: readonly PendingWrite[],
  results: readonly Result[],
  { onCommit, failed }: Pick<WriterOptions, "onCommit" | "failed">,
): void {
  const events: Committed[] = [];
  let changed = 0;
  writes.forEach(({ toEvent }, place) => {
    const result = results[place];
    // Null and undefined are the results of what changed nothing.
    if (toEvent === undefined || result === undefined || "error" in result || (result.value ?? null) === null)
      return;
    changed += 1;
    const event = toEvent(result.value as never);
    if (event !== undefined) events.push(event);
  });
  if (changed > 0) tellSafely(onCommit, events.length === changed ? events : []);
  writes.forEach(({ resolve, reject }, place) => {
    const result = results[place] ?? { error: new Error("a write came back without a result") };
    if ("error" in result) {
      failed(result.error);
      reject(result.error);
    } else resolve(result.value as never);
  });
}

/** The writes are made: a listener that fails must not keep those who wait from hearing of it. */
function tellSafely(onCommit: WriterOptions["onCommit"], events: readonly Committed[]): void {
  try {
    onCommit(events);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
