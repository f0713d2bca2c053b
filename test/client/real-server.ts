import { createServer as createNodeServer } from "node:http";
import { onTestFinished } from "vitest";
import { type Client, connect } from "../../src/client/index.js";
import { createHub, type Hub, memoryStore, type Store } from "../../src/hub/index.js";
import { type Clock, systemClock } from "../../src/index.js";
import { createAuth, createServer } from "../../src/server/index.js";
import { watchResponses } from "../support/conformance.ts";
import { listen } from "./scripted-server.js";

export interface RealServer {
  readonly url: string;
  readonly port: number;
  readonly hub: Hub;
  readonly agentToken: string;
  /** A client that is closed after the test: the agent's, or this person's. */
  agent(): Client;
  person(id?: string): Promise<Client>;
  token(role: "agent" | "person" | "admin", name: string, reports?: readonly string[]): Promise<string>;
  /** As if the process had been killed: connections die, and nothing is said to anybody. */
  kill(): Promise<void>;
  /** Another server of the same hub, on this port or a free one. */
  another(port?: number): Promise<RealServer>;
  close(): Promise<void>;
}

export interface RealServerOptions {
  readonly store?: Store;
  /** Instead of a store: a second server of the same hub. */
  readonly hub?: Hub;
  readonly clock?: Clock;
  readonly port?: number;
  /** Of a server before it, which must still be good. */
  readonly agentToken?: string;
}

const quiet = { warn: () => undefined, error: () => undefined };

/** A server on a free port of this machine, over a store in memory unless another is given. */
export async function openServer(options: RealServerOptions = {}): Promise<RealServer> {
  const { store = memoryStore(), clock = systemClock } = options;
  const hub = options.hub ?? (await createHub({ store, clock, logger: quiet }));
  const auth = createAuth({ records: store.records, now: store.now });
  const server = createServer({ hub, auth, clock, logger: quiet, agentLinks: true });
  const nodeServer = createNodeServer();
  server.attach(nodeServer);
  const conformance = watchResponses(nodeServer);
  onTestFinished(() => conformance.check());
  const port = await listen(nodeServer, options.port);
  const url = `http://127.0.0.1:${port}`;
  const token: RealServer["token"] = async (role, name, reports) =>
    (await auth.createToken({ role, name, ...(reports !== undefined && { reports }) })).token;
  const clientOf = (own: string): Client => {
    const client = connect({ url, token: own, logger: quiet });
    onTestFinished(() => client.close());
    return client;
  };
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      nodeServer.close(() => resolve());
      nodeServer.closeAllConnections();
    });
  const close = async (): Promise<void> => {
    await server.close();
    await kill();
    if (options.hub === undefined) await hub.close();
  };
  const agentToken = options.agentToken ?? (await token("agent", "builder"));
  return {
    url,
    port,
    hub,
    agentToken,
    agent: () => clientOf(agentToken),
    person: async (id = "ana") => clientOf(await token("person", id)),
    token,
    kill,
    another: (at) => openServer({ store, hub, agentToken, clock, ...(at !== undefined && { port: at }) }),
    close,
  };
}
