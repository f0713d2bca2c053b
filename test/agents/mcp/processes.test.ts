// The real command: what it prints, how it ends, and that kills on either side lose nothing.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type BackgroundServer,
  isRunning,
  readBackground,
} from "../../../src/cli/connect/background-state.js";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { connect } from "../../../src/client/index.js";
import { ASKLINE, endProcesses, start } from "../../cli/processes.ts";
import { newFolder, removeFolders, serve } from "../../cli/servers.ts";
import { closeServers, until } from "../../server/open-server.ts";
import { connectClient, openMcp, QUESTION } from "./clients.ts";

afterEach(async () => {
  await closeServers();
  endProcesses();
  removeFolders();
});

const ASK = { questions: [QUESTION] };
const YES = { answers: [{ question: "q1", selected: ["o1"] }] };

/** Looks again every 20 ms: these are other processes. */
async function eventually<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await pause(20);
  }
}

/** The person of a data folder, and the server that answers for it. */
function personOf(data: string, url: string) {
  const token = readCredentials(data, url)?.person ?? "";
  const client = connect({
    url,
    token,
    retryForMs: 10_000,
    logger: { warn: () => undefined, error: () => undefined },
  });
  onTestFinished(() => client.close());
  return {
    client,
    pending: () => eventually(async () => (await client.list({ status: "pending" })).asks[0]),
  };
}

/** As an agent finds them: by the parents of all processes. */
function descendantsOf(ancestor: number): readonly number[] {
  const children = readdirSync("/proc").filter((name) => {
    try {
      const [, rest = ""] = /^.*\) \S (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      return Number(rest.split(" ")[0]) === ancestor;
    } catch {
      return false;
    }
  });
  return children.flatMap((name) => [Number(name), ...descendantsOf(Number(name))]);
}

