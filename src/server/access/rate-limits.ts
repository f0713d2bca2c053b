// Who gets in, and how much of the server they may have. In this order: an address is counted before anything is
// looked up, a credential that is none is counted against its address, and a token is counted once it is known.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AsklineError, type Clock } from "../../core/index.js";
import type { ServerLimits } from "../http/limits.js";
import { createAddresses } from "./addresses.js";
import { createBuckets } from "./buckets.js";
import { type ConnectionLimit, createConnectionLimit, type LimitScope } from "./connection-limits.js";
import type { Principal } from "./principal.js";

export interface RateLimits {
  /** A connection stands. Throws `rate_limited` where its address has too many; otherwise it counts until it closes. */
  connect(connection: Socket): void;
  /** A request or an upgrade has come. Gives its address; throws `rate_limited`. */
  enter(incoming: Pick<IncomingMessage, "socket" | "headers"> | undefined): string | undefined;
  /** It came with a credential that is none. */
  failed(address: string | undefined): void;
  /** One request or message of somebody who is known. Throws `rate_limited`. */
  admit(principal: Principal): void;
  /** A place for a request that waits; the result gives it back. Throws where there is none. */
  wait(principal: Principal, address: string | undefined): () => void;
  /** A place for a stream of events. */
  stream(principal: Principal, address: string | undefined): () => void;
  /** A place for a WebSocket, given back when its connection closes. */
  socket(
    principal: Principal,
    incoming: Pick<IncomingMessage, "socket" | "headers">,
    connection: Duplex,
  ): void;
  readonly open: OpenConnections;
}

/** What is open now. */
export interface OpenConnections {
  readonly waits: number;
  readonly streams: number;
  readonly sockets: number;
}

export interface RateLimitOptions {
  readonly clock: Clock;
  readonly limits: Required<ServerLimits>;
  readonly trustedProxies?: readonly string[];
  /** Told of each that is refused for being one too many. */
  readonly onLimited?: (by: "address" | "token") => void;
  /** Told of each that would have stayed open, and was refused because as much is open as may be. */
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

  /** A place among those of its token, and one among those of its address. */
  const place = (
    places: ConnectionLimit,
    principal: Principal,
    address: string | undefined,
  ): (() => void) => {
    if (address === undefined) return places.take(callerOf(principal));
    const leaveAddress = atAddress.take(address);
    try {
      const leave = places.take(callerOf(principal));
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
      // One whose upgrade was not taken comes again.
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
      const wait = byToken.take(callerOf(principal));
      if (wait > 0) throw tooMuch("token", wait);
    },
    wait: (principal, address) => place(waits, principal, address),
    stream: (principal, address) => place(streams, principal, address),
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
  // Then nothing is closed any more.
  if (connection.destroyed) leave();
}

function rateLimited(whose: "address" | "token", waitMs: number): AsklineError {
  const retryAfterMs = Math.ceil(waitMs);
  const seconds = Math.ceil(waitMs / 1_000);
  return new AsklineError(
    "rate_limited",
    `too much comes from this ${whose}; wait ${seconds === 1 ? "a second" : `${seconds} seconds`}, then send it again`,
    { retryAfterMs },
  );
}

/** Whose share it is: that of one credential, not of all who have the same name. */
function callerOf({ credential, askId, name }: Principal): string {
  switch (credential.kind) {
    case "token":
      return credential.id;
    case "cookie":
      return credential.hash;
    case "link":
      return `${askId} ${name}`;
  }
}
