// A small pooler in transaction mode. The real one is in pgbouncer.ts.

import { connect, createServer, type Socket } from "node:net";

export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Each client signs in on a connection of its own, which then joins the pool. From there on every transaction gets
 * the connection that was used last, as with PgBouncer.
 */
export async function fakePooler(url: string): Promise<Pooler> {
  const target = new URL(url);
  const idle: Server[] = [];
  const waiting: Client[] = [];
  const sockets = new Set<Socket>();
  let keys = 1_000_000;

  const give = (server: Server): void => {
    server.client = undefined;
    const next = waiting.shift();
    if (next === undefined) idle.push(server);
    else link(next, server);
  };
  const link = (client: Client, server: Server): void => {
    client.server = server;
    server.client = client;
    server.socket.write(Buffer.concat(client.queued.splice(0)));
  };

  const listener = createServer((socket) => {
    const backend = connect(Number(target.port), target.hostname);
    for (const each of [socket, backend]) {
      sockets.add(each);
      each.on("error", () => undefined);
      each.on("close", () => sockets.delete(each));
    }
    const server: Server = { socket: backend, client: undefined };
    const client: Client = { socket, server, queued: [] };
    server.client = client;
    let isStarting = true;
    const fromServer = frames((type, frame) => {
      if (type === "K") {
        keys += 1;
        frame.writeInt32BE(keys, 5);
      }
      server.client?.socket.write(frame);
      if (type !== "Z" || frame[5] !== "I".charCodeAt(0)) return;
      if (server.client !== undefined) server.client.server = undefined;
      isStarting = false;
      give(server);
    });
    backend.on("data", fromServer);
    const fromClient = frames((type, frame) => {
      if (type === "X") return;
      client.queued.push(frame);
      // A statement goes as a whole, up to its end.
      if (type !== "Q" && type !== "S" && !isStarting) return;
      if (client.server !== undefined) return link(client, client.server);
      const free = idle.pop();
      if (free === undefined) waiting.push(client);
      else link(client, free);
    });
    // The first message has no type.
    socket.once("data", (startup) => {
      backend.write(startup);
      socket.on("data", fromClient);
    });
    socket.on("close", () => client.server?.socket.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const pooled = new URL(url);
  pooled.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: pooled.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

interface Server {
  readonly socket: Socket;
  client: Client | undefined;
}

interface Client {
  readonly socket: Socket;
  readonly queued: Buffer[];
  server: Server | undefined;
}

/** Cuts a stream of PostgreSQL's messages: a type, a length, a body. */
function frames(take: (type: string, frame: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      const frame = Buffer.from(rest.subarray(0, end));
      rest = rest.subarray(end);
      take(String.fromCharCode(frame[0] ?? 0), frame);
    }
  };
}
