// Kills PostgreSQL again and again while two nodes write to it, and then compares what it holds with what it
// acknowledged.

import { expect, onTestFinished } from "vitest";
import { EVENT_LOG, type LogEntry, type Store } from "../../src/hub/seam/store.js";
import { postgresStore } from "../../src/hub/stores/postgres/index.ts";
import { type Ask, systemClock } from "../../src/index.ts";
import { answered, newId, sampleNewAsk, settle } from "../../src/testing/samples.ts";
import { startPostgres } from "../support/postgres.ts";

const WORKERS = 16;
/** How many more asks are settled before the next kill, and after the last. */
const ASKS_BETWEEN = 150;

interface Acknowledged {
  readonly id: string;
  readonly settlementId: string;
  readonly text: string;
}

/** Nothing that was acknowledged is lost, and nothing is settled twice. */
export async function checkKills(kills: number): Promise<void> {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const nodes = await Promise.all([openNode(server.url), openNode(server.url)]);
  const acknowledged: Acknowledged[] = [];
  let noticed = 0;
  nodes[0].watch(() => {
    noticed += 1;
  });
  let stop = false;

  const work = async (worker: number): Promise<void> => {
    for (let round = 0; !stop; round += 1) {
      const [asking, answering] = (worker + round) % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      const created = sampleNewAsk(asking.now(), { session: `worker ${worker}`, key: `${round}` });
      const inserted = await asking.asks.insert(created);
      expect(inserted).toEqual({ kind: "created", ask: created.ask });
      acknowledged.push(await race(created.ask, [asking, answering]));
    }
  };
  const workers = Array.from({ length: WORKERS }, (_, worker) => work(worker));
  // A worker that fails must end the test, not leave it waiting for asks that nobody settles.
  const failed = Promise.all(workers);
  for (let kill = 0; kill <= kills; kill += 1) {
    const wanted = acknowledged.length + ASKS_BETWEEN;
    await Promise.race([failed, reached(() => acknowledged.length >= wanted)]);
    if (kill === kills) break;
    await server.kill9();
    await server.start();
  }
  const before = noticed;
  await nodes[1].records.put("n", "k", 1);
  await reached(() => noticed > before);
  stop = true;
  await failed;

  const events = await readAll(nodes[0]);
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  const settlements = events.filter(({ type }) => type === "ask.answered").map(({ subject }) => subject);
  expect(settlements.sort()).toEqual(acknowledged.map(({ id }) => id).sort());
  const asks = await nodes[0].asks.getMany(acknowledged.map(({ id }) => id));
  const texts = new Map(asks.map((ask) => [ask.id, textOf(ask)]));
  const lost = acknowledged.filter(({ id, text }) => texts.get(id) !== text);
  const double = settlements.length - new Set(settlements).size;
  console.log(
    `kills ${kills}, asks ${asks.length}, answers ${settlements.length}, lost ${lost.length}, double ${double}`,
  );
  expect({ lost, double }).toEqual({ lost: [], double: 0 });
}

/** Two nodes answer the same ask at once: one wins, and the other is told who. */
async function race(ask: Ask, nodes: readonly Store[]): Promise<Acknowledged> {
  const attempts = nodes.map((node) => ({ node, text: newId("text"), settlementId: newId("settlement") }));
  const results = await Promise.all(
    attempts.map(async ({ node, text, settlementId }) => ({
      text,
      settlementId,
      changed: await node.asks.change(ask.id, settle(answered(text), settlementId)),
    })),
  );
  const [winner, second] = results.filter(({ changed }) => changed?.applied);
  if (winner === undefined || second !== undefined) throw new Error(`${ask.id} was not settled once`);
  for (const { changed } of results) expect(changed && textOf(changed.ask)).toBe(winner.text);
  return { id: ask.id, settlementId: winner.settlementId, text: winner.text };
}

function textOf({ outcome }: Ask): string | undefined {
  return outcome?.kind === "answered" ? outcome.answers[0]?.text : undefined;
}

async function openNode(url: string): Promise<Store> {
  const store = postgresStore({ url, retryMs: 30_000, queryTimeoutMs: 3_000 });
  await store.open({ clock: systemClock, logger: { warn: () => undefined, error: () => undefined } });
  onTestFinished(() => store.close());
  return store;
}

async function readAll(store: Store): Promise<readonly LogEntry[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const page = await store.logs.read(EVENT_LOG, { after: all.at(-1)?.position ?? 0, limit: 1_000 });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function reached(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
