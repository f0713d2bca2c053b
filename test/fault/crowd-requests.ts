// What one of a crowd does: waits for an ask, follows a session, or ends an ask.

import { type Agent, request } from "node:http";
import type { InspectedServer } from "./inspected-server.ts";

export interface Crowd {
  readonly server: InspectedServer;
  readonly agent: string;
  readonly person: string;
  /** For posting and answering; waits and streams have connections of their own. */
  readonly kept: Agent;
}

export interface Heard {
  readonly text: string | undefined;
  readonly at: number;
}

interface Held {
  /** Resolves once the request is on its way, over a connection of its own. */
  open(): Promise<void>;
  readonly heard: Promise<Heard>;
  close(): void;
}

/** A request that waits; comes again where its minute was over before anybody answered. */
export function waitFor({ server, agent }: Crowd, path: string): Held {
  let resolve: (heard: Heard) => void = () => undefined;
  const heard = new Promise<Heard>((done) => {
    resolve = done;
  });
  const open = (): Promise<void> =>
    new Promise((opened, reject) => {
      const outgoing = request({ ...target(server, agent, path), agent: false }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        response.on("end", () => {
          const text = answerIn(JSON.parse(body).ask);
          if (text === undefined && response.statusCode === 200) open().catch(reject);
          else resolve({ text: text ?? body, at: performance.now() });
        });
      });
      outgoing.on("socket", (socket) => socket.once("connect", () => opened()));
      outgoing.on("error", reject).end();
    });
  return { open, heard, close: () => undefined };
}

export function follow({ server, person }: Crowd, path: string, take: (heard: Heard) => void): Held {
  const outgoing = request({ ...target(server, person, path), agent: false });
  let rest = "";
  const heard = new Promise<Heard>((resolve) => {
    outgoing.on("response", (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          const data = frame.split("\n").find((line) => line.startsWith("data: "));
          if (data === undefined) continue;
          const event = {
            text: answerIn(JSON.parse(data.slice("data: ".length)).ask),
            at: performance.now(),
          };
          take(event);
          resolve(event);
        }
      });
      response.on("error", () => undefined);
    });
  });
  return {
    open: () =>
      new Promise((resolve, reject) => {
        outgoing.on("response", () => resolve()).on("error", reject);
        outgoing.end();
      }),
    heard,
    close: () => outgoing.destroy(),
  };
}

function answerIn(ask: {
  readonly outcome?: { readonly answers?: readonly { readonly text?: string }[] };
}): string | undefined {
  return ask.outcome?.answers?.[0]?.text;
}

function target({ port }: InspectedServer, token: string, path: string): object {
  return { host: "127.0.0.1", port, path, headers: { authorization: `Bearer ${token}` } };
}

export function call(
  { server, kept }: Crowd,
  token: string,
  method: string,
  path: string,
  body: object,
): Promise<{ readonly ask: { readonly id: string } }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const outgoing = request({ ...target(server, token, path), agent: kept, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    outgoing.on("error", reject).end(JSON.stringify(body));
  });
}
