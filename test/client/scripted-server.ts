import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Ask, AskEvent, Outcome } from "../../src/index.js";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export type Respond = (response: ServerResponse, seen: Seen) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  /** Every request so far. */
  readonly seen: readonly Seen[];
  /** Resolves with the request of this number, counted from 1, as soon as it is there. */
  request(number: number): Promise<Seen>;
  stop(): Promise<void>;
}

/** A server that gives each request the next response; the last one again and again. */
export async function scriptedServer(...script: readonly Respond[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://test");
      const text = Buffer.concat(chunks).toString();
      const { method = "", headers } = request;
      const body = text === "" ? undefined : JSON.parse(text);
      const one = { method, path: url.pathname, query: url.searchParams, headers, body };
      seen.push(one);
      script[Math.min(seen.length, script.length) - 1]?.(response, one);
      for (const check of waiting) check();
    });
  });
  const port = await listen(server);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    request: (number) =>
      new Promise((resolve) => {
        const check = (): void => {
          const one = seen[number - 1];
          if (one === undefined) return;
          waiting.delete(check);
          resolve(one);
        };
        waiting.add(check);
        check();
      }),
    stop,
  };
}

export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** A port on which nobody listens. */
export async function deadUrl(): Promise<string> {
  const { url, stop } = await scriptedServer();
  await stop();
  return url;
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

export const error = (status: number, code: string, more: object = {}): Respond =>
  json(status, { error: { code, message: `it is ${code}`, ...more } });

export const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers });
    response.end(body);
  };

/** The request was taken, and the connection dies before a byte of the response. */
export const lost: Respond = (response) => {
  response.destroy();
};

/** The connection dies in the middle of the body. */
export const cutOff: Respond = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"ask":{"id":"ask', () => response.destroy());
};

/** Nothing, ever. */
export const silent: Respond = () => undefined;

/** A stream of events that stays open unless `end` is given. */
export const stream =
  (chunks: readonly (string | Uint8Array)[], end?: "end" | "destroy"): Respond =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.flushHeaders();
    for (const chunk of chunks) response.write(chunk);
    if (end === "end") response.end();
    if (end === "destroy") response.write(": bye\n\n", () => response.destroy());
  };

export function askOf(more: Partial<Ask> = {}): Ask {
  const base: Ask = {
    id: "ask_1",
    status: "pending",
    createdAt: 1,
    questions: [{ id: "q1", question: "Why?", options: [], multiSelect: false, freeText: true }],
    session: "",
    recipients: [],
    onDeadline: "expire",
    allowPartial: false,
    requireSurface: false,
  };
  return { ...base, ...(more.outcome !== undefined && { status: more.outcome.kind, settledAt: 2 }), ...more };
}

export const outcome: Outcome = {
  kind: "answered",
  answers: [{ question: "q1", selected: [], text: "Because." }],
  by: { kind: "person", id: "ana", surface: "test" },
};

/** The same as a caller of the client gets it, also from a server that sends no choices. */
export const delivered = { ...outcome, choices: [{ question: "q1", labels: [], text: "Because." }] };

export const pending: Respond = json(200, { ask: askOf() });
export const answered: Respond = json(200, { ask: askOf({ outcome }) });

export function sse(position: number, more: Partial<AskEvent> = {}): string {
  const event = { position, at: 1, type: "ask.created", askId: "ask_1", ask: askOf(), ...more };
  return `id: ${position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
