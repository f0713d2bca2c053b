// A transcript goes when nothing was written to it since a time and no ask of its session is left: until then, what
// was said around an answer is kept as long as the answer. It is looked at first and then removed with the head that
// was seen. Whoever writes meanwhile, and be it that they ask, moves the head, and the transcript stays.

import type { LogSummary, Store } from "./store.js";
import { sessionOfTranscript, TRANSCRIPTS } from "./transcripts.js";

const PAGE = 500;

/** Removes up to `limit` transcripts. Each is removed by itself; who aborts ends it before the next. */
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
