import { AsklineError } from "../../core/index.js";

/** The bounds of a server. `docs/limits.md` states them for readers. */
export interface ServerLimits {
  /** Bytes of a request's body. */
  readonly body?: number;
  /** Bytes that wait for a reader before it counts as slow. */
  readonly streamBuffer?: number;
  /** How long a slow reader may take to catch up. */
  readonly slowReaderMs?: number;
  /** How often a stream of events shows that it is alive. */
  readonly heartbeatMs?: number;
  /** How long the headers of a request may take to come; for `listen`. */
  readonly headersMs?: number;
  /** How long its body may take then. */
  readonly bodyMs?: number;
  /** How long a connection may stay between two requests; for `listen`. */
  readonly idleMs?: number;
  /** How long requests under way may take when the server stops; for `listen`. */
  readonly stopMs?: number;
  /** Requests and messages a second for one token, and how many at once. */
  readonly tokenRate?: number;
  readonly tokenBurst?: number;
  /** The same for one address, whatever token it uses. Loopback has no such bound. */
  readonly addressRate?: number;
  readonly addressBurst?: number;
  /** As how many requests of its address a credential counts that is none. */
  readonly failedCredential?: number;
  /** Requests that are held, streams of events, and WebSockets: for one token. */
  readonly tokenWaits?: number;
  readonly tokenStreams?: number;
  readonly tokenSockets?: number;
  /** All of these together, for one address, whatever tokens it uses. Loopback has no such bound. */
  readonly addressOpen?: number;
  /** Connections of one address. Neither loopback nor a trusted proxy has such a bound. */
  readonly addressConnections?: number;
  /** What is held, streamed and upgraded for all tokens together. */
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
  // A whole fleet with one token that comes back after a restart fits, with all that it waits for and reads.
  tokenRate: 1_000,
  tokenBurst: 10_000,
  addressRate: 2_000,
  addressBurst: 20_000,
  failedCredential: 200,
  tokenWaits: 5_000,
  tokenStreams: 5_000,
  tokenSockets: 1_000,
  // A large office behind one address fits, and leaves as much for the others.
  addressOpen: 5_000,
  addressConnections: 10_000,
  waits: 10_000,
  streams: 10_000,
  sockets: 10_000,
  connections: 25_000,
};

/** The usual limits with those that were given; `Infinity` takes one away. */
export function serverLimits(given: ServerLimits = {}): Required<ServerLimits> {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || (typeof value === "number" && value > 0)) continue;
    throw new AsklineError("invalid_request", `the limit ${name} must be a number above 0`);
  }
  return { ...SERVER_LIMITS, ...given };
}
