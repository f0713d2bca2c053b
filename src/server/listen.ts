import {
  createServer as createNodeServer,
  type ServerOptions as HttpServerOptions,
  type Server,
} from "node:http";
import { isIP, type Socket } from "node:net";
import { AsklineError } from "../core/index.js";
import { isLoopback } from "./access/hosts.js";
import type { AsklineServer } from "./server.js";

export interface ListenOptions {
  /** Where to listen; this machine only by default. */
  readonly host?: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Whether somebody has set up tokens on purpose. Without, nothing but this machine may reach the server. */
  readonly tokensConfigured?: boolean;
}

export interface Listening {
  /** For a browser or a client on this machine. */
  readonly url: string;
  readonly port: number;
  /** Ends streams and held requests, lets others finish for a moment, and stops listening. */
  close(): Promise<void>;
}

const SWEEP_MS = 10;
/** How often Node looks for requests that take too long, at the least. */
const LOOK_MS = 5_000;

/** Serves on a port of its own. Rejects with a coded error that says what to do. */
export async function listen(server: AsklineServer, options: ListenOptions): Promise<Listening> {
  const { host = "127.0.0.1", port, tokensConfigured = false } = options;
  if (!isLoopback(host) && !tokensConfigured) {
    throw new AsklineError(
      "forbidden",
      `${host} can be reached from other machines, and no tokens are configured: create some first (askline token create), or listen on 127.0.0.1`,
    );
  }
  const nodeServer = createNodeServer(nodeOptions(server.limits));
  nodeServer.maxConnections = server.limits.connections;
  // Node forgets connections that were upgraded, or whose request it could not read.
  const sockets = new Set<Socket>();
  nodeServer.on("connection", (socket) => {
    // One whose upgrade was not taken comes again.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.attach(nodeServer);
  await startListening(nodeServer, host.replace(/^\[(.*)\]$/, "$1"), port);
  const address = nodeServer.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${nameInUrl(host)}:${bound}`,
    port: bound,
    async close() {
      const stopped = new Promise<void>((resolve) => {
        nodeServer.close(() => resolve());
      });
      let timer: NodeJS.Timeout | undefined;
      const timeIsUp = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
          resolve();
        }, server.limits.stopMs);
      });
      await Promise.race([server.close(), timeIsUp]);
      // Node does not take those for idle on which nothing has come yet.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      // A connection is idle only once its last response is out, and Node does not tell when: look again.
      nodeServer.closeIdleConnections();
      const sweep = setInterval(() => nodeServer.closeIdleConnections(), SWEEP_MS);
      await stopped;
      clearInterval(sweep);
      clearTimeout(timer);
    },
  };
}

/** Node's own bounds. Ours on a body ends first, because it can say why. */
function nodeOptions({ headersMs, bodyMs, idleMs }: AsklineServer["limits"]): HttpServerOptions {
  return {
    headersTimeout: nodeTime(headersMs),
    requestTimeout: nodeTime(headersMs + bodyMs + LOOK_MS),
    keepAliveTimeout: nodeTime(idleMs),
    connectionsCheckingInterval: Math.min(LOOK_MS, Math.ceil(headersMs / 2)),
    // Told by us, in the shape of every error.
    requireHostHeader: false,
  };
}

/** For Node, 0 is no bound. */
function nodeTime(milliseconds: number): number {
  return milliseconds === Number.POSITIVE_INFINITY ? 0 : Math.ceil(milliseconds);
}

function startListening(nodeServer: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    nodeServer.once("error", (error: NodeJS.ErrnoException) => reject(toCoded(error, host, port)));
    nodeServer.listen(port, host, resolve);
  });
}

function toCoded(error: NodeJS.ErrnoException, host: string, port: number): AsklineError {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken, perhaps by another askline: stop that, or choose another port (--port ${port + 1})`,
    EACCES: `port ${port} needs rights that this process does not have: choose one above 1023 (--port 4780)`,
    EADDRNOTAVAIL: `this machine has no address ${host}: listen on 127.0.0.1, or on an address that it has`,
    ENOTFOUND: `there is no host ${host}: listen on 127.0.0.1, or on an address that this machine has`,
  };
  const message = messages[error.code ?? ""] ?? `cannot listen on ${host}:${port}: ${error.message}`;
  return new AsklineError("address_unavailable", message, { cause: error });
}

/** All addresses is no address to go to; numbers with colons need brackets. */
function nameInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "[::]") return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}
