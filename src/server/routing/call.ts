import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Tracing } from "../../core/kit/tracing.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Auth } from "../access/auth.js";
import type { IdentifyCaller } from "../access/authenticate.js";
import type { Hosts } from "../access/hosts.js";
import type { Origins } from "../access/origins.js";
import type { OpenSessions, Principal } from "../access/principal.js";
import type { RateLimits } from "../access/rate-limits.js";
import type { Tickets } from "../access/tickets.js";
import type { ServerLimits } from "../http/limits.js";
import type { PlainReply, Reply } from "../http/reply.js";
import type { ServerRequest } from "../http/request.js";
import type { Connections } from "../instruments/connections.js";
import type { AskDeliveries } from "../instruments/deliveries.js";
import type { Notifications } from "../instruments/notifications.js";
import type { Readiness } from "../instruments/readiness.js";
import type { ObserveRequest } from "../instruments/requests.js";
import type { ServerMetrics } from "../instruments/server-metrics.js";
import type { CredentialWatch } from "../live/credential-watch.js";
import type { ShownLog } from "../live/shown-log.js";
import type { Streams } from "../live/streams.js";
import type { Waits } from "../live/waits.js";
import type { Operation } from "../openapi/operation.js";
import type { SessionStreams } from "../sessions/session-streams.js";

/** What handlers work with. */
export interface Services {
  readonly hub: Hub;
  readonly auth: Auth;
  /** The host's own check of credentials; undefined if ours applies. */
  readonly identifyCaller: IdentifyCaller | undefined;
  readonly credentials: CredentialWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Required<ServerLimits>;
  readonly rateLimits: RateLimits;
  readonly hosts: Hosts;
  readonly origins: Origins;
  readonly tickets: Tickets;
  /** The paths of the gateway. */
  readonly gatewayPaths: ReadonlySet<string>;
  readonly streams: Streams;
  readonly sessionStreams: SessionStreams;
  readonly waits: Waits;
  readonly shownLog: ShownLog;
  /** Who may open sessions: agents only, or people as well. */
  readonly openSessions: OpenSessions;
  /** Whether agents may make signed links to their asks. */
  readonly agentLinks: boolean;
  /** Answers MCP requests of the agent with this token; undefined if the server does not speak MCP. */
  readonly mcp: ((request: Request, token: string) => Promise<Response>) | undefined;
  /** The version of the program, if its owner gave one. */
  readonly version: string | undefined;
  readonly connections: Connections;
  readonly readiness: Readiness;
  /** Called for every answered request; undefined if neither a log nor metrics want them. */
  readonly observeRequest: ObserveRequest | undefined;
  readonly metrics: ServerMetrics | undefined;
  readonly metricsToken: string | undefined;
  /** How people are notified; undefined if they are not. */
  readonly notifications: Notifications | undefined;
  /** What could not be delivered, for the audit; undefined if nothing is delivered. */
  readonly deliveries: AskDeliveries | undefined;
  readonly tracing: Tracing | undefined;
  /** The position of the slowest event reader; undefined without readers. */
  readonly slowestPosition: () => number | undefined;
}

/** One request on its way through a route. */
export interface Call {
  readonly request: ServerRequest;
  /** Its path is below the base path and the inbox path. */
  readonly url: URL;
  /** The origin that the sender sees. */
  readonly origin: string;
  /** Precedes every path that is sent to the caller: the server's base path and the inbox path, if any. */
  readonly base: string;
  /** The address that limits count by; undefined if none applies. */
  readonly address: string | undefined;
  readonly requestId: string;
  /** A part of the path, by its name in the route. */
  param(name: string): string;
  /** The reply for an error that occurs after the handler has returned. */
  refuse(error: unknown): PlainReply;
  readonly services: Services;
  readonly findings: CallFindings;
}

/** What a handler learns about a call, for the log. */
export interface CallFindings {
  principal?: Principal;
}

export type Endpoint = (call: Call) => Promise<Reply>;

/** One method of a route: how it is described, and what handles it. */
export interface Method {
  readonly about: Operation;
  readonly handle: Endpoint;
}

export interface Route {
  /** `{name}` matches one path segment, as in OpenAPI. */
  readonly path: string;
  /** Errors are sent as pages to clients that accept HTML. */
  readonly page?: true;
  readonly methods: Readonly<Record<string, Method>>;
}
