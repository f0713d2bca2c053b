import { createServer as createNodeServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHub, type Hub, memoryStore, type Store } from "../../src/hub/index.js";
import type { Ask, ErrorCode, Issue, Outcome } from "../../src/index.js";
import type { NewToken } from "../../src/server/access/tokens.js";
import {
  type AsklineServer,
  type Auth,
  createAuth,
  createServer,
  type ServerOptions,
} from "../../src/server/index.js";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.js";
import { watchResponses } from "../support/conformance.ts";

export interface OpenServer {
  readonly hub: Hub;
  readonly store: Store;
  readonly auth: Auth;
  readonly clock: FakeClock;
  readonly server: AsklineServer;
  readonly nodeServer: Server;
  readonly url: string;
  readonly port: number;
  readonly logged: string[];
  token(token?: Partial<NewToken>): Promise<string>;
  close(): Promise<void>;
}

export interface OpenServerOptions extends Partial<ServerOptions> {
  readonly store?: Store;
  /** The time of the hub, and of the server where no other `clock` is given. */
  readonly time?: FakeClock;
}

const opened: OpenServer[] = [];

/** A server on a free port of this machine, over a hub in memory whose time stands still. */
export async function openServer(options: OpenServerOptions = {}): Promise<OpenServer> {
  const { store = memoryStore(), time: clock = fakeClock() } = options;
  const logged: string[] = [];
  const log = (...parts: readonly unknown[]): void => void logged.push(parts.map(String).join(" "));
  const logger = { warn: log, error: log };
  const hub = options.hub ?? (await createHub({ store, clock, logger }));
  const auth = createAuth({ records: store.records, now: () => store.now() });
  const server = createServer({ hub, auth, clock, logger, ...options });
  const nodeServer = createNodeServer();
  server.attach(nodeServer);
  const conformance = watchResponses(nodeServer, options.basePath?.replace(/\/$/, ""));
  await new Promise<void>((resolve) => {
    nodeServer.listen(0, "127.0.0.1", resolve);
  });
  const { port } = nodeServer.address() as AddressInfo;
  const open: OpenServer = {
    ...{ hub, store, auth, clock, server, nodeServer, port, logged },
    url: `http://127.0.0.1:${port}`,
    token: async (token = {}) => {
      const role = token.role ?? "agent";
      return (await auth.createToken({ role, name: role === "person" ? "ana" : role, ...token })).token;
    },
    async close() {
      await server.close();
      nodeServer.closeAllConnections();
      await new Promise((resolve) => {
        nodeServer.close(resolve);
      });
      await hub.close();
      conformance.check();
    },
  };
  opened.push(open);
  return open;
}

/** For `afterEach`: closes what the test opened. */
export async function closeServers(): Promise<void> {
  for (const open of opened.splice(0)) await open.close();
}

export interface Body {
  readonly ask?: Ask;
  readonly asks?: readonly Ask[];
  readonly next?: string;
  readonly awaited?: readonly string[];
  readonly draft?: unknown;
  readonly url?: string;
  readonly expiresAt?: number;
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly issues?: readonly Issue[];
    readonly outcome?: Outcome;
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** One request with a token; the body goes as JSON, or as it is where it is text or bytes. */
export async function call(
  { url }: Pick<OpenServer, "url">,
  token: string | undefined,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method = "GET", path = "/"] = line.split(" ", 2);
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && {
      body:
        typeof body === "string"
          ? body
          : body instanceof Uint8Array
            ? new Uint8Array(body)
            : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
}

/** What a refused request is told: its status and code. */
export function refusal({ status, body }: Reply): string {
  return `${status} ${body.error?.code ?? "no error"}`;
}

export const question = { question: "Ship it?", options: ["Yes", "No"] };
export const yes = { answers: [{ question: "q1", selected: ["o1"] }] };
export const no = { answers: [{ question: "q1", selected: ["o2"] }] };

export async function posted(open: OpenServer, token: string, more: object = {}): Promise<Ask> {
  const { body } = await call(open, token, "POST /v1/asks", { questions: [question], ...more });
  if (body.ask === undefined) throw new Error(JSON.stringify(body));
  return body.ask;
}

/** The first pending ask that somebody waits for, once there is one. */
export async function awaitedAsk({ hub }: OpenServer): Promise<Ask> {
  return until(async () => {
    const { asks } = await hub.list({ status: "pending" });
    return asks.find(({ id }) => hub.isAwaited(id));
  });
}

/** Looks again in each turn of the event loop until there is something. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
