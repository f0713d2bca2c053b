// A rule and its decision are stored together: checked by killing processes that decide, and by decisions that race.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { createHub, type Store } from "../../src/hub/index.ts";
import { type PostgresStoreOptions, postgresStore } from "../../src/hub/stores/postgres/index.ts";
import { type SqliteStoreOptions, sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";

const WORKER = fileURLToPath(new URL("./rule-kill-worker.mjs", import.meta.url));
const LONGEST_LIFE_MS = 60;

export const STORES = ["SQLite", "PostgreSQL"] as const;
type StoreName = (typeof STORES)[number];
type Options = SqliteStoreOptions | (PostgresStoreOptions & { readonly url: string });

/** Kills processes while they decide and remember. */
export async function checkRuleKills(name: StoreName, kills: number): Promise<void> {
  const options = await optionsOf(name);
  const acknowledged = new Set<string>();
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = startWorker(options, [`w${kill}`], acknowledged);
    await worker.started;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS));
    await worker.kill();
  }
  await judge(options, acknowledged, `${kills} kills on ${name}`);
}

/** Three decisions race for each ask, on two nodes. */
export async function checkRuleRaces(name: StoreName, races: number): Promise<void> {
  const options = await optionsOf(name);
  const acknowledged = new Set<string>();
  await startWorker(options, ["race", String(races)], acknowledged).ended;
  expect(acknowledged.size).toBe(races);
  await judge(options, acknowledged, `${races} races on ${name}`);
}

async function optionsOf(name: StoreName): Promise<Options> {
  if (name === "PostgreSQL") return { url: await sharedPostgres(), schema: freshSchema() };
  const folder = await mkdtemp(join(tmpdir(), "askline-rule-kills-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { path: join(folder, "askline.db") };
}

interface Worker {
  /** Resolves at the first acknowledgement: a kill before that would test nothing. */
  readonly started: Promise<unknown>;
  /** Resolves when the worker has ended by itself, without an error. */
  readonly ended: Promise<unknown>;
  /** Resolves when everything that the worker wrote has been read. */
  kill(): Promise<unknown>;
}

/** Adds each acknowledged rule, as `<ask id> <person> <allow or deny>`. */
function startWorker(options: Options, args: readonly string[], acknowledged: Set<string>): Worker {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(options), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const kill = (): Promise<unknown> => {
    child.kill("SIGKILL");
    return closed;
  };
  onTestFinished(async () => void (await kill()));
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => acknowledged.add(line.slice("always ".length)));
  const ended = closed.then(([code, signal]) => {
    if (code !== 0 && signal !== "SIGKILL") throw new Error(`a worker ended with ${code ?? signal}`);
  });
  return { started: Promise.race([once(lines, "line"), ended]), ended, kill };
}

/** Every stored rule has its decision, and every acknowledged decision has its rule. */
async function judge(options: Options, acknowledged: ReadonlySet<string>, what: string): Promise<void> {
  const store = "path" in options ? sqliteStore(options) : postgresStore(options);
  const hub = await createHub({ store });
  onTestFinished(() => hub.close());
  const decided = new Set<string>();
  for (let after: string | undefined; ; ) {
    const { asks, next } = await hub.list({ status: "decided" }, { limit: 500, ...(after && { after }) });
    for (const { id, outcome } of asks) {
      if (outcome?.kind !== "decided" || outcome.by.kind !== "person") throw new Error(`${id} is decided`);
      const effect = outcome.decisions[0]?.kind === "approve" ? "allow" : "deny";
      decided.add(`${id} ${outcome.by.id} ${effect}`);
    }
    if (next === undefined) break;
    after = next;
  }
  const stored = await storedRules(store);
  const withoutDecision = [...stored].filter((rule) => !decided.has(rule));
  const withoutRule = [...acknowledged].filter((rule) => !stored.has(rule));
  console.log(
    `${what}: ${decided.size} decisions, ${acknowledged.size} acknowledged, ${stored.size} rules, ` +
      `${withoutDecision.length} without a decision, ${withoutRule.length} acknowledged without a rule`,
  );
  expect({ withoutDecision, withoutRule }).toEqual({ withoutDecision: [], withoutRule: [] });
  expect(stored).toEqual(decided);
}

/** As they lie in the store, whether or not they count. */
async function storedRules({ records }: Store): Promise<Set<string>> {
  const stored = new Set<string>();
  for (let after = ""; ; ) {
    const page = await records.list("rule", { after, limit: 500 });
    for (const { key, value } of page) {
      const { ask, person, effect } = value as Readonly<Record<string, string>>;
      stored.add(`${ask} ${person} ${effect}`);
      after = key;
    }
    if (page.length === 0) return stored;
  }
}
