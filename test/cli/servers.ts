import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { connect } from "../../src/client/index.ts";
import type { Ask, AskInput } from "../../src/index.ts";
import { until } from "../server/open-server.ts";
import { runHere, type WorldOptions } from "./in-process.ts";
import { ASKLINE, type Ended, type Running, start } from "./processes.ts";

const folders = new Set<string>();

/** A new data folder, which {@link removeFolders} removes. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "askline-cli-"));
  folders.add(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

export interface ServeProcess {
  readonly url: string;
  readonly data: string;
  readonly inbox: string;
  readonly running: Running;
  /** The environment in which other commands find this server. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command against this server, in the process of the test. */
  run(args: readonly string[], options?: WorldOptions): Promise<Ended>;
  /** Starts `askline ask` and returns the id of its ask as soon as it waits. */
  ask(args: readonly string[]): Promise<{ readonly id: string; readonly running: Running }>;
}

/** Starts `askline serve` on a free port, or on the given one, and waits until it is ready. */
export async function serve(
  data: string = newFolder(),
  {
    port = "0",
    args = [],
    env: given = {},
  }: {
    readonly port?: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<ServeProcess> {
  const running = start(
    ASKLINE,
    ["serve", "--data", data, "--port", port, "--json", "--print-link", ...args],
    {
      env: given,
    },
  );
  const [line = ""] = (await running.prints("\n")).split("\n");
  const { url, inbox } = JSON.parse(line) as { readonly url: string; readonly inbox: string };
  const server = served({ url, data, inbox });
  return {
    ...server,
    running,
    async ask(flags) {
      const asking = start(ASKLINE, ["ask", ...flags], { env: server.env });
      await asking.shows("is waiting for an answer");
      return { id: await newestAwaited(url, data), running: asking };
    },
  };
}

export type ServedHere = Omit<ServeProcess, "running" | "ask"> & { stop(): Promise<Ended> };

/**
 * The same in the process of the test, until the test ends or stops it: for tests that neither kill nor signal the
 * server. It is there in a tenth of the time.
 */
export async function serveHere(
  data: string = newFolder(),
  options: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ServedHere> {
  const server = await startHere(data, options);
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** {@link serveHere}, for a hook: `stop` must be called. */
export async function startHere(
  data: string,
  { args = [], env: given = {} }: Parameters<typeof serveHere>[1] = {},
): Promise<ServedHere> {
  const interruption = new AbortController();
  const stdout = new PassThrough({ encoding: "utf8" });
  const line = once(createInterface(stdout), "line");
  const flags = ["serve", "--data", data, "--port", "0", "--json", "--print-link", ...args];
  const ended = runHere(flags, { env: given, signal: interruption.signal, world: { stdout } });
  const early = ended.then(({ code, stderr }) => {
    throw new Error(`serve ended with ${code}: ${stderr}`);
  });
  const [banner] = await Promise.race([line, early]);
  early.catch(() => undefined);
  const { url, inbox } = JSON.parse(banner) as { readonly url: string; readonly inbox: string };
  return {
    ...served({ url, data, inbox }),
    stop() {
      interruption.abort();
      return ended;
    },
  };
}

function served({ url, data, inbox }: Pick<ServeProcess, "url" | "data" | "inbox">) {
  const env = { ASKLINE_URL: url, ASKLINE_DATA: data };
  const run: ServeProcess["run"] = (args, options = {}) =>
    runHere(args, { ...options, env: { ...env, ...options.env } });
  return { url, data, inbox, env, run };
}

/** The newest pending ask, once somebody waits for it: the command prints its line a moment before it waits. */
async function newestAwaited(url: string, data: string): Promise<string> {
  const headers = { authorization: `Bearer ${readCredentials(data, url)?.person}` };
  return until(async () => {
    const response = await fetch(`${url}/v1/asks?status=pending&order=newest&limit=1`, { headers });
    const { awaited } = (await response.json()) as { readonly awaited: readonly string[] };
    return awaited[0];
  });
}

/** Posts an ask as the agent of this machine, for a command to end. */
export async function post({ url, data }: Pick<ServeProcess, "url" | "data">, ask: AskInput): Promise<Ask> {
  const client = connect({ url, token: readCredentials(data, url)?.agent ?? "" });
  try {
    return await client.post(ask);
  } finally {
    await client.close();
  }
}
