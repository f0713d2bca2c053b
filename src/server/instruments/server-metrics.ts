// What a server tells whoever counts, and what it asks of them: the seam that `askline/metrics` fills.

/** The kinds of what stays open: each is counted for itself. */
export const CONNECTION_KINDS = [
  "gateway_host",
  "gateway_device",
  "events",
  "session_events",
  "session_socket",
  "held_request",
] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** One request that was answered. Nothing in here is of the sender's own making. */
export interface EndedRequest {
  /** The pattern of its route, `/v1/asks/{id}`; `none` where there is no such route. */
  readonly route: string;
  /** One of the methods of HTTP, or `other`. */
  readonly method: string;
  readonly status: number;
  /** Until the response was made; of a stream, until it began. */
  readonly milliseconds: number;
}

/** How things stand at a server when somebody looks. */
export interface ServerLevels {
  readonly connections: Readonly<Record<ConnectionKind, number>>;
  /** How far the slowest reader of events has got; absent where nobody reads. */
  readonly slowestPosition?: number;
}

/** Counts what a server does, and tells it in the Prometheus text format. */
export interface ServerMetrics {
  requestEnded(request: EndedRequest): void;
  /** A request was refused because its token or its address had sent too many. */
  rateLimited(by: "token" | "address"): void;
  /** Something that would have stayed open was refused: its token, its address or the server has as many as it may. */
  connectionRefused(by: "token" | "address" | "server"): void;
  /** What `GET /metrics` gives. */
  render(levels: ServerLevels): Promise<{ readonly contentType: string; readonly text: string }>;
}
