import type { Server } from "node:http";
import { Hono } from "hono";
import { AsklineError, type Clock, type Logger, systemClock } from "../core/index.js";
import type { Hub } from "../hub/index.js";
import { attachTo } from "./attach.js";
import type { Auth } from "./auth/auth.js";
import type { ServerLimits, Services } from "./call.js";
import { createDispatch } from "./dispatch.js";
import { createStreams } from "./events/streams.js";
import { createGateway } from "./gateway/gateway.js";
import { createHosts, type HostOptions } from "./hosts.js";
import { redactingLogger } from "./redact.js";
import { wholeResponse } from "./respond.js";
import { ROUTES } from "./routes/all.js";
import { createSessionSockets } from "./sessions/session-sockets.js";
import { createSessionStreams } from "./sessions/session-streams.js";
import { createWaits } from "./waits.js";

export interface ServerOptions extends HostOptions {
  readonly hub: Hub;
  readonly auth: Auth;
  readonly clock?: Clock;
  /** Where faults are told; the console where none is given. Tokens and links are left out of what is told. */
  readonly logger?: Logger;
  readonly limits?: ServerLimits;
  /**
   * Whether agents may make signed links to their own asks, to send them to people; false by default. Whoever
   * makes a link can also open it, so an agent that may make one could answer itself in a person's name.
   */
  readonly agentLinks?: boolean;
}

export interface AsklineServer {
  /** Answers one request. Mountable wherever Fetch requests are answered. */
  fetch(request: Request): Promise<Response>;
  /** Serves the requests and upgrades of a node:http server, streams of events with the least memory. */
  attach(nodeServer: Server): void;
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
  const limits: Required<ServerLimits> = {
    body: 2 * 1024 * 1024,
    streamBuffer: 256 * 1024,
    slowReaderMs: 30_000,
    heartbeatMs: 15_000,
    ...options.limits,
  };
  const services: Services = {
    ...{ hub, auth, clock, logger, limits, agentLinks },
    hosts: createHosts(options),
    streams: createStreams(hub, auth, clock, logger, limits),
    sessionStreams: createSessionStreams({ hub, auth, clock, logger, limits }),
    waits: createWaits(hub, clock),
  };
  const gateway = createGateway(services);
  const sessionSockets = createSessionSockets(services);
  let closed = false;

  const dispatch = createDispatch(services);
  const app = new Hono();
  for (const route of ROUTES) {
    app.all(route.path, ({ req }) => dispatch(req.raw, route, (name) => req.param(name) ?? ""));
  }
  app.notFound(({ req }) => dispatch(req.raw));

  const handle = async (request: Request): Promise<Response> => {
    if (closed) return dispatch.refuse(new AsklineError("closed", "the server is closing; try again"));
    return app.fetch(request);
  };

  return {
    fetch: async (request) => wholeResponse(await handle(request)),
    attach(nodeServer) {
      attachTo(
        nodeServer,
        handle,
        dispatch.refuse,
        (...upgrade) => gateway.upgrade(...upgrade) ?? sessionSockets.upgrade(...upgrade),
      );
    },
    async close() {
      if (closed) return;
      closed = true;
      services.waits.close();
      sessionSockets.close();
      await Promise.all([services.streams.close(), services.sessionStreams.close(), gateway.close()]);
    },
  };
}
