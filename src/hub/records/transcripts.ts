// The transcript of a session, which is a log of the store: its name, the entries for an ask, and its removal.

import { items, pages } from "../../core/kit/pages.js";
import type { Ask } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import {
  type ListPage,
  type LogAppend,
  type LogEntry,
  type LogSummary,
  PAGE_SIZE,
  type Store,
} from "../seam/store.js";
import { countRemoved } from "./transcript-bytes.js";

/** States of readers of a transcript: the key is its name, `@`, and what its sessions add. They quote its texts. */
export const CHECKPOINT_NAMESPACE = "session.checkpoint";

/** The prefix of all transcript names. */
export const TRANSCRIPTS = "session/";

export function transcriptOf(sessionId: string): string {
  return `${TRANSCRIPTS}${sessionId}`;
}

export function sessionOfTranscript(log: string): string {
  return log.slice(TRANSCRIPTS.length);
}

/** The prefix of the logs of sessions that people opened, one for each agent. */
const OPENED = "opened/";

/** The log in which an agent finds the sessions that people opened for it. */
export function openedLogOf(agent: string): string {
  return `${OPENED}${agent}`;
}

/** Removes what agents can no longer need: logs in which no session was opened since a time. */
export async function pruneOpened(store: Store, before: number): Promise<void> {
  for await (const { log, head } of idleLogs(store, OPENED, before)) await store.logs.remove(log, head);
}

/**
 * The transcript entry for a new ask. The content stays in the ask; the entry only says whether the ask has `questions`
 * or an `approval`, because a reader must know that without reading the ask.
 */
export function beginEntries(ask: Ask): readonly LogAppend[] {
  if (ask.transcript === undefined) return [];
  const asks = ask.approval === undefined ? "questions" : "approval";
  return [{ log: ask.transcript, type: "ask.created", subject: ask.id, data: { asks } }];
}

export function endEntries(ask: Pick<Ask, "id" | "transcript">, outcome: Outcome): readonly LogAppend[] {
  if (ask.transcript === undefined) return [];
  return [{ log: ask.transcript, type: `ask.${outcome.kind}`, subject: ask.id }];
}

const PAGE = 500;

/**
 * Removes up to `limit` transcripts, one at a time; an abort stops before the next one. A transcript is removed if it
 * was last written before a time and its session has no asks left, so a conversation is kept as long as its answers.
 * A concurrent write moves the head, and the transcript stays.
 */
export async function pruneTranscripts(
  store: Store,
  before: number,
  limit: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { log, head } of idleLogs(store, TRANSCRIPTS, before)) {
    if (removed >= limit || signal?.aborted) break;
    const { asks } = await store.asks.list({ session: sessionOfTranscript(log), limit: 1 });
    if (asks.length > 0) continue;
    // Before the log: a crash must not leave what they quote from it.
    await removeCheckpoints(store, log);
    const count = countRemoved(store);
    for await (const entry of entriesOf(store, log)) count.add(entry);
    if (!(await store.logs.remove(log, head))) continue;
    removed += 1;
    await count.release();
  }
  return removed;
}

async function removeCheckpoints({ records }: Store, log: string): Promise<void> {
  for (;;) {
    const found = await records.list(CHECKPOINT_NAMESPACE, { prefix: `${log}@`, limit: PAGE });
    for (const { key } of found) await records.delete(CHECKPOINT_NAMESPACE, key);
    if (found.length < PAGE) return;
  }
}

async function* entriesOf({ logs }: Store, log: string): AsyncGenerator<LogEntry, void, void> {
  // A list may be shorter because of its size: only an empty one is the last.
  yield* items(
    1,
    ({ position }) => position,
    (after = 0) => logs.read(log, { after, limit: PAGE, maxSize: PAGE_SIZE }),
  );
}

/** How many transcripts can be removed after all asks that were settled before the same time are pruned. */
export async function countTranscripts(store: Store, before: number): Promise<number> {
  let count = 0;
  for await (const { log } of idleLogs(store, TRANSCRIPTS, before)) {
    if (!(await keepsAsks(store, sessionOfTranscript(log), before))) count += 1;
  }
  return count;
}

/** Pages by name, so removing transcripts meanwhile neither skips nor repeats any. */
async function* idleLogs(
  store: Store,
  prefix: string,
  before: number,
): AsyncGenerator<LogSummary, void, void> {
  for await (const summary of allLogs(store, prefix)) if (summary.lastAt < before) yield summary;
}

export function allLogs({ logs }: Store, prefix: string): AsyncGenerator<LogSummary, void, void> {
  return items(
    PAGE,
    ({ log }) => log,
    (after: string | undefined, limit) => logs.list({ prefix, after, limit }),
  );
}

async function keepsAsks(store: Store, session: string, before: number): Promise<boolean> {
  // Newest first: an ask that is kept is most likely a recent one.
  const read = (after: number | undefined): Promise<ListPage> =>
    store.asks.list({ session, order: "newest", limit: PAGE, after });
  for await (const { asks } of pages(read)) {
    if (asks.some(({ settledAt = before }) => settledAt >= before)) return true;
  }
  return false;
}
