// Kills processes that share a SQLite file, again and again, and then looks whether the file holds everything
// that was ever acknowledged.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { createHub } from "../../src/hub/index.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import type { Ask, AskEvent } from "../../src/index.js";

const WORKER = fileURLToPath(new URL("./kill-worker.mjs", import.meta.url));
const LONGEST_LIFE_MS = 120;

interface KillReport {
  readonly kills: number;
  readonly asks: number;
  readonly answers: number;
  /** Acknowledged, but not in the file afterwards, or there with another outcome. */
  readonly lost: number;
  /** Settled twice: two events, or two persons who were both told that theirs counts. */
  readonly double: number;
  /** Event positions that are missing or there twice. */
  readonly gaps: number;
}

interface Acknowledged {
  readonly asked: Map<string, string>;
  readonly settled: Map<string, Set<string>>;
}

/** Nothing that was acknowledged is lost, and nothing is settled twice. */
export async function checkKills(count: number): Promise<void> {
  const report = await killAgainAndAgain(count, Math.random);
  const { kills, asks, answers, lost, double, gaps } = report;
  console.log(
    `kills ${kills}, asks ${asks}, answers ${answers}, lost = ${lost}, double = ${double}, gaps = ${gaps}`,
  );
  expect({ lost, double, gaps }).toEqual({ lost: 0, double: 0, gaps: 0 });
  expect(asks).toBeGreaterThan(kills);
  expect(answers).toBeGreaterThan(kills);
}

/** Always two workers on the file; one of them is killed at a random moment and replaced. */
async function killAgainAndAgain(kills: number, random: () => number): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), "askline-kills-"));
  const path = join(folder, "askline.db");
  const acknowledged: Acknowledged = { asked: new Map(), settled: new Map() };
  const workers: ChildProcess[] = [];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      while (workers.length < 2)
        workers.push(await startWorker(path, `w${kill}-${workers.length}`, acknowledged));
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE_MS));
      const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
      if (victim !== undefined) await killed(victim);
    }
    await Promise.all(workers.splice(0).map(killed));
    return await examine(path, kills, acknowledged);
  } finally {
    await Promise.all(workers.map(killed));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves once the worker has done something: a kill before that would test nothing. */
async function startWorker(
  path: string,
  name: string,
  { asked, settled }: Acknowledged,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WORKER, path, name], { stdio: ["ignore", "pipe", "pipe"] });
  let trouble = "";
  child.stderr.on("data", (chunk) => {
    trouble += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  const started = new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      const [word, id = "", rest = ""] = line.split(" ");
      if (word === "asked") asked.set(id, rest);
      if (word === "settled") settled.set(id, (settled.get(id) ?? new Set()).add(rest));
      resolve();
    });
    child.on("close", (code, signal) => {
      if (signal !== "SIGKILL") reject(new Error(`a worker ended by itself (${code}): ${trouble}`));
    });
  });
  await started;
  return child;
}

/** Kills the process and waits until all that it wrote has been read. */
async function killed(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

async function examine(path: string, kills: number, acknowledged: Acknowledged): Promise<KillReport> {
  const store = sqliteStore({ path });
  const hub = await createHub({ store });
  try {
    const asks = new Map<string, Ask>();
    for (let after: string | undefined; ; ) {
      const page = await hub.list({}, { limit: 500, ...(after !== undefined && { after }) });
      for (const ask of page.asks) asks.set(ask.id, ask);
      if (page.next === undefined) break;
      after = page.next;
    }
    const events: Pick<AskEvent, "position" | "type" | "askId">[] = [];
    for (let after = 0; ; ) {
      const entries = await store.logs.read("events", { after, limit: 1_000 });
      const last = entries.at(-1);
      if (last === undefined) break;
      for (const { position, type, subject = "" } of entries) {
        events.push({ position, type: type as AskEvent["type"], askId: subject });
      }
      after = last.position;
    }
    return { kills, ...judge(asks, events, acknowledged) };
  } finally {
    await hub.close();
  }
}

function judge(
  asks: ReadonlyMap<string, Ask>,
  events: readonly Pick<AskEvent, "position" | "type" | "askId">[],
  { asked, settled }: Acknowledged,
): Omit<KillReport, "kills"> {
  const settlements = new Map<string, number>();
  for (const { askId } of events.filter(({ type }) => type === "ask.answered")) {
    settlements.set(askId, (settlements.get(askId) ?? 0) + 1);
  }
  let lost = [...asked].filter(([id, key]) => asks.get(id)?.key !== key).length;
  let double = [...settlements.values()].filter((count) => count > 1).length;
  for (const [id, persons] of settled) {
    const outcome = asks.get(id)?.outcome;
    const by = outcome?.kind === "answered" && outcome.by.kind === "person" ? outcome.by.id : undefined;
    if (by === undefined || !persons.has(by)) lost += 1;
    if (persons.size > 1) double += 1;
  }
  // What is in an ask's row and what is in the log must be the same: they are one transaction.
  for (const ask of asks.values()) {
    const isSettled = ask.status !== "pending";
    if (isSettled !== (settlements.get(ask.id) ?? 0) > 0) lost += 1;
  }
  const gaps = events.filter(({ position }, index) => position !== index + 1).length;
  return { asks: asked.size, answers: settled.size, lost, double, gaps };
}
