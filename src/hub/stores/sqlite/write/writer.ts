// Runs the writes of a store: on another thread, or on this one if no thread can be started. Either way, the results of
// one commit arrive together, and its events are reported before any of its writes is acknowledged.

import { AsklineError } from "../../../../core/model/error.js";
import type { Committed, StoreObserver } from "../../../seam/store.js";
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
  /** Calls `listener` after a commit by another process, or by another store of this process. */
  watch(listener: () => void): () => void;
  /** Set once writes are no longer possible, with the reason. */
  readonly ended?: AsklineError | undefined;
  /** Resolves when no write is pending. */
  drained(): Promise<void>;
  /** Releases the file. Must be called once, after `drained`. */
  close(): Promise<void>;
}

export interface WriterOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  readonly now: () => number;
  /** Receives all events of one commit, ordered by position; an empty array if any of them is unreported. */
  readonly onCommit: (events: readonly Committed[]) => void;
  /** Called for each commit, before its writes are acknowledged. */
  readonly committed: StoreObserver["committed"];
  /** Called for each failed write, before its promise rejects. */
  readonly failed: (error: unknown) => void;
  /** Called once if writes are no longer possible and the store was not closed. */
  readonly broken: (reason: AsklineError) => void;
}

/** A write without a result yet. */
export interface PendingWrite extends Write {
  /** Takes the result of the write's own operation; `pendingWrite` ensures that the types match. */
  readonly toEvent: ((result: never) => ReturnType<ToEvent<OperationName>>) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  /** When the write was requested, by this thread's `performance.now()`. */
  readonly since: number;
}

/** Adds a write, and returns a promise of its result. */
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

/** The writes are committed, so a listener that throws must not keep their callers waiting. */
function reportSafely(onCommit: WriterOptions["onCommit"], events: readonly Committed[]): void {
  try {
    onCommit(events);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Runs the writes on this thread, on the connection that is also used for reads. The caller closes the connection. */
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
