// A network that a test can break: connections through it are cut, go silent, or lose what the server says.

import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** Nothing passes any more on the connections there are, and nobody is told. New ones work. */
  goSilent(): void;
  /** The next time the server says something, it is not passed on and the connection is cut. */
  loseNextReply(): void;
  close(): Promise<void>;
}

export async function startProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let loseNext = false;
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on("close", end).on("error", end);
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => {
      if (!loseNext) client.write(data);
      else {
        loseNext = false;
        end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    goSilent() {
      for (const pair of pairs) for (const socket of pair) socket.removeAllListeners("data").pause();
    },
    loseNextReply() {
      loseNext = true;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await closed;
    },
  };
}
