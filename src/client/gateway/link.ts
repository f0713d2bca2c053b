// One connection that reconnects for as long as it is wanted.
//
//   idle       --wanted--------------> connecting
//   connecting --open----------------> open
//              --failed or too slow--> waiting
//   open       --closed or silent----> waiting
//   waiting    --after a delay-------> connecting if still wanted, else idle
//   any        --close---------------> closed

import type { Clock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import { createBackoff } from "../retries.js";

const CONNECT_WITHIN_MS = 15_000;
const PING_MS = 20_000;
const PING = JSON.stringify({ type: "ping" });

export interface LinkOptions {
  readonly open: () => GatewaySocket;
  /** The name of the backend, for log messages. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Whether a connection is needed. */
  readonly isWanted: () => boolean;
  readonly onOpen: () => void;
  readonly onMessage: (data: unknown) => void;
}

export interface Link {
  /** Sends if connected, and returns whether it did; `onOpen` sends the rest again after a reconnect. */
  send(text: string): boolean;
  /** Why there is no connection now; undefined if there is one. */
  readonly failure: string | undefined;
  /** Connects, unless it is connected or connecting. */
  want(): void;
  /** Drops the connection and reconnects after a delay. */
  restart(): void;
  close(): void;
}

export function createLink(options: LinkOptions): Link {
  const { clock, logger, name } = options;
  const backoff = createBackoff(options.random);
  let socket: GatewaySocket | undefined;
  let isOpen = false;
  let closed = false;
  let failures = 0;
  let failure = "it has not answered yet";
  let cancelTimer = (): void => undefined;
  let isWaiting = false;

  const connect = (): void => {
    isWaiting = false;
    let own: GatewaySocket;
    try {
      own = options.open();
    } catch (error) {
      lost(undefined, String(error));
      return;
    }
    socket = own;
    // Silence counts as a failure only if the backend has answered a ping before.
    let answersPings = false;
    let heard = true;
    const watch = (): void => {
      cancelTimer = clock.schedule(PING_MS, () => {
        if (answersPings && !heard) return void lost(own, "it stopped answering");
        heard = false;
        if (options.isWanted()) own.send(PING);
        else heard = true;
        watch();
      });
    };
    cancelTimer = clock.schedule(CONNECT_WITHIN_MS, () => lost(own, "it does not answer"));
    own.addEventListener("open", () => {
      if (socket !== own) return;
      cancelTimer();
      isOpen = true;
      failures = 0;
      watch();
      options.onOpen();
    });
    own.addEventListener("message", ({ data }) => {
      if (socket !== own) return;
      heard = true;
      backoff.reset();
      if (typeof data === "string" && data.length < 64 && data.includes(`"pong"`)) answersPings = true;
      options.onMessage(data);
    });
    own.addEventListener("error", (event) => lost(own, reasonOf(event)));
    own.addEventListener("close", () => lost(own, "the connection was closed"));
  };

  const lost = (own: GatewaySocket | undefined, why: string): void => {
    if (closed || socket !== own) return;
    cancelTimer();
    socket = undefined;
    isOpen = false;
    own?.close();
    failures += 1;
    failure = why;
    if (!options.isWanted()) return;
    // Once per outage: a single failure may only be a restart.
    if (failures === 2) logger.warn(`cannot reach ${name} (${why}); retrying until it works`);
    isWaiting = true;
    cancelTimer = clock.schedule(backoff.next(), () => {
      isWaiting = false;
      if (options.isWanted()) connect();
    });
  };

  return {
    send(text) {
      if (isOpen) socket?.send(text);
      return isOpen;
    },
    get failure() {
      return isOpen ? undefined : failure;
    },
    want() {
      if (!closed && socket === undefined && !isWaiting) connect();
    },
    restart: () => lost(socket, "it asked for a retry"),
    close() {
      closed = true;
      cancelTimer();
      socket?.close(1000);
      socket = undefined;
      isOpen = false;
    },
  };
}

/** Browsers give no reason; the WebSocket of `ws` has the server's status, such as 401. */
function reasonOf(event: unknown): string {
  const message = isRecord(event) ? event.message : undefined;
  return typeof message === "string" && message !== "" ? message : "the connection failed";
}

/** The part of a WebSocket that is used: a browser's, Node's or that of `ws`. */
export interface GatewaySocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "close", listener: () => void): void;
  addEventListener(type: "error", listener: (event?: unknown) => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

export type GatewaySocketConstructor = new (url: string, protocols?: string[]) => GatewaySocket;

/** Undefined in Node 20. */
export function globalWebSocket(): GatewaySocketConstructor | undefined {
  return (globalThis as { readonly WebSocket?: GatewaySocketConstructor }).WebSocket;
}

// Withdrawals that could not be sent. Until the backend gets them, people still see the question; so they wait for the
// next connection, or until the question would have expired.

export interface Withdrawals {
  readonly size: number;
  add(frame: string, forMs: number): void;
  /** Returns all frames and forgets them. */
  takeAll(): readonly string[];
}

export function createWithdrawals(clock: Clock): Withdrawals {
  const waiting = new Map<string, () => void>();
  return {
    get size() {
      return waiting.size;
    },
    add(frame, forMs) {
      waiting.set(
        frame,
        clock.schedule(forMs, () => waiting.delete(frame)),
      );
    },
    takeAll() {
      const frames = [...waiting.keys()];
      for (const cancel of waiting.values()) cancel();
      waiting.clear();
      return frames;
    },
  };
}
