import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServer } from "../client/real-server.ts";
import { ANA } from "./suite/samples.ts";

// The own loop is the same for all providers; one stands for them.
const DRIVERS = [
  "AI SDK 7, in place",
  "AI SDK 6, in place",
  "AI SDK 7, parked",
  "LangChain, in place",
  "LangGraph, interrupted",
  "OpenAI Agents, in place",
  "OpenAI Agents, parked",
  "own loop, Anthropic",
  "AG-UI, parked",
  "AG-UI, interrupted",
  "Copilot, in place",
  "Mastra, in place",
  "Mastra, parked",
];

describe("an agent that is killed while it waits, and started again", () => {
  // Below the frameworks' node_modules, so that the bundle finds them.
  const bundle = join(import.meta.dirname, `node_modules/.cache/agent-process-${process.pid}`);
  const folder = mkdtempSync(join(tmpdir(), "askline-killed-"));
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, "suite/agent-process.ts")],
      outdir: bundle,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      logLevel: "warning",
    });
  });
  afterAll(() => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(bundle, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  function start(args: readonly string[]): ChildProcess & { readonly output: Promise<string> } {
    // What a killed process leaves behind is removed with the folder.
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, [join(bundle, "agent-process.js"), ...args], { env });
    running.add(child);
    let text = "";
    const collect = (chunk: Buffer): void => {
      text += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const output = once(child, "close").then(() => {
      running.delete(child);
      return text;
    });
    return Object.assign(child, { output });
  }

  it.concurrent.each(DRIVERS)(
    "%s: is answered while it does not run, and goes on with the same ask",
    async (name) => {
      const server = await openServer();
      const args = [name, server.url, server.agentToken, join(folder, name)];
      try {
        const first = start(args);
        const watch = server.hub.watch({ session: name })[Symbol.asyncIterator]();
        const ask = await Promise.race([watch.next(), first.output]);
        if (typeof ask === "string") throw new Error(`the agent ended: ${ask}`);
        const { id } = ask.value;
        // Parked: the run is stored before the person is waited for, but not before the ask.
        if (/parked|interrupted/.test(name)) await stored(join(folder, name));
        first.kill("SIGKILL");
        await first.output;

        await server.hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: ANA });
        const output = await start(args).output;
        expect(JSON.parse(output)).toEqual({
          call_1: 'The person answered:\n1. "Which colour?"\n   chose: "Green"',
        });
        expect((await server.hub.list({ session: name })).asks.map((found) => found.id)).toEqual([id]);
      } finally {
        await server.close();
      }
    },
    60_000,
  );
});

async function stored(file: string): Promise<void> {
  const { existsSync, watch } = await import("node:fs");
  const watcher = watch(join(file, ".."));
  try {
    while (!existsSync(file)) await once(watcher, "change");
  } finally {
    watcher.close();
  }
}
