// How much of the server a caller may use. An address is counted before anything is looked up, a failed credential is
// charged to its address, and a token is counted once it is verified.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../core/kit/clock.js";
import { AsklineError } from "../../core/model/error.js";
import type { ServerLimits } from "../http/limits.js";
import { createAddresses } from "./addresses.js";
import { createBuckets } from "./buckets.js";
import { type ConnectionLimit, createConnectionLimit, type LimitScope } from "./connection-limits.js";
import type { Principal } from "./principal.js";

export interface RateLimits {
  /** Counts a new connection until it closes. Throws `rate_limited` if its address has too many. */
  connect(connection: Socket): void;
  /** Counts a request or an upgrade and returns its address. Throws `rate_limited`. */
  enter(incoming: Pick<IncomingMessage, "socket" | "headers"> | undefined): string | undefined;
  /** Charges the address for an invalid credential. */
  failed(address: string | undefined): void;
  /** Counts a request or message of a verified caller. Throws `rate_limited`. */
  admit(principal: Principal): void;
  /** Counts the bytes of a body or a frame, before they are parsed. Throws `rate_limited`. */
  receive(principal: Principal, bytes: number): void;
  /**
   * Counts bytes that were read from the store for a caller. Returns the milliseconds until more may be read; until then
   * `admit` and `receive` throw.
   */
  read(principal: Principal, bytes: number): number;
  /** Takes a slot for a held request; the result frees it. Throws if there is none. */
  wait(principal: Principal, address: string | undefined): () => void;
  /** Takes a slot for an event stream. */
  stream(principal: Principal, address: string | undefined): () => void;
  /** Takes a slot for a WebSocket, freed when its connection closes. */
  socket(
    principal: Principal,
    incoming: Pick<IncomingMessage, "socket" | "headers">,
    connection: Duplex,
  ): void;
  readonly open: OpenConnections;
}

/** How much is open now. */
export interface OpenConnections {
  readonly waits: number;
  readonly streams: number;
  readonly sockets: number;
}

export interface RateLimitOptions {
  readonly clock: Clock;
  readonly limits: Required<ServerLimits>;
  readonly trustedProxies?: readonly string[];
  /** Called for each request above a rate limit. */
  readonly onLimited?: (by: "address" | "token") => void;
  /** Called for each connection, stream or held request above a limit. */
  readonly onFull?: (by: LimitScope) => void;
}

export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { clock, limits, trustedProxies, onLimited, onFull } = options;
  const tooMuch = (whose: "address" | "token", waitMs: number): AsklineError => {
    onLimited?.(whose);
    return rateLimited(whose, waitMs);
  };
  const addresses = createAddresses(trustedProxies);
  const byAddress = createBuckets(clock, { rate: limits.addressRate, burst: limits.addressBurst });
  const byToken = createBuckets(clock, { rate: limits.tokenRate, burst: limits.tokenBurst });
  const bytes = createBuckets(clock, { rate: limits.tokenBytes, burst: limits.tokenBytesBurst });
  const onRefused = (by: LimitScope): void => onFull?.(by);
  const ofToken = { whose: "token", onRefused } as const;
  const ofAddress = { whose: "address", onRefused } as const;
  const waits = createConnectionLimit({
    ...ofToken,
    what: "waiting requests",
    each: limits.tokenWaits,
    all: limits.waits,
  });
  const streams = createConnectionLimit({
    ...ofToken,
    what: "streams",
    each: limits.tokenStreams,
    all: limits.streams,
  });
  const sockets = createConnectionLimit({
    ...ofToken,
    what: "WebSockets",
    each: limits.tokenSockets,
    all: limits.sockets,
  });
  const what = "waiting requests, streams and WebSockets";
  const atAddress = createConnectionLimit({ ...ofAddress, what, each: limits.addressOpen });
  const connections = createConnectionLimit({
    ...ofAddress,
    what: "connections",
    each: limits.addressConnections,
  });

  const counted = new WeakSet<Socket>();

  /** Takes a slot of the token and a slot of the address. */
  const place = (
    places: ConnectionLimit,
    principal: Principal,
    address: string | undefined,
    most?: number,
  ): (() => void) => {
    if (address === undefined) return places.take(callerOf(principal), most);
    const leaveAddress = atAddress.take(address);
    try {
      const leave = places.take(callerOf(principal), most);
      return () => {
        leave();
        leaveAddress();
      };
    } catch (error) {
      leaveAddress();
      throw error;
    }
  };

  return {
    connect(connection) {
      const address = addresses.ofConnection(connection.remoteAddress);
      // A connection whose upgrade was ignored is emitted again.
      if (address === undefined || counted.has(connection)) return;
      counted.add(connection);
      whileOpen(connection, connections.take(address));
    },
    enter(incoming) {
      const address = incoming === undefined ? undefined : addresses.of(incoming);
      const wait = address === undefined ? 0 : byAddress.take(address);
      if (wait > 0) throw tooMuch("address", wait);
      return address;
    },
    failed(address) {
      if (address !== undefined) byAddress.charge(address, limits.failedCredential);
    },
    admit(principal) {
      const caller = callerOf(principal);
      const wait = bytes.wait(caller) || byToken.take(caller);
      if (wait > 0) throw tooMuch("token", wait);
    },
    receive(principal, count) {
      const caller = callerOf(principal);
      const wait = bytes.wait(caller);
      if (wait > 0) throw tooMuch("token", wait);
      bytes.charge(caller, count);
    },
    read(principal, count) {
      const caller = callerOf(principal);
      bytes.charge(caller, count);
      return bytes.wait(caller);
    },
    wait: (principal, address) => place(waits, principal, address),
    stream: (principal, address) =>
      place(streams, principal, address, principal.role === "person" ? limits.personStreams : undefined),
    socket: (principal, incoming, connection) =>
      whileOpen(connection, place(sockets, principal, addresses.of(incoming))),
    open: {
      get waits() {
        return waits.size;
      },
      get streams() {
        return streams.size;
      },
      get sockets() {
        return sockets.size;
      },
    },
  };
}

function whileOpen(connection: Duplex, leave: () => void): void {
  connection.once("close", leave);
  // Its close event is already past.
  if (connection.destroyed) leave();
}

function rateLimited(whose: "address" | "token", waitMs: number): AsklineError {
  const retryAfterMs = Math.ceil(waitMs);
  return new AsklineError(
    "rate_limited",
    `rate limit for this ${whose} exceeded; retry in ${Math.ceil(waitMs / 1_000)} s`,
    { retryAfterMs },
  );
}

/** Limits apply per credential, not per name. */
function callerOf({ credential, askId, role, name }: Principal): string {
  switch (credential.kind) {
    case "token":
      return credential.id;
    case "cookie":
      return credential.hash;
    case "host":
      return `${role} ${name}`;
    case "link":
      return `${askId} ${name}`;
  }
}
