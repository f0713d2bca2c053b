import { createServer as createNodeServer, type ServerOptions as HttpServerOptions } from "node:http";
import { createServer as createListener, isIP, type Server as Listener, type Socket } from "node:net";
import { AsklineError } from "../core/model/error.js";
import { isLoopback } from "./access/hosts.js";
import type { AsklineServer } from "./server.js";

export interface ListenOptions {
  /** The address to listen on; loopback by default. */
  readonly host?: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Whether tokens were created on purpose. Required to listen on anything but loopback. */
  readonly tokensConfigured?: boolean;
  /** A further address with the same port, such as loopback beside the address in a network. */
  readonly alsoHost?: string;
}

export interface Listening {
  /** The URL for a browser or client on this machine. */
  readonly url: string;
  readonly port: number;
  /** Ends streams and held requests, gives other requests a moment to finish, and stops listening. */
  close(): Promise<void>;
}

const SWEEP_MS = 10;
/** The longest interval at which Node checks for slow requests. */
const LOOK_MS = 5_000;

/** Listens on a port. Rejects with a coded error that says what to do. */
export async function listen(server: AsklineServer, options: ListenOptions): Promise<Listening> {
  const { host = "127.0.0.1", port, tokensConfigured = false, alsoHost } = options;
  if (!isLoopback(host) && !tokensConfigured) {
    throw new AsklineError(
      "forbidden",
      `${host} is reachable from other machines, but no tokens are configured; create one first (askline token create), or listen on 127.0.0.1`,
    );
  }
  const nodeServer = createNodeServer(nodeOptions(server.limits));
  nodeServer.maxConnections = server.limits.connections;
  // Node does not track upgraded connections, or those whose request it could not parse.
  const sockets = new Set<Socket>();
  nodeServer.on("connection", (socket) => {
    // A connection whose upgrade was ignored is emitted again.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.attach(nodeServer);
  await startListening(nodeServer, host.replace(/^\[(.*)\]$/, "$1"), port);
  const address = nodeServer.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  // Its connections are Node's HTTP connections like the others.
  const also = createListener({ noDelay: true }, (socket) => nodeServer.emit("connection", socket));
  also.maxConnections = server.limits.connections;
  if (alsoHost !== undefined) {
    await startListening(also, alsoHost, bound).catch(async (error: unknown) => {
      await new Promise((resolve) => nodeServer.close(resolve));
      throw error;
    });
  }
  return {
    url: `http://${nameInUrl(host)}:${bound}`,
    port: bound,
    async close() {
      const stopped = Promise.all(
        [nodeServer, also].map((each) => new Promise<void>((resolve) => void each.close(() => resolve()))),
      );
      let timer: NodeJS.Timeout | undefined;
      const timeIsUp = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
          resolve();
        }, server.limits.stopMs);
      });
      await Promise.race([server.close(), timeIsUp]);
      // Node does not count connections without any data as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      // A connection is idle only once its last response is sent, and Node has no event for that: poll.
      nodeServer.closeIdleConnections();
      const sweep = setInterval(() => nodeServer.closeIdleConnections(), SWEEP_MS);
      await stopped;
      clearInterval(sweep);
      clearTimeout(timer);
    },
  };
}

/** Node's own timeouts. Ours for a body is shorter, because it sends an explanation. */
function nodeOptions({ headersMs, bodyMs, idleMs }: AsklineServer["limits"]): HttpServerOptions {
  return {
    headersTimeout: nodeTime(headersMs),
    requestTimeout: nodeTime(headersMs + bodyMs + LOOK_MS),
    keepAliveTimeout: nodeTime(idleMs),
    connectionsCheckingInterval: Math.min(LOOK_MS, Math.ceil(headersMs / 2)),
    // Checked by us, with an error of our shape.
    requireHostHeader: false,
  };
}

/** Node uses 0 for no timeout. */
function nodeTime(milliseconds: number): number {
  return milliseconds === Number.POSITIVE_INFINITY ? 0 : Math.ceil(milliseconds);
}

function startListening(listener: Listener, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", (error: NodeJS.ErrnoException) => reject(toCoded(error, host, port)));
    listener.listen(port, host, resolve);
  });
}

function toCoded(error: NodeJS.ErrnoException, host: string, port: number): AsklineError {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use, perhaps by another askline server; stop it, or choose another port (--port ${port + 1})`,
    EACCES: `port ${port} needs privileges that this process does not have; choose a port above 1023 (--port 4780)`,
    EADDRNOTAVAIL: `this machine does not have the address ${host}; listen on 127.0.0.1 or on one of its addresses`,
    ENOTFOUND: `unknown host ${host}; listen on 127.0.0.1 or on an address of this machine`,
  };
  const message = messages[error.code ?? ""] ?? `cannot listen on ${host}:${port}: ${error.message}`;
  return new AsklineError("address_unavailable", message, { cause: error });
}

/** A wildcard address is not a destination; IPv6 addresses need brackets. */
function nameInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "[::]") return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}
