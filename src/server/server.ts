import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Clock } from "../core/kit/clock.js";
import type { Logger } from "../core/kit/logger.js";
import type { Tracing } from "../core/kit/tracing.js";
import { AsklineError } from "../core/model/error.js";
import { machineClock } from "../hub/seam/machine-clock.js";
import type { Hub } from "../hub/seam/port.js";
import type { Auth } from "./access/auth.js";
import { type Authenticate, createIdentifyCaller, NO_CREDENTIALS } from "./access/authenticate.js";
import { createHosts, type HostOptions } from "./access/hosts.js";
import { createOrigins } from "./access/origins.js";
import { OPEN_SESSIONS, type OpenSessions } from "./access/principal.js";
import { createRateLimits, type OpenConnections } from "./access/rate-limits.js";
import { redactingLogger } from "./access/redact.js";
import { createTickets } from "./access/tickets.js";
import { gatewayPaths } from "./gateway/admit.js";
import { createGateway } from "./gateway/gateway.js";
import { type AttachContext, attachTo, nodeHandler } from "./http/attach.js";
import { type ServerLimits, serverLimits } from "./http/limits.js";
import type { Reply } from "./http/reply.js";
import { fetchRequest, type ServerRequest } from "./http/request.js";
import { webSink } from "./http/sink.js";
import { createConnections } from "./instruments/connections.js";
import type { AskDeliveries } from "./instruments/deliveries.js";
import type { Notifications } from "./instruments/notifications.js";
import { createReadiness } from "./instruments/readiness.js";
import { createRequestObserver } from "./instruments/requests.js";
import type { ServerMetrics } from "./instruments/server-metrics.js";
import { createCredentialWatch } from "./live/credential-watch.js";
import { createShownLog } from "./live/shown-log.js";
import { createStreams } from "./live/streams.js";
import { CLOSING, createWaits } from "./live/waits.js";
import { errorReply } from "./pages/plain-pages.js";
import { ROUTES } from "./routes.js";
import type { Services } from "./routing/call.js";
import { createDispatch } from "./routing/dispatch.js";
import { identifyUpgrade } from "./routing/identify.js";
import { createSessionSockets } from "./sessions/session-sockets.js";
import { createSessionStreams } from "./sessions/session-streams.js";

export interface ServerOptions extends HostOptions {
  /** The hub that stores the asks. The server does not close it. */
  readonly hub: Hub;
  /** Tokens, codes, cookies and signed links. Needed unless there is `authenticate`. */
  readonly auth?: Auth;
  /**
   * Origins whose pages may use the API with a bearer token (CORS), such as `https://app.example.com`; `*` for all, but
   * not with `authenticate`. None by default. The cookie works for this server's own pages only, whatever is set here.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Identifies callers by your own accounts, in place of tokens and cookies. What they may see and do stays the same:
   * an agent its own asks, a person what is addressed to them.
   */
  readonly authenticate?: Authenticate;
  /** The time and timers; the system's by default. */
  readonly clock?: Clock;
  /** Where faults are logged; the console by default. Tokens and links are redacted. */
  readonly logger?: Logger;
  /** Sizes, rates and connections; see the limits of a server. */
  readonly limits?: ServerLimits;
  /**
   * Proxies whose `x-forwarded-for` is trusted: addresses, or ranges such as `10.0.0.0/8`; none by default. They
   * must set that header themselves.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * Whether agents may create signed links to their own asks, to send them to people; false by default. The creator
   * of a link can also open it, so such an agent could answer in a person's name.
   */
  readonly agentLinks?: boolean;
  /**
   * Who may open sessions. With `people`, a person's message to a session that does not exist opens it, for this person
   * and the agent that the message names; the agent finds it with `GET /v1/sessions/opened`. Agents only by default.
   */
  readonly openSessions?: OpenSessions;
  /** More paths of the gateway, for clients with a path of their own, such as `/api/v1/providers/ws`. */
  readonly gatewayPaths?: readonly string[];
  /** Answers `POST /mcp`, after the token was verified: `createMcpHttp(…).fetch` of `askline/adapters/mcp`. */
  readonly mcp?: (request: Request, token: string) => Promise<Response>;
  /** The version of your program, returned by `GET /v1/server` to callers with a token. */
  readonly version?: string;
  /** Metrics for `GET /metrics`, from `createMetrics` in `askline/metrics`. */
  readonly metrics?: ServerMetrics;
  /** A secret that gives access to `GET /metrics` only. An admin token works too. */
  readonly metricsToken?: string;
  /** Traces requests across programs, from `loadTracing` in `askline/tracing`. Pass it to the hub as well. */
  readonly tracing?: Tracing | undefined;
  /** How people are notified: `notificationSettings` of `askline/delivery`. */
  readonly notifications?: Notifications | undefined;
  /** What could not be delivered, for the audit of an ask: the result of `startDelivery`. */
  readonly deliveries?: AskDeliveries | undefined;
}

