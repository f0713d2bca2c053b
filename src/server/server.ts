import type { Server } from "node:http";
import { AsklineError, type Clock, type Logger, systemClock, type Tracing } from "../core/index.js";
import type { Hub } from "../hub/index.js";
import type { Auth } from "./access/auth.js";
import { createHosts, type HostOptions } from "./access/hosts.js";
import { createRateLimits, type OpenConnections } from "./access/rate-limits.js";
import { redactingLogger } from "./access/redact.js";
import { createGateway } from "./gateway/gateway.js";
import { attachTo } from "./http/attach.js";
import { type ServerLimits, serverLimits } from "./http/limits.js";
import type { Reply } from "./http/reply.js";
import { fetchRequest, type ServerRequest } from "./http/request.js";
import { webSink } from "./http/sink.js";
import { createConnections } from "./instruments/connections.js";
import { createReadiness } from "./instruments/readiness.js";
import { createRequestObserver } from "./instruments/requests.js";
import type { ServerMetrics } from "./instruments/server-metrics.js";
import { createShowingLog } from "./live/shown-log.js";
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
  readonly hub: Hub;
  readonly auth: Auth;
  readonly clock?: Clock;
  /** Where faults are told; the console where none is given. Tokens and links are left out of what is told. */
  readonly logger?: Logger;
  readonly limits?: ServerLimits;
  /**
   * Proxies whose `x-forwarded-for` is believed: their addresses, or ranges such as `10.0.0.0/8`; none by default.
   * They must write that header themselves.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * Whether agents may make signed links to their own asks, to send them to people; false by default. Whoever
   * makes a link can also open it, so an agent that may make one could answer itself in a person's name.
   */
  readonly agentLinks?: boolean;
  /** The version of your program, which `GET /v1/server` tells those with a token. */
  readonly version?: string;
  /** Counts what the server does, for `GET /metrics`: those of `createMetrics` in `askline/metrics`. */
  readonly metrics?: ServerMetrics;
  /** A secret that opens `GET /metrics` and nothing else. An admin's token does so too. */
  readonly metricsToken?: string;
  /** Follows requests through programs: that of `loadTracing` in `askline/tracing`. Give it to the hub as well. */
  readonly tracing?: Tracing | undefined;
}

export interface AsklineServer {
  /** Answers one request. Mountable wherever Fetch requests are answered. */
  fetch(request: Request): Promise<Response>;
  /** Serves the requests and upgrades of a node:http server, streams of events with the least memory. */
  attach(nodeServer: Server): void;
  /** The limits that it keeps, the usual ones included. */
  readonly limits: Required<ServerLimits>;
  /** Whether it stops, or has stopped: nothing new should be sent here. */
  readonly draining: boolean;
  /** How many requests are under way, held ones included, and what else is open. */
  open(): OpenConnections & { readonly requests: number };
  /**
   * Ends streams and held requests; what still comes is refused with `closed`. The hub and the node server
   * stay open: they are their owner's to close.
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
  const { hub, auth, clock = systemClock, agentLinks = false } = options;
  const logger = redactingLogger(options.logger ?? console);
  const limits = serverLimits(options.limits);
  const { trustedProxies = [], metrics, metricsToken, tracing } = options;
  const rateLimits = createRateLimits({
    ...{ clock, limits, trustedProxies },
    onLimited: (by) => metrics?.rateLimited(by),
    onFull: (by) => metrics?.connectionRefused(by),
  });
  const connections = createConnections(clock, logger);
  const streams = createStreams(hub, auth, clock, logger, limits, rateLimits, connections);
  const services: Services = {
    ...{
      hub,
      auth,
      clock,
      logger,
      limits,
      agentLinks,
      rateLimits,
      connections,
      metrics,
      metricsToken,
      streams,
      tracing,
      version: options.version,
    },
    hosts: createHosts(options),
    sessionStreams: createSessionStreams({ hub, auth, clock, logger, limits, connections }),
    waits: createWaits(hub, auth, clock),
    showing: createShowingLog(hub, clock, logger),
    // While it is still answering, but about to stop, this is where to say so.
    readiness: createReadiness({ hub, clock, logger, isStopping: () => closed }),
    observeRequest: createRequestObserver(logger, metrics),
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
  const ended = (): void => {
    requests -= 1;
  };
  const handle = async (request: ServerRequest): Promise<Reply> => {
    if (closed) return dispatch.refuse(new AsklineError("closed", CLOSING));
    requests += 1;
    const reply = await dispatch(request);
    if ("held" in reply) void reply.held.then(ended);
    else ended();
    return reply;
  };

  return {
    fetch: async (request) => toResponse(await handle(fetchRequest(request)), request.method),
    attach(nodeServer) {
      attachTo(
        nodeServer,
        handle,
        dispatch.refuse,
        (...upgrade) => gateway.upgrade(...upgrade) ?? sessionSockets.upgrade(...upgrade),
        { clock, limits, connect: rateLimits.connect, isClosing: () => closed },
      );
    },
    limits,
    get draining() {
      return closed;
    },
    open: () => ({ ...rateLimits.open, requests }),
    async close() {
      if (closed) return;
      closed = true;
      services.waits.close();
      sessionSockets.close();
      await Promise.all([services.streams.close(), services.sessionStreams.close(), gateway.close()]);
      await services.showing.close();
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

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
