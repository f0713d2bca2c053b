// The part of Codex's app-server that the bridge uses, over a WebSocket and in the shapes of recorded.json. It behaves as
// the recorded one did: every client of a thread gets a request, the first response wins and all are told; a client that
// resumes a thread gets what waits there after the response; a thread without a turn cannot be resumed.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import recorded from "./recorded.json" with { type: "json" };

export { recorded };

type Kind = keyof typeof recorded.requests;
interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly threadId: string };
}
interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export const THREAD = recorded.requests.command.params.threadId;
export const SECOND_THREAD = "01a1ecf8-0000-7000-8000-000000000002";

export async function openAppServer() {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const clients = new Map<WebSocket, Set<string>>();
  const waiting = new Map<number, Request>();
  const responses = new Map<number, object[]>();
  const calls: Call[] = [];
  const listeners = new Set<() => void>();
  const files = new Map<string, unknown>();
  /** Threads that have a turn. */
  const begun = new Set([THREAD]);
  const loaded = new Set([THREAD]);
  let requests = 0;
  let silent = false;

  const send = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));
  const tell = (threadId: string | undefined, message: object): void => {
    for (const [socket, threads] of clients) {
      if (threadId === undefined || threads.has(threadId)) send(socket, message);
    }
  };
  const statusOf = (threadId: string): object => {
    const waits = [...waiting.values()].some(({ params }) => params.threadId === threadId);
    return waits ? recorded.statusChanged.params.status : { type: "idle" };
  };
  const tellStatus = (threadId: string): void =>
    tell(undefined, { method: "thread/status/changed", params: { threadId, status: statusOf(threadId) } });
  const resolve = (id: number): void => {
    const request = waiting.get(id);
    if (request === undefined) return;
    waiting.delete(id);
    const { threadId } = request.params;
    tell(threadId, { ...recorded.resolved, params: { threadId, requestId: id } });
    tellStatus(threadId);
  };

  const answer = (socket: WebSocket, id: unknown, { method, params }: Call): void => {
    const threadId = String(params.threadId ?? "");
    const respond = (result: object): void => send(socket, { id, result });
    if (method === "initialize") respond(recorded.initialized);
    else if (method === "thread/loaded/list") respond({ data: [...loaded], nextCursor: null });
    else if (method !== "thread/resume") respond({});
    else if (!begun.has(threadId)) send(socket, { id, error: recorded.noRollout });
    else {
      clients.get(socket)?.add(threadId);
      const items = files.has(threadId) ? [files.get(threadId)] : [];
      respond({
        thread: { id: threadId, status: statusOf(threadId) },
        cwd: "/home/ana/shop",
        initialTurnsPage: { data: [{ id: "turn", items }], nextCursor: null },
      });
      for (const request of waiting.values()) if (request.params.threadId === threadId) send(socket, request);
    }
  };
  server.on("connection", (socket) => {
    clients.set(socket, new Set());
    socket.on("close", () => clients.delete(socket));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.method !== undefined) {
        const call = { method: message.method, params: message.params ?? {} };
        calls.push(call);
        if (message.id !== undefined && !silent) answer(socket, message.id, call);
      } else {
        const taken = waiting.has(message.id);
        if (taken) responses.set(message.id, [...(responses.get(message.id) ?? []), message]);
        resolve(message.id);
      }
      for (const look of listeners) look();
    });
  });
  onTestFinished(() => {
    for (const socket of clients.keys()) socket.terminate();
    server.close();
  });

  const seen = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((found) => {
      const check = (): void => {
        const value = look();
        if (value === undefined) return;
        listeners.delete(check);
        found(value);
      };
      listeners.add(check);
      check();
    });
  return {
    url: `ws://127.0.0.1:${port}`,
    calls,
    responses,
    /** Codex asks; `params` replace recorded ones. */
    ask(kind: Kind, params: object = {}): number {
      const { method, params: own } = recorded.requests[kind];
      const id = requests++;
      const whole = { itemId: `call_${id}`, ...own, ...params } as Request["params"];
      const request = { id, method, params: whole };
      const { threadId } = whole;
      loaded.add(threadId);
      begun.add(threadId);
      waiting.set(id, request);
      tellStatus(threadId);
      if (kind === "fileChange") {
        const { item } = recorded.fileChangeItem.params;
        files.set(threadId, item);
        tell(threadId, { method: "item/started", params: { item, threadId } });
      }
      tell(threadId, request);
      return id;
    },
    /** The result that the bridge sent for a request. */
    result: (id: number): Promise<unknown> =>
      seen(() => (responses.get(id)?.[0] as { readonly result?: unknown } | undefined)?.result),
    called: (method: string): Promise<Call["params"]> =>
      seen(() => calls.find((call) => call.method === method)?.params),
    resolveElsewhere: resolve,
    /** The person interrupts the turn: its end is told first. */
    interrupt(id: number): void {
      const { threadId, turnId } = waiting.get(id)?.params ?? { threadId: "" };
      const { turn } = recorded.interrupted.params;
      tell(threadId, { ...recorded.interrupted, params: { threadId, turn: { ...turn, id: turnId } } });
      resolve(id);
    },
    /** A new thread, which cannot be resumed before its first turn. */
    newThread(): void {
      loaded.add(SECOND_THREAD);
      tell(undefined, { method: "thread/started", params: { thread: { id: SECOND_THREAD } } });
    },
    /** Answered in Codex while nobody was connected. */
    forget: (id: number): void => void waiting.delete(id),
    drop(): void {
      for (const socket of clients.keys()) socket.terminate();
    },
    beSilent(is: boolean): void {
      silent = is;
    },
    tell,
  };
}
