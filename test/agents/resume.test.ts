import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHub, type Hub } from "../../src/hub/index.ts";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { ANA } from "./suite/samples.ts";

const READ = JSON.stringify('The person answered:\n1. "Which colour?"\n   chose: "Green"');

describe("resumeOnSettle in several processes, on one SQLite file", () => {
  let folder = "";
  let hub: Hub;
  const closing: (() => unknown)[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "askline-resume-"));
    hub = await createHub({ store: sqliteStore({ path: join(folder, "askline.db") }) });
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(role: "park" | "resume" | "hang") {
    const [register, program] = ["register.mjs", "resume-process.mjs"].map((name) =>
      join(import.meta.dirname, name),
    );
    const child = spawn(process.execPath, ["--import", register ?? "", program ?? "", role, folder]);
    let output = "";
    const looking = new Set<() => void>();
    const collect = (chunk: Buffer): void => {
      output += chunk;
      for (const look of [...looking]) look();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const ended = once(child, "close");
    closing.push(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    return {
      output: () => output,
      /** Resolves once a line was printed. */
      prints: (line: string) =>
        new Promise<void>((resolve, reject) => {
          const look = (): void => {
            if (!output.split("\n").includes(line)) return;
            looking.delete(look);
            resolve();
          };
          looking.add(look);
          void ended.then(() => reject(new Error(`it ended without "${line}": ${output}`)));
          look();
        }),
      async end(signal: "SIGTERM" | "SIGKILL") {
        child.kill(signal);
        await ended;
      },
      ended,
    };
  }

  /** Parks a run in a process that ends, and returns the id of its ask. */
  async function park(): Promise<string> {
    const parked = start("park");
    expect([await parked.ended, parked.output()]).toEqual([[0, null], ""]);
    const { asks } = await hub.list({ status: "pending" });
    expect(asks).toHaveLength(1);
    return asks[0]?.id ?? "";
  }

  const answer = (id: string) =>
    hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: ANA });
  const journal = () => readFileSync(join(folder, "journal"), "utf8").trim().split("\n");

  it("is resumed by one of two that wait, once", async () => {
    const id = await park();
    const processes = [start("resume"), start("resume")];
    await Promise.all(processes.map(({ prints }) => prints("watching")));
    await answer(id);
    await Promise.any(processes.map(({ prints }) => prints("resumed thread-1")));
    await Promise.all(processes.map(({ end }) => end("SIGTERM")));
    expect(journal()).toEqual([`resume read ${READ}`]);
    expect(processes.map((each) => each.output()).sort()).toEqual([
      "watching\n",
      "watching\nbegan\nresumed thread-1\n",
    ]);
  });

  it("is resumed by the other when the one that holds the lease is killed", async () => {
    const id = await park();
    const first = start("hang");
    await first.prints("watching");
    await answer(id);
    await first.prints("began");
    const second = start("resume");
    await second.prints("watching");
    expect(await hub.claimResume(id)).toBeUndefined();
    await first.end("SIGKILL");
    await second.prints("resumed thread-1");
    await second.end("SIGTERM");
    expect(journal()).toEqual([`hang read ${READ}`, `resume read ${READ}`]);
  });
});
