import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeCredentials } from "../../src/cli/connect/credentials.js";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { systemClock } from "../../src/index.ts";
import { createAuth } from "../../src/server/index.ts";
import { sampleNewAsk } from "../../src/testing/samples.ts";
import { runHere, type WorldOptions } from "./in-process.ts";
import { newFolder } from "./servers.ts";

/**
 * A port that nothing else uses: doctor only tries to listen on it. Below the ports that a system gives out, and another
 * one for each process, as several run doctor at once.
 */
export const PORT: string = String(20_000 + (process.pid % 10_000));

export interface Patient {
  readonly data: string;
  readonly db: string;
  readonly credentials: string;
}

/** The data folder of a stopped server: a store with an ask, and credentials. */
export async function healthy(): Promise<Patient> {
  const data = join(newFolder(), "data");
  mkdirSync(data, { mode: 0o700 });
  const db = join(data, "askline.db");
  const made = join(newFolder(), "askline.db");
  const store = sqliteStore({ path: made });
  await store.open({ clock: systemClock, logger: console });
  const auth = createAuth({ records: store.records, now: () => store.now() });
  const agent = await auth.createToken({ role: "agent", name: "local" });
  const person = await auth.createToken({ role: "person", name: "ana" });
  await writeCredentials(data, `http://127.0.0.1:${PORT}`, { agent: agent.token, person: person.token });
  await store.asks.insert(sampleNewAsk(store.now()));
  await store.close();
  // The driver keeps the empty log of a closed file until the next garbage collection. A process that ended leaves none.
  copyFileSync(made, db);
  return { data, db, credentials: join(data, "credentials.json") };
}

export interface Diagnosis {
  readonly code: number | null;
  readonly findings: readonly Finding[];
  /** The findings that are not ok. */
  readonly faults: readonly Finding[];
}

/** Runs `askline doctor --json` in this process. */
export async function diagnose(
  { data }: Pick<Patient, "data">,
  args: readonly string[] = [],
  options: WorldOptions = {},
): Promise<Diagnosis> {
  const port = args.includes("--port") ? [] : ["--port", PORT];
  const ended = await runHere(["doctor", "--json", "--data", data, ...port, ...args], options);
  const { findings } = JSON.parse(ended.stdout) as { readonly findings: readonly Finding[] };
  return { code: ended.code, findings, faults: findings.filter(({ level }) => level !== "ok") };
}
