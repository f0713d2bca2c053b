// Who makes the writes of a store: another thread, or this one where there can be no other. Either way the
// writes of one commit come back together, and their events are told before any of them is acknowledged.

import { AsklineError } from "../../../core/model/error.js";
import type { Committed, StoreObserver } from "../../../hub/seam/store.js";
import type { Database } from "../file/driver.js";
import { rememberFile } from "../file/identity.js";
import type { ToEvent } from "./connection.js";
import { createGroupCommit, type Outcome } from "./group-commit.js";
import { type OperationName, perform, type Request, type Result, type Write } from "./operations.js";
import { createWatcher } from "./watcher.js";

export interface Writer {
  write<Name extends OperationName>(
    name: Name,
    request: Request<Name>,
    toEvent?: ToEvent<Name>,
  ): Promise<Result<Name>>;
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
export interface PendingWrite extends Write {
  /** Takes the result of its own operation, which the maker of this knows. */
  readonly toEvent: ((result: never) => ReturnType<ToEvent<OperationName>>) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  /** When it was asked for, by this thread's `performance.now()`. */
  readonly since: number;
}

/** A promise of the result, and what keeps it. */
export function pendingWrite<Name extends OperationName>(
  name: Name,
  request: Request<Name>,
  toEvent: ToEvent<Name> | undefined,
  add: (write: PendingWrite) => void,
): Promise<Result<Name>> {
  return new Promise((resolve, reject) =>
    add({ name, request, toEvent, resolve, reject, since: performance.now() }),
  );
}

/** Reports the events of a commit, then acknowledges its writes. Never throws. */
export function acknowledge(
  writes: readonly PendingWrite[],
  outcomes: readonly Outcome[],
  { onCommit, failed }: Pick<WriterOptions, "onCommit" | "failed">,
): void {
  const changes = writes.flatMap(({ toEvent }, place) => {
    const outcome = outcomes[place];
    if (toEvent === undefined || outcome === undefined || "error" in outcome) return [];
    return toEvent(outcome.value as never) ?? [];
  });
  const events = changes.filter((change) => change !== "unreported");
  if (changes.length > 0) reportSafely(onCommit, events.length === changes.length ? events : []);
  writes.forEach(({ resolve, reject }, place) => {
    const outcome = outcomes[place] ?? { error: new Error("a write came back without a result") };
    if ("error" in outcome) {
      failed(outcome.error);
      reject(outcome.error);
    } else resolve(outcome.value as never);
  });
}

/** The writes are made: a listener that fails must not keep their callers waiting. */
function reportSafely(onCommit: WriterOptions["onCommit"], events: readonly Committed[]): void {
  try {
    onCommit(events);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Makes the writes in this thread, on the connection that is read from as well. The caller closes that. */
export function localWriter(
  database: Database,
  { path, now, busyTimeoutMs, onCommit, committed, failed, broken }: WriterOptions,
): Writer {
  let ended: AsklineError | undefined;
  const commits = createGroupCommit<PendingWrite>(database, {
    now,
    busyTimeoutMs,
    committed,
    perform,
    verify: rememberFile(path),
    lost(error) {
      if (!(error instanceof AsklineError)) throw error;
      ended = error;
      broken(error);
    },
    deliver: (writes, outcomes) => acknowledge(writes, outcomes, { onCommit, failed }),
  });
  const watcher = createWatcher(database);
  return {
    write: (name, request, toEvent) => pendingWrite(name, request, toEvent, (write) => commits.write(write)),
    watch: (listener) => watcher.watch(listener),
    get ended() {
      return ended;
    },
    drained: () => commits.drained(),
    async close() {
      commits.close();
      watcher.stop();
    },
  };
}