export interface AsklineServer {
  /** Answers one request. Works wherever Fetch handlers are mounted. */
  fetch(request: Request): Promise<Response>;
  /**
   * Serves the requests and upgrades of a node:http server, with the least memory per event stream. Its other
   * listeners, such as an Express app, get every path that this server does not serve.
   */
  attach(nodeServer: Server): void;
  /**
   * Answers one request of a node:http server, or calls `next` for a path that this server does not serve: middleware
   * for Express and Connect. Set `basePath` to the path of the mount. WebSockets need `attach`.
   */
  node(request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** The limits in force, defaults included. */
  readonly limits: Required<ServerLimits>;
  /** Whether it is shutting down or closed: send new requests elsewhere. */
  readonly draining: boolean;
  /** How many requests were received so far. */
  readonly handled: number;
  /** When a browser with the cookie or a signed link was here last, by the monotonic clock; undefined if never. */
  readonly browserSeenAt: number | undefined;
  /** How many requests are in progress, held ones included, and what else is open. */
  open(): OpenConnections & { readonly requests: number };
  /**
   * Ends streams and held requests, and refuses new requests with `closed`. The hub and the node server stay open:
   * their owner closes them.
   */
  close(): Promise<void>;
}

/**
 * HTTP for a hub: asking and answering, events, and pages for people.
 *
 * @example
 * const server = createServer({ hub, auth });
 * const response = await server.fetch(new Request("http://localhost/healthz"));
 * console.log(response.status);
 */
export function createServer(options: ServerOptions): AsklineServer {
  const { hub, authenticate, clock = machineClock(), agentLinks = false, openSessions = "agents" } = options;
  if (!OPEN_SESSIONS.includes(openSessions)) {
    throw new AsklineError("invalid_request", `openSessions must be one of ${OPEN_SESSIONS.join(", ")}`);
  }
  if (options.auth === undefined && authenticate === undefined) {
    throw new AsklineError("invalid_request", "pass `auth` or `authenticate` to createServer");
  }
  const { auth = NO_CREDENTIALS } = options;
  const logger = redactingLogger(options.logger ?? console);
  const limits = serverLimits(options.limits);
  const { trustedProxies = [], metrics, metricsToken, tracing } = options;
  const rateLimits = createRateLimits({
    ...{ clock, limits, trustedProxies },
    onLimited: (by) => metrics?.rateLimited(by),
    onFull: (by) => metrics?.connectionRefused(by),
  });
  const connections = createConnections(clock, logger);
  const credentials = createCredentialWatch(auth, clock, logger);
  const streams = createStreams(hub, credentials, clock, logger, limits, rateLimits, connections);
  const observe = createRequestObserver(logger, metrics);
  let browserSeenAt: number | undefined;
  const services: Services = {
    ...{
      hub,
      auth,
      identifyCaller: authenticate && createIdentifyCaller(authenticate, clock),
      credentials,
      clock,
      logger,
      limits,
      agentLinks,
      openSessions,
      rateLimits,
      connections,
      metrics,
      metricsToken,
      streams,
      tracing,
      version: options.version,
      mcp: options.mcp,
      deliveries: options.deliveries,
      notifications: options.notifications,
    },
    hosts: createHosts(options),
    origins: createOrigins(options.allowedOrigins),
    tickets: createTickets(hub, auth, clock),
    gatewayPaths: gatewayPaths(options.gatewayPaths ?? []),
    sessionStreams: createSessionStreams({ hub, credentials, clock, logger, limits, connections }),
    waits: createWaits(hub, auth, clock),
    shownLog: createShownLog(hub, clock, logger),
    readiness: createReadiness({ hub, clock, logger, isStopping: () => closed }),
    observeRequest(request) {
      const { kind } = request.principal?.credential ?? {};
      if (kind === "cookie" || kind === "link") browserSeenAt = clock.monotonic();
      observe?.(request);
    },
    slowestPosition: () => least(streams.slowestPosition(), gateway.slowestPosition()),
  };
  const gateway = createGateway(services);
  const sessionSockets = createSessionSockets({
    ...services,
    identify: (incoming, url) => identifyUpgrade(incoming, url, services),
  });
  let closed = false;

  const dispatch = createDispatch(services, ROUTES, errorReply);
  let requests = 0;
  let handled = 0;
  const ended = (): void => {
    requests -= 1;
  };
  const handle = async (request: ServerRequest): Promise<Reply> => {
    if (closed) return dispatch.refuse(new AsklineError("closed", CLOSING));
    requests += 1;
    handled += 1;
    const reply = await dispatch(request);
    if ("held" in reply) void reply.held.then(ended);
    else ended();
    return reply;
  };

  const context: AttachContext = {
    ...{ clock, limits, handle, refuse: dispatch.refuse, serves: dispatch.serves },
    upgrade: (...upgrade) => gateway.upgrade(...upgrade) ?? sessionSockets.upgrade(...upgrade),
    enter: services.hosts.enter,
    connect: rateLimits.connect,
    isClosing: () => closed,
  };

  return {
    fetch: async (request) => toResponse(await handle(fetchRequest(request)), request.method),
    attach: (nodeServer) => attachTo(nodeServer, context),
    node: nodeHandler(context),
    limits,
    get draining() {
      return closed;
    },
    get handled() {
      return handled;
    },
    get browserSeenAt() {
      return browserSeenAt;
    },
    open: () => ({ ...rateLimits.open, requests }),
    async close() {
      if (closed) return;
      closed = true;
      services.waits.close();
      sessionSockets.close();
      await Promise.all([services.streams.close(), services.sessionStreams.close(), gateway.close()]);
      await services.shownLog.close();
    },
  };
}

async function toResponse(given: Reply, method: string): Promise<Response> {
  const reply = "held" in given ? await given.held : given;
  if (!("start" in reply)) {
    return new Response(method === "HEAD" || reply.body === "" ? null : reply.body, reply);
  }
  const { sink, body } = webSink();
  reply.start(sink);
  return new Response(body, reply);
}

function least(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return Math.min(first, second);
}
