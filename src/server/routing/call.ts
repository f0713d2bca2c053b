import type { Clock, Logger, Tracing } from "../../core/index.js";
import type { Hub } from "../../hub/index.js";
import type { Auth } from "../access/auth.js";
import type { Hosts } from "../access/hosts.js";
import type { Principal } from "../access/principal.js";
import type { RateLimits } from "../access/rate-limits.js";
import type { ServerLimits } from "../http/limits.js";
import type { PlainReply, Reply } from "../http/reply.js";
import type { ServerRequest } from "../http/request.js";
import type { Connections } from "../instruments/connections.js";
import type { Readiness } from "../instruments/readiness.js";
import type { ObserveRequest } from "../instruments/requests.js";
import type { ServerMetrics } from "../instruments/server-metrics.js";
import type { ShowingLog } from "../live/shown-log.js";
import type { Streams } from "../live/streams.js";
import type { Waits } from "../live/waits.js";
import type { Operation } from "../openapi/operation.js";
import type { SessionStreams } from "../sessions/session-streams.js";

/** What the routes work with. */
export interface Services {
  readonly hub: Hub;
  readonly auth: Auth;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Required<ServerLimits>;
  readonly rateLimits: RateLimits;
  readonly hosts: Hosts;
  readonly streams: Streams;
  readonly sessionStreams: SessionStreams;
  readonly waits: Waits;
  readonly showing: ShowingLog;
  /** Whether agents may make signed links to their asks. */
  readonly agentLinks: boolean;
  /** The version of the program, where its owner has told it. */
  readonly version: string | undefined;
  readonly connections: Connections;
  readonly readiness: Readiness;
  /** Told of every request that was answered; undefined where nobody wants to know. */
  readonly observeRequest: ObserveRequest | undefined;
  readonly metrics: ServerMetrics | undefined;
  readonly metricsToken: string | undefined;
  readonly tracing: Tracing | undefined;
  /** How far the slowest reader of events has got; undefined where nobody reads. */
  readonly slowestPosition: () => number | undefined;
}

/** One request on its way through a route. */
export interface Call {
  readonly request: ServerRequest;
  readonly url: URL;
  /** The origin that the sender sees. */
  readonly origin: string;
  /** What it is counted by, beside its token; undefined where it is not. */
  readonly address: string | undefined;
  readonly requestId: string;
  /** A part of the path, by its name in the route. */
  param(name: string): string;
  /** The reply for an error that comes after the route has returned. */
  refuse(error: unknown): PlainReply;
  readonly services: Services;
  readonly findings: CallFindings;
}

/** What becomes known while a call is handled: for the log, and for the page that shows an error. */
export interface CallFindings {
  principal?: Principal;
  form?: URLSearchParams;
}

export type Endpoint = (call: Call) => Promise<Reply>;

/** What a route does for one method, and what it says of that. */
export interface Method {
  readonly about: Operation;
  readonly handle: Endpoint;
}

export interface Route {
  /** `{name}` stands for one part, as in OpenAPI. */
  readonly path: string;
  /** Pages tell their errors as pages to those who want one. */
  readonly page?: true;
  readonly methods: Readonly<Record<string, Method>>;
}
