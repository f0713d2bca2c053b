// The seam between a server and its metrics, implemented by `askline/metrics`.

/** The kinds of connections, counted separately. */
export const CONNECTION_KINDS = [
  "gateway_host",
  "gateway_device",
  "events",
  "session_events",
  "session_socket",
  "held_request",
] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** One answered request. The sender controls none of these values. */
export interface EndedRequest {
  /** The path of its route, `/v1/asks/{id}`; `none` without a route. */
  readonly route: string;
  /** An HTTP method, or `other`. */
  readonly method: string;
  readonly status: number;
  /** Time until the response was ready; for a stream, until it began. */
  readonly milliseconds: number;
}

/** Gauges of a server at the time of a scrape. */
export interface ServerLevels {
  readonly connections: Readonly<Record<ConnectionKind, number>>;
  /** The position of the slowest event reader; absent without readers. */
  readonly slowestPosition?: number | undefined;
}

/** Counts what a server does, in the Prometheus text format. */
export interface ServerMetrics {
  requestEnded(request: EndedRequest): void;
  /** A request was refused because its token or address exceeded its rate. */
  rateLimited(by: "token" | "address"): void;
  /** A connection, stream or held request was refused because of a limit. */
  connectionRefused(by: "token" | "address" | "server"): void;
  /** A gateway connection sent a message that is not of the gateway protocol. */
  gatewayIgnored(): void;
  /** The response of `GET /metrics`. */
  render(levels: ServerLevels): Promise<{ readonly contentType: string; readonly text: string }>;
}
