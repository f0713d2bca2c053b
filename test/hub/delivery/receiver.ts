import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly raw: Buffer;
}

export type Respond = (request: Received, response: ServerResponse, incoming: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** How the next requests are answered; 200 by default. */
  respond: Respond;
  /** The most requests that were open at once, for the same `webhook-id`. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

const opened: Receiver[] = [];

export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_request, response) => {
    response.writeHead(status, headers).end();
  };

/** A program that receives messages, on a free port of this machine. */
export async function openReceiver(respond: Respond = withStatus(200)): Promise<Receiver> {
  const received: Received[] = [];
  const open = new Map<string, number>();
  let mostAtOnce = 0;
  const server = createServer((incoming, response) => {
    const id = String(incoming.headers["webhook-id"] ?? "");
    open.set(id, (open.get(id) ?? 0) + 1);
    mostAtOnce = Math.max(mostAtOnce, open.get(id) ?? 0);
    response.on("close", () => open.set(id, (open.get(id) ?? 1) - 1));
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers as Record<string, string>,
        body: Buffer.concat(parts).toString(),
        raw: Buffer.concat(parts),
      };
      received.push(request);
      receiver.respond(request, response, incoming);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    respond,
    get mostAtOnce() {
      return mostAtOnce;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  opened.push(receiver);
  return receiver;
}

/** For `afterEach`. */
export async function closeReceivers(): Promise<void> {
  for (const receiver of opened.splice(0)) await receiver.close();
}