describe("askline mcp over stdio", () => {
  it("prints nothing but protocol on stdout, and ends when its client closes stdin", async () => {
    const open = await openMcp();
    const running = start(ASKLINE, ["mcp", "--url", open.url, "--token", open.agent]);
    const send = (value: object) =>
      running.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`);
    const clientInfo = { name: "raw", version: "1" };
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    await running.prints('"id":1');
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "ask_user_question", arguments: ASK } });
    const { id } = await open.pending();
    running.child.stdin?.end();
    const { code, stdout } = await running.ended;
    for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(code).toBe(0);
    expect((await open.hub.get(id)).status).toBe("pending");
  });

  it("goes on waiting through a kill -9 of its server", async () => {
    const first = await serve();
    const port = new URL(first.url).port;
    const token = readCredentials(first.data, first.url)?.agent ?? "";
    const args = ["mcp", "--url", first.url, "--token", token];
    const client = await connectClient("1.32", "stdio", "test", { url: first.url, token, args });
    const asking = client.call("ask_user_question", ASK);
    const before = personOf(first.data, first.url);
    const { id } = await before.pending();
    first.running.child.kill("SIGKILL");
    await first.running.ended;
    const second = await serve(first.data, { port });
    await personOf(second.data, second.url).client.answer(id, YES);
    expect((await asking).structuredContent).toMatchObject({ status: "answered", ask_id: id });
  });

  it("finds the ask of a client that was killed, pending or answered meanwhile", async () => {
    const open = await openMcp();
    for (const answeredMeanwhile of [false, true]) {
      const question = { questions: [{ ...QUESTION, question: `Killed, ${answeredMeanwhile}?` }] };
      const first = await open.connect("2.4", "stdio");
      void first.call("ask_user_question", question).catch(() => undefined);
      const { id } = await open.pending();
      process.kill(first.pid ?? 0, "SIGKILL");
      await until(() => !open.hub.isAwaited(id));
      const by = { kind: "person", id: "ana", surface: "test" } as const;
      if (answeredMeanwhile) await open.hub.answer(id, YES, { by });
      const second = await open.connect("2.4", "stdio");
      const asking = second.call("ask_user_question", question);
      if (!answeredMeanwhile) await open.hub.answer((await open.pending()).id, YES, { by });
      expect((await asking).structuredContent).toMatchObject({ status: "answered", ask_id: id });
    }
  });
});

describe("the server in the background", () => {
  const local = (data: string) => ({
    url: "http://127.0.0.1",
    token: "",
    args: ["mcp", "--data", data],
    // Not the usual port, which may be in use where the tests run.
    env: { ASKLINE_PORT: "0", ASKLINE_PERSON: "ana" },
  });
  const stopAfter = (data: string): void => {
    onTestFinished(() => {
      const state = readBackground(data);
      if (state !== undefined && isRunning(state.pid)) process.kill(state.pid, "SIGKILL");
    });
  };

  it("is one server, however many commands start at once", async () => {
    const data = newFolder();
    stopAfter(data);
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => connectClient("1.32", "stdio", "test", local(data))),
    );
    const asking = clients.map((client, index) =>
      client.call("ask_user_question", { questions: [{ ...QUESTION, question: `Number ${index}?` }] }),
    );
    const { url } = await eventually(() => readBackground(data));
    const person = personOf(data, url);
    const asks = await eventually(async () => {
      const { asks: found } = await person.client.list({ status: "pending" });
      return found.length === clients.length ? found : undefined;
    });
    for (const { id } of asks) await person.client.answer(id, YES);
    for (const result of await Promise.all(asking)) {
      expect(result.structuredContent).toMatchObject({ status: "answered", answered_by: { id: "ana" } });
    }
    const log = readFileSync(join(data, "background.log"), "utf8");
    expect(log.match(/"msg":"started"/g)).toHaveLength(1);
    const stop = await start(ASKLINE, ["stop", "--data", data]).ended;
    expect([stop.code, stop.stdout]).toEqual([0, `Stopped the background server at ${url}.\n`]);
    expect(readBackground(data)).toBeUndefined();
  });

  it("ended with the agent that had started it: /exit of opencode kills all descendants of its MCP servers", async () => {
    const event = {
      hook_event_name: "PermissionRequest",
      session_id: "s1",
      tool_name: "Bash",
      tool_input: {},
    };
    const starters = {
      mcp: async (data: string) => {
        const client = await connectClient("1.32", "stdio", "test", local(data));
        void client.call("ask_user_question", ASK).catch(() => undefined);
        return client.pid ?? 0;
      },
      hook: async (data: string) => {
        const { env } = local(data);
        const input = JSON.stringify(event);
        return start(ASKLINE, ["hook", "claude", "--data", data], { env, input }).child.pid ?? 0;
      },
    };
    for (const begin of Object.values(starters)) {
      const data = newFolder();
      stopAfter(data);
      const starter = await begin(data);
      const { pid, url } = await eventually(() => readBackground(data));
      const { id } = await personOf(data, url).pending();
      expect(descendantsOf(process.pid)).toContain(starter);
      expect(descendantsOf(process.pid)).not.toContain(pid);
      for (const child of [...descendantsOf(starter), starter]) process.kill(child, "SIGKILL");
      await eventually(() => !isRunning(starter));
      expect(isRunning(pid)).toBe(true);
      expect(await personOf(data, url).client.get(id)).toMatchObject({ status: "pending" });
    }
  });

  it("stores an answer from the client's own form as the person's, reported by the agent", async () => {
    const data = newFolder();
    stopAfter(data);
    const target = local(data);
    const client = await connectClient("2.4", "stdio", "test", {
      ...target,
      args: [...target.args, "--elicit"],
      onForm: () => ({ action: "accept", content: { q1: "o2" } }),
    });
    const result = await client.call("ask_user_question", ASK);
    expect(result.structuredContent).toMatchObject({
      answered_by: { id: "ana", surface: "mcp-form", reported_by: "local" },
    });
    const id = String(result.structuredContent?.ask_id);
    const { stdout } = await start(ASKLINE, ["audit", id, "--data", data]).ended;
    expect(stdout).toContain("reported by local");
  });

  it("is started again for a call that waits when it was killed", async () => {
    const data = newFolder();
    stopAfter(data);
    const client = await connectClient("2.4", "stdio", "test", local(data));
    const asking = client.call("ask_user_question", ASK);
    const first = await eventually(() => readBackground(data));
    const { id } = await personOf(data, first.url).pending();
    process.kill(first.pid, "SIGKILL");
    const second = await eventually(() => {
      const state: BackgroundServer | undefined = readBackground(data);
      return state !== undefined && state.pid !== first.pid && state;
    });
    await personOf(data, second.url).client.answer(id, YES);
    expect((await asking).structuredContent).toMatchObject({ status: "answered", ask_id: id });
  });

  it("ends by itself when nobody has used it for a while", async () => {
    const data = newFolder();
    const child = spawn(
      process.execPath,
      [ASKLINE, "serve", "--background", "--idle", "300ms", "--data", data, "--port", "0"],
      {
        stdio: "ignore",
      },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = new Promise<number | null>((resolve) => void child.once("exit", resolve));
    await eventually(() => readBackground(data));
    expect(await exited).toBe(0);
    expect(readBackground(data)).toBeUndefined();
  });

  it("is shown by askline doctor, with its version and its log", async () => {
    const data = newFolder();
    stopAfter(data);
    const client = await connectClient("1.32", "stdio", "test", local(data));
    await client.call("list_pending", {});
    const { url } = await eventually(() => readBackground(data));
    const { stdout } = await start(ASKLINE, ["doctor", "--data", data], { env: { ASKLINE_PORT: "0" } }).ended;
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`${url}, version`);
    expect(stdout.replaceAll(/\s+/g, "")).toContain(join(data, "background.log"));
  });
});
