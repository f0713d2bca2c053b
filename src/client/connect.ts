import { type Clock, systemClock } from "../core/kit/clock.js";
import type { Logger } from "../core/kit/logger.js";
import type { Tracing } from "../core/kit/tracing.js";
import { AsklineError } from "../core/model/error.js";
import type { SessionWriter } from "../core/model/session-writer.js";
import { type Asking, createAsking } from "./asking.js";
import { createHttp, type Fetch } from "./http.js";
import { type ClientInbox, createInbox } from "./inbox.js";
import {
  type FollowSessionOptions,
  followRemoteSession,
  openRemoteSession,
  type RemoteHistory,
  type RemoteSessionEvent,
  type RemoteSessionOptions,
  readRemoteHistory,
  sendRemoteMessage,
} from "./remote-session.js";
import { headerValue } from "./responses.js";
import { createEndpoints } from "./retries.js";
import { createLife } from "./signals.js";
import { bodyWith } from "./wire.js";

export interface ConnectOptions {
  /**
   * Where the server is, such as `https://askline.example.com`; a path before `/v1` is fine. Without it, Node finds the
   * server as the command line does: `ASKLINE_URL`, or the server of this machine.
   */
  readonly url?: string | URL | undefined;
  /** Several servers on one store, instead of `url`: if one fails, the client uses the next. */
  readonly urls?: readonly (string | URL)[] | undefined;
  /**
   * The credential. Not needed in a browser that has the inbox cookie. Without a URL and a token, Node takes
   * `ASKLINE_TOKEN`, or the token that `askline serve` wrote for this machine.
   */
  readonly token?: string | undefined;
  /** Which token of this machine is taken, if neither a URL nor a token is given; the agent's by default. */
  readonly as?: "agent" | "person" | undefined;
  /** The default surface of answers; the server uses `api` if absent. */
  readonly surface?: string | undefined;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** The time and timers; the system's by default. */
  readonly clock?: Clock | undefined;
  /** A number from 0 to 1 that makes delays differ; `Math.random` by default. */
  readonly random?: () => number;
  /** Gets one warning per outage; the console by default. */
  readonly logger?: Logger | undefined;
  /** How long the server may hold one request, in seconds from 1 to 60; 25 by default. */
  readonly holdSeconds?: number | undefined;
  /**
   * How long a call is retried after its first failure, in milliseconds; 30,000 by default. Does not apply to `ask`,
   * `wait`, `events` and `watch`: they wait for a person, and outlast an outage.
   */
  readonly retryForMs?: number | undefined;
  /** Traces asks across processes: the result of `loadTracing` in `askline/tracing`. */
  readonly tracing?: Tracing | undefined;
}

export interface Ticket {
  readonly ticket: string;
  readonly expiresAt: number;
}

/** A hub over the wire. */
export interface Client extends Asking, ClientInbox {
  /** Opens a session for writing, or continues one that this agent opened before. */
  openSession(options: RemoteSessionOptions): Promise<SessionWriter>;
  /**
   * The events of a session, from its beginning or after an id, then live: none is missed, through every outage. Ends
   * when the signal aborts.
   */
  followSession(sessionId: string, options?: FollowSessionOptions): AsyncIterable<RemoteSessionEvent>;
  /** The newest page of a session's history, or with `before` the page before one that was read. */
  sessionHistory(
    sessionId: string,
    page?: { readonly before?: string; readonly limit?: number },
  ): Promise<RemoteHistory>;
  /** Sends a person's text to a session: the reply to a pending question, if there is one. */
  sendMessage(sessionId: string, text: string): Promise<void>;
  /**
   * A ticket for `EventSource` or `WebSocket` in a page, which can send no token: open `path` with `?ticket=…` within a
   * minute, once. The client itself needs none: it reads streams with `fetch`.
   */
  ticket(path: string): Promise<Ticket>;
  /** Stops everything. Waiting calls are rejected with `closed`; their asks stay pending. */
  close(): Promise<void>;
}

/**
 * A Resolver and an Inbox over HTTP. Connects when it is first used.
 *
 * @example
 * const client = connect(); // in Node, the server of this machine; elsewhere: connect({ url, token })
 * const outcome = await client.ask({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
 * await client.close();
 */
export function connect(options: ConnectOptions = {}): Client {
  const { clock = systemClock, random = Math.random, logger = console } = options;
  const { holdSeconds = 25, retryForMs = 30_000, token, surface, tracing } = options;
  if (!Number.isInteger(holdSeconds) || holdSeconds < 1 || holdSeconds > 60) {
    throw new AsklineError("invalid_request", "holdSeconds must be a whole number from 1 to 60");
  }
  if (!(retryForMs >= 0)) throw new AsklineError("invalid_request", "retryForMs must be 0 or more");
  const life = createLife();
  const http = createHttp({
    endpoints: createEndpoints(options.urls ?? (options.url === undefined ? [] : [options.url])),
    // Looked up on each call, because a page or a test may replace it.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: {
      accept: "application/json",
      authorization: token === undefined ? undefined : `Bearer ${headerValue("a token", token)}`,
      "askline-surface": surface === undefined ? undefined : headerValue("a surface", surface),
    },
    traceparent: () => tracing?.current(),
    life,
    patienceMs: retryForMs,
    clock,
    random,
    logger,
  });
  const asking = createAsking({ http, clock, random, logger, holdSeconds });
  return {
    ...asking,
    ask: (...call) =>
      tracing?.span("askline.ask", { kind: "client" }, () => asking.ask(...call)) ?? asking.ask(...call),
    ...createInbox(http, clock),
    followSession: (...session) => followRemoteSession(http, clock, ...session),
    sessionHistory: (...page) => readRemoteHistory(http, ...page),
    sendMessage: (...message) => sendRemoteMessage(http, ...message),
    ticket: (path) =>
      http.request(
        { method: "POST", path: "/v1/tickets", body: JSON.stringify({ path }) },
        bodyWith<Ticket>({ ticket: "string", expiresAt: "number" }),
      ),
    openSession: (session) => openRemoteSession(http, asking, session),
    async close() {
      life.end(
        new AsklineError(
          "closed",
          "the client was closed; the ask stays pending, and asking again with the same key resumes it",
        ),
      );
    },
  };
}
