// When the agent of a pending ask was last there: it waited for the ask, asked it again, or read it. The creation of the
// ask counts as the first time, and later ones are recorded rarely, so that most asks never need a record and one that is
// awaited for days needs a write every half hour.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import { pages } from "../../core/kit/pages.js";
import type { Ask } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { type ListPage, PAGE_SIZE, type Store } from "../seam/store.js";
import { getCallback } from "./callbacks.js";
import { endEntries } from "./transcripts.js";

export const TOUCHED_NAMESPACE = "touched";

/** A record may be this much older than the last time that the agent was there. */
export const TOUCH_MS: number = 30 * 60_000;
const SWEEP_MS = 60_000;

export interface Touches {
  /** The agent of this ask is there. Returns at once; a record is written in the background. */
  touch(ask: Ask): void;
  /** Resolves when all records are stored. */
  close(): Promise<void>;
}

/** `awaited` returns the ids of the asks that are awaited now: their agents are there for as long as they wait. */
export function createTouches(
  store: Store,
  clock: Clock,
  logger: Logger,
  awaited: () => readonly string[],
): Touches {
  /** When each ask was last recorded by this process. */
  const recorded = new Map<string, number>();
  const writing = new Set<Promise<unknown>>();

  const record = (id: string, now: number): void => {
    recorded.set(id, now);
    const write = store.records
      .put(TOUCHED_NAMESPACE, keyOf(id), now)
      .catch((error: unknown) => logger.warn(`could not record that an agent waits: ${String(error)}`))
      .finally(() => writing.delete(write));
    writing.add(write);
  };

  let cancel = (): void => undefined;
  const sweep = (): void => {
    cancel = clock.schedule(SWEEP_MS, () => {
      const now = store.now();
      for (const [id, at] of recorded) if (now - at >= TOUCH_MS) recorded.delete(id);
      for (const id of awaited()) {
        if (!recorded.has(id) && now - createdAtOf(id) >= TOUCH_MS) record(id, now);
      }
      sweep();
    });
  };
  sweep();

  return {
    touch({ id, status, createdAt }) {
      const now = store.now();
      if (status === "pending" && now - (recorded.get(id) ?? createdAt) >= TOUCH_MS) record(id, now);
    },
    async close() {
      cancel();
      await Promise.all(writing);
    },
  };
}

/** Ids are UUIDs of version 7, which begin with the time. Any other id counts as old: a record too many does no harm. */
export function createdAtOf(id: string): number {
  const time = Number.parseInt(id.slice("ask_".length).replaceAll("-", "").slice(0, 12), 16);
  return Number.isNaN(time) ? 0 : time;
}

function keyOf(askId: string): string {
  return `${askId}/agent`;
}

/** What ending an ask needs to know of it, without its content. */
export type AbandonedAsk = Pick<Ask, "id" | "onDeadline" | "transcript">;

/** The pending asks whose agents were last there before a time, in order of creation. */
export async function* abandonedAsks(store: Store, before: number): AsyncGenerator<AbandonedAsk, void, void> {
  const read = (after: number | undefined): Promise<ListPage> =>
    store.asks.list({ status: "pending", limit: PAGE, maxSize: PAGE_SIZE, after });
  for await (const { asks } of pages(read)) {
    for (const ask of asks) {
      if (ask.createdAt >= before) continue;
      const touched = await store.records.get(TOUCHED_NAMESPACE, keyOf(ask.id));
      if (touched !== undefined && Number(touched.value) >= before) continue;
      // An agent with a callback does not wait: it is called.
      if ((await getCallback(store, ask.id)) !== undefined) continue;
      const { id, onDeadline, transcript } = ask;
      yield { id, onDeadline, ...(transcript !== undefined && { transcript }) };
    }
  }
}

const PAGE = 500;

/** Ends an abandoned ask as withdrawn. Returns false if it has ended meanwhile, or its deadline has passed. */
export async function withdrawAbandoned(
  store: Store,
  ask: AbandonedAsk,
  settlementId: string,
  reason: string,
): Promise<boolean> {
  const outcome: Outcome = { kind: "withdrawn", reason };
  const when = ask.onDeadline === "wait" ? "anytime" : undefined;
  const change = { kind: "settle", settlementId, outcome, when } as const;
  return (await store.asks.change(ask.id, change, endEntries(ask, outcome)))?.applied ?? false;
}
