// Agents and persons at full load on two servers of one store, while everything is killed: servers, agents,
// persons, and PostgreSQL where it is the store. At the end everybody finishes what they have begun, and the
// checker compares the database with what they were told.

import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHub } from "../../../src/hub/index.ts";
import { postgresStore } from "../../../src/hub/stores/postgres/index.ts";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.ts";
import { createAuth } from "../../../src/server/index.ts";
import { freePort, startPostgres } from "../../support/postgres.ts";
import { pick, type Random, shuffled } from "../../support/random.ts";
import { type Keeper, keepClient, keepServer, output } from "./processes.ts";

const CHECKER = fileURLToPath(new URL("./checker.mjs", import.meta.url));
const AT_ONCE = 24;
const SHORTEST_PAUSE_MS = 300;
/** A server is asked to stop now and then; mostly it is not asked. */
const SHARE_OF_TERMS = 0.25;
/** How often both servers go at once. */
const SHARE_OF_BOTH = 0.15;

export interface SoakReport {
  readonly asks: number;
  readonly answered: number;
  readonly acknowledged: number;
  readonly events: number;
  /** Waits that a killed agent took up again. */
  readonly resumed: number;
  /** Calls that were given up because an outage took too long, and made once more. */
  readonly outages: number;
  /** The longest time without an outcome for any agent. */
  readonly longestSilenceMs: number;
  readonly kills: Readonly<Record<string, number>>;
  /** Stops in order that took too long. */
  readonly late: number;
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly wrong: readonly string[];
}

export interface SoakOptions {
  readonly store: "postgres" | "sqlite";
  /** How long to go on killing after each kind of victim was killed once. */
  readonly milliseconds: number;
  /** The longest time between two kills. */
  readonly longestPauseMs: number;
  readonly random: Random;
}

export async function runSoak({
  store,
  milliseconds,
  longestPauseMs,
  random,
}: SoakOptions): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), "askline-soak-"));
  const postgres = store === "postgres" ? await startPostgres() : undefined;
  const keepers: Keeper[] = [];
  const kept = (keeper: Keeper): Keeper => {
    keepers.push(keeper);
    return keeper;
  };
  try {
    const file = join(folder, "askline.db");
    const db = postgres?.url ?? `sqlite:${file}`;
    const journals = join(folder, "journals");
    const data = join(folder, "data");
    await mkdir(journals);
    const tokens = await createTokens(postgres?.url, file);
    const ports = [await freePort(), await freePort()];
    const servers = ports.map((port) =>
      kept(keepServer({ data, port, db, log: join(folder, "servers.log") })),
    );
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const client = (program: string, name: string, token: string, turned: boolean): Keeper => {
      // Each begins at another server, so that both have work and answers cross from one to the other.
      const options = { name, token, urls: turned ? urls.toReversed() : urls, atOnce: AT_ONCE };
      return kept(keepClient(program, { ...options, journal: join(journals, `${name}.jsonl`) }));
    };
    const agents = ["agent-1", "agent-2"].map((name, index) =>
      client("agent", name, tokens.agent, index === 1),
    );
    const persons = (["ana", "bo"] as const).map((name, index) =>
      client("answerer", name, tokens[name], index === 0),
    );

    const kills: Record<string, number> = {};
    const count = (what: string): void => {
      kills[what] = (kills[what] ?? 0) + 1;
    };
    const victims = [
      repeated(5, async () => {
        const both = random() < SHARE_OF_BOTH;
        const signal = random() < SHARE_OF_TERMS ? "SIGTERM" : "SIGKILL";
        const ending = both ? servers : [pick(servers, random)];
        for (const _ of ending) count(`server ${signal}`);
        await Promise.all(ending.map((server) => server.kill(signal)));
      }),
      repeated(2, async () => {
        count("agent");
        await pick(agents, random).kill("SIGKILL");
      }),
      repeated(2, async () => {
        count("person");
        await pick(persons, random).kill("SIGKILL");
      }),
    ];
    if (postgres !== undefined) {
      victims.push(
        repeated(1, async () => {
          count("PostgreSQL");
          await postgres.kill9();
          await pause(random() * 1_000);
          await postgres.start();
        }),
      );
    }
    // On a busy machine all of this takes a while to start; there is nothing to kill before.
    await reached(async () => (await readdir(journals)).length === 4 && (await anyOutcome(journals)));
    const killNext = async (kill: () => Promise<void>): Promise<void> => {
      await pause(SHORTEST_PAUSE_MS + random() * (longestPauseMs - SHORTEST_PAUSE_MS));
      await kill();
    };
    for (const [kill] of shuffled(victims, random)) if (kill !== undefined) await killNext(kill);
    for (const end = Date.now() + milliseconds; Date.now() < end; ) {
      await killNext(pick(victims.flat(), random));
    }

    await Promise.all(agents.map((agent) => agent.finish()));
    await Promise.all(persons.map((person) => person.finish()));
    await Promise.all(servers.map((server) => server.finish()));
    const late = keepers.reduce((sum, keeper) => sum + keeper.late, 0);
    const checked = JSON.parse(await output(CHECKER, [postgres?.url ?? file, journals])) as Omit<
      SoakReport,
      "kills" | "late"
    >;
    return { ...checked, kills, late };
  } finally {
    await Promise.all(keepers.map((keeper) => keeper.end()));
    await postgres?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tokens made in the store itself, before any server runs on it. */
async function createTokens(
  url: string | undefined,
  path: string,
): Promise<Readonly<Record<"agent" | "ana" | "bo", string>>> {
  const store = url === undefined ? sqliteStore({ path }) : postgresStore({ url });
  const hub = await createHub({ store });
  try {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const { token: agent } = await auth.createToken({ role: "agent", name: "soak" });
    const { token: ana } = await auth.createToken({ role: "person", name: "ana" });
    const { token: bo } = await auth.createToken({ role: "person", name: "bo" });
    return { agent, ana, bo };
  } finally {
    await hub.close();
  }
}

function repeated<Item>(count: number, item: Item): readonly Item[] {
  return Array<Item>(count).fill(item);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function reached(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50);
}

async function anyOutcome(journals: string): Promise<boolean> {
  return (await readFile(join(journals, "agent-1.jsonl"), "utf8")).includes(`"got"`);
}
