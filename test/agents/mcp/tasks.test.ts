import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { ASKLINE } from "../../cli/processes.ts";
import { closeServers, until } from "../../server/open-server.ts";
import { type OpenMcp, openMcp, QUESTION } from "./clients.ts";

afterEach(closeServers);

const ana = { by: { kind: "person", id: "ana", surface: "test" } } as const;
const yes = { answers: [{ question: "q1", selected: ["o1"] }] };

interface Task {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly pollIntervalMs?: number;
  readonly result?: { readonly structuredContent: Readonly<Record<string, unknown>> };
}

/** Sends one JSON-RPC request of revision 2026-07-28, and returns its result. */
type Send = (method: string, params: object, options?: { readonly declaresTasks?: boolean }) => Promise<Task>;

interface Connection {
  readonly send: Send;
  /** The notifications of this connection, by method. */
  readonly notified: { readonly method: string; readonly params: Task }[];
  kill(): Promise<void>;
}

let lastId = 0;

function message(method: string, params: object, declaresTasks: boolean): object {
  lastId += 1;
  const extensions = declaresTasks ? { "io.modelcontextprotocol/tasks": {} } : {};
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions },
  };
  return { jsonrpc: "2.0", id: lastId, method, params: { ...params, _meta } };
}

function overHttp(open: OpenMcp): Connection {
  return {
    async send(method, params, { declaresTasks = true } = {}) {
      const body = message(method, params, declaresTasks);
      const { name, taskId } = params as { readonly name?: string; readonly taskId?: string };
      const response = await fetch(`${open.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${open.agent}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...((name ?? taskId) !== undefined && { "mcp-name": name ?? taskId }),
        } as Record<string, string>,
        body: JSON.stringify(body),
      });
      return unwrap(JSON.parse(await response.text()));
    },
    notified: [],
    kill: async () => undefined,
  };
}

function overStdio(open: OpenMcp): Connection {
  const child = spawn(process.execPath, [ASKLINE, "mcp", "--url", open.url, "--token", open.agent], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const notified: Connection["notified"] = [];
  const waiting = new Map<number, (response: unknown) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const response = JSON.parse(line) as { readonly id?: number };
    if (response.id === undefined) notified.push(response as unknown as (typeof notified)[number]);
    waiting.get(response.id ?? 0)?.(response);
  });
  const exited = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return {
    async send(method, params, { declaresTasks = true } = {}) {
      const request = message(method, params, declaresTasks) as { readonly id: number };
      const response = new Promise((resolve) => void waiting.set(request.id, resolve));
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return unwrap(await response);
    },
    notified,
    kill,
  };
}

function unwrap(response: unknown): Task {
  const { result, error } = response as {
    readonly result?: Task;
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (result === undefined) throw Object.assign(new Error(error?.message), error);
  return result;
}

/** An empty result, with what the server says about itself in every result. */
const ACKNOWLEDGED = { resultType: "complete", _meta: expect.anything() };
const post = { name: "post_question", arguments: { questions: [QUESTION] } };

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const)("tasks over %s", (_, connectRaw) => {
  it("are the ask: posted, polled, answered and completed", async () => {
    const open = await openMcp();
    const { send } = connectRaw(open);
    const task = await send("tools/call", post);
    expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 2_000 });
    expect((await open.hub.get(task.taskId)).status).toBe("pending");
    expect(await send("tasks/get", { taskId: task.taskId })).toMatchObject({
      resultType: "complete",
      status: "working",
    });
    await open.hub.answer(task.taskId, yes, ana);
    expect(await send("tasks/get", { taskId: task.taskId })).toMatchObject({
      status: "completed",
      result: {
        structuredContent: { status: "answered", answers: [{ choices: [{ label: "PostgreSQL" }] }] },
      },
    });
  });

  it("survive a kill of the MCP server and of the client", async () => {
    const open = await openMcp();
    const first = connectRaw(open);
    const { taskId } = await first.send("tools/call", post);
    await first.kill();
    await open.hub.decline(taskId, "no", ana);
    const second = connectRaw(open);
    expect(await second.send("tasks/get", { taskId })).toMatchObject({
      status: "completed",
      result: { structuredContent: { status: "declined", reason: "no" } },
    });
  });

  it("withdraw the ask when they are cancelled, and take no input", async () => {
    const open = await openMcp();
    const { send } = connectRaw(open);
    const { taskId } = await send("tools/call", post);
    await expect(send("tasks/update", { taskId, inputResponses: {} })).rejects.toThrow("needs no input");
    expect(await send("tasks/cancel", { taskId })).toEqual(ACKNOWLEDGED);
    expect((await open.hub.get(taskId)).status).toBe("withdrawn");
    expect(await send("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
    await expect(send("tasks/get", { taskId: "ask_none" })).rejects.toThrow("no such task");
  });

  it("keep their end when they are cancelled after it", async () => {
    const open = await openMcp();
    const { send } = connectRaw(open);
    const { taskId } = await send("tools/call", post);
    await open.hub.answer(taskId, yes, ana);
    expect(await send("tasks/cancel", { taskId })).toEqual(ACKNOWLEDGED);
    expect(await send("tasks/get", { taskId })).toMatchObject({ status: "completed" });
  });

  it("could be read and cancelled by a client that did not declare them", async () => {
    const open = await openMcp();
    const { send } = connectRaw(open);
    const { taskId } = await send("tools/call", post);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      await expect(send(method, { taskId }, { declaresTasks: false })).rejects.toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
      });
    }
    expect((await open.hub.get(taskId)).status).toBe("pending");
  });

  it("are never sent to a client that did not declare them", async () => {
    const open = await openMcp();
    const { send } = connectRaw(open);
    const result = await send("tools/call", post, { declaresTasks: false });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { status: "pending" } });
    expect(result.taskId).toBeUndefined();
  });
});

describe("a task of a connected client", () => {
  it("is announced when it has ended", async () => {
    const open = await openMcp();
    const { send, notified } = overStdio(open);
    const { taskId } = await send("tools/call", post);
    await until(() => open.hub.isAwaited(taskId));
    await open.hub.answer(taskId, yes, ana);
    await until(() => notified.length > 0);
    expect(notified).toMatchObject([
      { method: "notifications/tasks", params: { taskId, status: "completed" } },
    ]);
  });
});
