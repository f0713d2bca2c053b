// The transcript of a session is a log of the store: its name, what an ask writes to it, and when it is removed.

import type { Ask, Outcome } from "../../core/index.js";
import type { LogAppend, LogSummary, Store } from "../seam/store.js";

/** What the names of all transcripts begin with. */
export const TRANSCRIPTS = "session/";

export function transcriptOf(sessionId: string): string {
  return `${TRANSCRIPTS}${sessionId}`;
}

export function sessionOfTranscript(log: string): string {
  return log.slice(TRANSCRIPTS.length);
}

/**
 * What an ask writes to its transcript when it is stored. Its content stays in the ask alone, except whether it has
 * `questions` or an `approval`, which a reader must know without looking at the ask.
 */
export function beginEntries(ask: Ask): readonly LogAppend[] {
  if (ask.transcript === undefined) return [];
  const asks = ask.approval === undefined ? "questions" : "approval";
  return [{ log: ask.transcript, type: "ask.created", subject: ask.id, data: { asks } }];
}

export function endEntries(ask: Ask, outcome: Outcome): readonly LogAppend[] {
  if (ask.transcript === undefined) return [];
  return [{ log: ask.transcript, type: `ask.${outcome.kind}`, subject: ask.id }];
}

const PAGE = 500;

/**
 * Removes up to `limit` transcripts, each by itself; a signal stops before the next. A transcript is removed when
 * nothing was written to it since a time and its session has no asks left, so that a conversation is kept as long as
 * its answers. Any write in between moves the head, and the transcript stays.
 */
export async function pruneTranscripts(
  store: Store,
  before: number,
  limit: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { log, head } of idleTranscripts(store, before)) {
    if (removed >= limit || signal?.aborted) break;
    const { asks } = await store.asks.list({ session: sessionOfTranscript(log), limit: 1 });
    if (asks.length === 0 && (await store.logs.remove(log, head))) removed += 1;
  }
  return removed;
}

/** How many transcripts go once the asks are gone that were settled before the same time. */
export async function countTranscripts(store: Store, before: number): Promise<number> {
  let count = 0;
  for await (const { log } of idleTranscripts(store, before)) {
    if (!(await keepsAsks(store, sessionOfTranscript(log), before))) count += 1;
  }
  return count;
}

/** Read page by page: what is removed meanwhile is not missed, and what is not is not seen twice. */
async function* idleTranscripts(store: Store, before: number): AsyncGenerator<LogSummary, void, void> {
  for (let after = ""; ; ) {
    const page = await store.logs.list({ prefix: TRANSCRIPTS, after, limit: PAGE });
    yield* page.filter(({ lastAt }) => lastAt < before);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.log;
  }
}

async function keepsAsks(store: Store, session: string, before: number): Promise<boolean> {
  for (let after: number | undefined; ; ) {
    // The newest first: if any is kept, it is most likely among them.
    const page = await store.asks.list({
      ...{ session, order: "newest", limit: PAGE },
      ...(after !== undefined && { after }),
    });
    if (page.asks.some(({ settledAt = before }) => settledAt >= before)) return true;
    if (page.next === undefined) return false;
    after = page.next;
  }
}
