// One connection that comes back by itself for as long as somebody needs it.
//
//   idle --wanted--> connecting --open--> open --closed, or silent for too long--> waiting
//   connecting --failed, or too slow--> waiting --a moment later--> connecting, if still wanted; else idle
//   any --close--> closed

import { type Clock, isRecord, type Logger } from "../../core/index.js";
import { createBackoff } from "../retries.js";

const CONNECT_WITHIN_MS = 15_000;
const PING_MS = 20_000;
const PING = JSON.stringify({ type: "ping" });

export interface LinkOptions {
  readonly open: () => GatewaySocket;
  /** Where it leads to, for messages. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Whether anybody waits for something from the other end. */
  readonly isWanted: () => boolean;
  readonly onOpen: () => void;
  readonly onMessage: (data: unknown) => void;
}

export interface Link {
  /** Sends now, if there is a connection, and says so; what matters is sent again by `onOpen` when there is one. */
  send(text: string): boolean;
  /** There is something to send: connects, unless it has or does already. */
  want(): void;
  /** Lets go of the connection and comes back with another, a moment later. */
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
    // A backend that answers pings has shown that its silence means something.
    let answersPings = false;
    let heard = true;
    const watch = (): void => {
      cancelTimer = clock.schedule(PING_MS, () => {
        if (answersPings && !heard) return void lost(own, "it does not answer any more");
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
    if (!options.isWanted()) return;
    // Once an outage: a single failure may be no more than a restart.
    if (failures === 2) logger.warn(`${name} cannot be reached (${why}); trying again until it works`);
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
    want() {
      if (!closed && socket === undefined && !isWaiting) connect();
    },
    restart: () => lost(socket, "it asked for another try"),
    close() {
      closed = true;
      cancelTimer();
      socket?.close(1000);
      socket = undefined;
      isOpen = false;
    },
  };
}

/** Browsers say nothing; the WebSocket of `ws` says what the server answered, such as 401. */
function reasonOf(event: unknown): string {
  const message = isRecord(event) ? event.message : undefined;
  return typeof message === "string" && message !== "" ? message : "the connection failed";
}

/** As much of a WebSocket as is used: a browser's, Node's own, or that of `ws`. */
export interface GatewaySocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "close", listener: () => void): void;
  addEventListener(type: "error", listener: (event?: unknown) => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

export type GatewaySocketConstructor = new (url: string, protocols?: string[]) => GatewaySocket;

/** The one that this runtime has, if it has one: Node 20 has none. */
export function ownWebSocket(): GatewaySocketConstructor | undefined {
  return (globalThis as { readonly WebSocket?: GatewaySocketConstructor }).WebSocket;
}

// Withdrawals that found no connection. Until the backend has them, people are shown a question that nobody asks
// any more; so they wait for the next connection, or until the question would have ended anyway.

export interface Withdrawals {
  readonly size: number;
  add(frame: string, forMs: number): void;
  /** All of them; none is kept any longer. */
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
