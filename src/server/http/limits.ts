import { AsklineError } from "../../core/model/error.js";

/** The bounds of a server. `docs/limits.md` states them for readers. */
export interface ServerLimits {
  /** Bytes of a request's body. */
  readonly body?: number;
  /** Unread bytes after which a reader counts as slow. */
  readonly streamBuffer?: number;
  /** How long a slow reader may take to catch up. */
  readonly slowReaderMs?: number;
  /** How often an event stream sends a heartbeat. */
  readonly heartbeatMs?: number;
  /** How long the headers of a request may take to arrive; for `listen`. */
  readonly headersMs?: number;
  /** How long its body may take after that. */
  readonly bodyMs?: number;
  /** How long a connection may be idle between two requests; for `listen`. */
  readonly idleMs?: number;
  /** How long requests in progress may take on shutdown; for `listen`. */
  readonly stopMs?: number;
  /** Requests and messages a second for one token, and how many at once. */
  readonly tokenRate?: number;
  readonly tokenBurst?: number;
  /** Bytes per second that one token may send and have read from the store, and how many at once. */
  readonly tokenBytes?: number;
  readonly tokenBytesBurst?: number;
  /** The same for one address, with any token. Does not apply to loopback. */
  readonly addressRate?: number;
  readonly addressBurst?: number;
  /** How many requests a failed credential is charged as. */
  readonly failedCredential?: number;
  /** Held requests, event streams and WebSockets of one token. */
  readonly tokenWaits?: number;
  readonly tokenStreams?: number;
  /** Event streams of a person's token. */
  readonly personStreams?: number;
  readonly tokenSockets?: number;
  /** All of these together for one address, with any tokens. Does not apply to loopback. */
  readonly addressOpen?: number;
  /** Connections of one address. Does not apply to loopback or a trusted proxy. */
  readonly addressConnections?: number;
  /** Held requests, event streams and WebSockets of all tokens together. */
  readonly waits?: number;
  readonly streams?: number;
  readonly sockets?: number;
  /** Connections of any kind; for `listen`. */
  readonly connections?: number;
}

export const SERVER_LIMITS: Required<ServerLimits> = {
  body: 2 * 1024 * 1024,
  streamBuffer: 256 * 1024,
  slowReaderMs: 30_000,
  heartbeatMs: 15_000,
  headersMs: 10_000,
  bodyMs: 30_000,
  idleMs: 5_000,
  stopMs: 5_000,
  // Enough for a fleet that shares one token and reconnects after a restart.
  tokenRate: 1_000,
  tokenBurst: 10_000,
  // A fleet's asks after a restart fit at once, or two of the largest pages.
  tokenBytes: 8 * 1024 * 1024,
  tokenBytesBurst: 16 * 1024 * 1024,
  addressRate: 2_000,
  addressBurst: 20_000,
  failedCredential: 200,
  tokenWaits: 5_000,
  tokenStreams: 1_000,
  // Every device and page of one person, with room for a forgotten one.
  personStreams: 200,
  tokenSockets: 1_000,
  // Enough for a large office behind one address, and half of the server's total.
  addressOpen: 5_000,
  addressConnections: 10_000,
  waits: 10_000,
  streams: 10_000,
  sockets: 10_000,
  connections: 25_000,
};

/** The defaults with the given limits; `Infinity` disables a limit. */
export function serverLimits(given: ServerLimits = {}): Required<ServerLimits> {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || (typeof value === "number" && value > 0)) continue;
    throw new AsklineError("invalid_request", `the limit ${name} must be a number above 0`);
  }
  return { ...SERVER_LIMITS, ...given };
}
