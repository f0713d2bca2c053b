// One WebSocket of a host or a device: reads frames, counts bad ones, and detects a dead peer.
//
//   open --too many bad frames, or credential revoked--> closing (1008)
//        --peer reads too slowly-----------------------> terminated
//        --no pong before the next heartbeat-----------> terminated
//        --server closes-------------------------------> closing (1001)

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { GatewayAskDefaults } from "../../agents/shapes/gateway/asks.js";
import type { DecodedMessage, GatewayMessage, RefusedAsk } from "../../agents/shapes/gateway/decode.js";
import { gateway } from "../../agents/shapes/gateway.js";
import { formatIssues } from "../../core/kit/issue.js";
import { defined } from "../../core/kit/tools.js";
import type { Tracing } from "../../core/kit/tracing.js";
import { AsklineError } from "../../core/model/error.js";
import type { Principal } from "../access/principal.js";
import type { Services } from "../routing/call.js";
import { type AskName, askedIn, errorEnvelope, nameOf } from "./problems.js";
import { createSender } from "./sender.js";

export const CLOSE_CODES = { goingAway: 1001, policy: 1008, tryLater: 1013 } as const;

/** The connection is closed when bad frames exceed good ones by more than this. */
const MOST_BAD_FRAMES = 20;
/** Concurrent messages per connection; the socket is paused beyond that. */
const MOST_IN_HAND = 64;
/** Bytes of a frame that is decoded although it is beyond the rate of its token. */
const LARGEST_NAMED = 16 * 1024;
/** How long the peer may take to close. */
const CLOSE_WITHIN_MS = 1_000;
/** Characters of an unknown message's name that are logged. */

/** How a connection handles messages: as a host or as a device. */
export interface Role {
  readonly name: "host" | "device";
  /** Defaults for the asks in its messages. */
  readonly defaults?: GatewayAskDefaults;
  /**
   * Errors that it throws or rejects with are sent to the peer. Resolves with an error that it has already sent.
   * Returns undefined for a message that needs no work.
   */
  take(message: GatewayMessage): Promise<unknown> | undefined;
  /** An ask of this connection was refused, after it got the error. */
  refused?(asked: RefusedAsk, error: AsklineError): void;
  /** The connection was closed. */
  end(): void;
}

export interface Connection {
  readonly principal: Principal;
  readonly isOpen: boolean;
  send(envelope: object): void;
  sendText(text: string): void;
  /** Whether the peer keeps up, so that more may be sent now. */
  readonly isReady: boolean;
  /** Resolves when more may be sent, or the connection was closed. */
  ready(): Promise<void>;
  /**
   * Resolves with true once the peer has everything that was sent to it, and every frame that it had sent before was
   * handled; with false if the connection closed first.
   */
  caughtUp(): Promise<boolean>;
  /** Counts a request for something unknown as a bad frame: many of them mean guessing. */
  countBad(): void;
  close(code: number, reason: string): void;
  /** Pings the peer; terminates the connection if nothing came since the last ping. */
  beat(): void;
  /** Closes the connection because the server closes. */
  end(): void;
  /** Closes the connection because its credential is no longer valid. */
  endUnauthorized(): void;
  /** Resolves when it is over. */
  readonly over: Promise<void>;
}

export function openConnection(
  socket: WebSocket,
  stream: Duplex,
  principal: Principal,
  services: Services,
  makeRole: (connection: Connection) => Role,
): Connection {
  const { auth, clock, rateLimits, limits, logger, metrics, tracing } = services;
  let alive = true;
  let bad = 0;
  let inHand = 0;
  const idleWaiters: (() => void)[] = [];
  /** Round trips that have not come back, by the text of their ping. */
  const trips = new Map<string, (isReceived: boolean) => void>();
  let trip: Promise<boolean> | undefined;
  let tripCount = 0;
  let hasIgnored = false;
  let cancelClose: (() => void) | undefined;

  const isOpen = (): boolean => socket.readyState === socket.OPEN;

  const sender = createSender(socket, stream, { clock, limits });
  const send = (envelope: object): void => sender.send(JSON.stringify(envelope));

  const close = (code: number, reason: string): void => {
    if (socket.readyState === socket.CLOSED) return;
    sender.flush();
    socket.close(code, reason);
    cancelClose ??= clock.schedule(CLOSE_WITHIN_MS, () => socket.terminate());
  };

  const endUnauthorized = (): void => {
    sendError(
      new AsklineError("unauthorized", "this token has expired or was revoked; connect with a new one"),
    );
    close(CLOSE_CODES.policy, "the credential is no longer valid");
  };

  const countBad = (): void => {
    bad += 1;
    if (bad > MOST_BAD_FRAMES) close(CLOSE_CODES.policy, "too many invalid frames");
  };

  const sendError = (error: unknown, name: AskName = {}): void => {
    const { envelope, isFault } = errorEnvelope(error, name);
    if (isFault) logger.error("a gateway message failed", error);
    send(envelope);
  };

  const refuse = (error: AsklineError, name?: AskName): void => {
    sendError(error, name);
    countBad();
  };

  const refuseDecoded = (refused: Refused): void => {
    const { code, issues } = refused;
    const name = nameOfRefused(refused);
    const error = new AsklineError(code, `invalid message:\n${formatIssues(issues)}`, {
      issues,
    });
    // An invalid ask is a model's mistake, not abuse, so it does not count as a bad frame.
    if (code === "invalid_ask") sendError(error, name);
    else refuse(error, name);
    if (refused.asked !== undefined) role.refused?.(refused.asked, error);
  };

  const refuseTooLarge = (text: string): void => {
    const error = new AsklineError("too_large", `a frame may have at most ${limits.body} bytes`);
    const decoded = gateway.decode(text);
    refuse(error, decoded.ok ? nameOf(decoded.message) : nameOfRefused(decoded));
    const asked = decoded.ok ? askedIn(decoded.message) : decoded.asked;
    if (asked !== undefined) role.refused?.({ ...asked, reason: error.message }, error);
  };

  /** A plugin carries its chat on the same socket. It counts for the rate limit, and not as bad frames. */
  const ignore = (): void => {
    metrics?.gatewayIgnored();
    if (hasIgnored) return;
    hasIgnored = true;
    // Without the type of the message: the host chose it, and the log holds nothing that a caller wrote.
    logger.event?.("debug", "gateway message ignored", { role: role.name, name: principal.name });
  };

  /** The message in a frame; undefined if it was refused or already handled. */
  const read = (data: Buffer, isBinary: boolean): GatewayMessage | undefined => {
    if (isBinary) {
      refuse(
        new AsklineError(
          "unsupported_media_type",
          "binary frames are not supported; send JSON in text frames",
        ),
      );
      return undefined;
    }
    if (data.length > limits.body) {
      refuseTooLarge(data.toString());
      return undefined;
    }
    const excess = caught(() => {
      rateLimits.admit(principal);
      rateLimits.receive(principal, data.length);
    });
    // It is decoded only to name the ask in the error, which a large frame is not worth.
    if (excess !== undefined && data.length > LARGEST_NAMED) {
      sendError(excess);
      return undefined;
    }
    const decoded = gateway.decode(data.toString(), role.defaults);
    const unknown = decoded.ok && decoded.message.kind === "unknown" ? decoded.message.name : undefined;
    if (unknown !== undefined) ignore();
    if (excess !== undefined) {
      if (unknown === undefined)
        sendError(excess, decoded.ok ? nameOf(decoded.message) : nameOfRefused(decoded));
      return undefined;
    }
    if (unknown !== undefined) return undefined;
    if (!decoded.ok) {
      refuseDecoded(decoded);
      return undefined;
    }
    const { message } = decoded;
    bad = Math.max(0, bad - 1);
    if (message.kind === "ping") send({ type: "pong" });
    return message.kind === "ping" || message.kind === "pong" ? undefined : message;
  };

  const take = async (data: Buffer, isBinary: boolean): Promise<void> => {
    let message: GatewayMessage | undefined;
    inHand += 1;
    if (inHand >= MOST_IN_HAND) socket.pause();
    try {
      message = read(data, isBinary);
      if (message === undefined) return;
      const valid = auth.isValid(principal.credential);
      // Usually cached: then the message does not wait for a turn of the event loop.
      if (valid !== true && !(await valid)) return endUnauthorized();
      // No cost without tracing.
      if (tracing === undefined || message.kind === "notice") await role.take(message);
      else await traceMessage(tracing, role, message);
    } catch (error) {
      sendError(error, message && nameOf(message));
      const asked = message && askedIn(message);
      if (asked !== undefined && error instanceof AsklineError) role.refused?.(asked, error);
    } finally {
      inHand -= 1;
      if (inHand === 0) for (const resolve of idleWaiters.splice(0)) resolve();
      if (socket.isPaused && inHand < MOST_IN_HAND) socket.resume();
    }
  };

  // Callers of one turn share a ping. Its pong comes after all frames that were sent before it.
  const caughtUp = (): Promise<boolean> => {
    trip ??= new Promise((resolve) => {
      process.nextTick(() => {
        trip = undefined;
        if (!isOpen()) return resolve(false);
        sender.flush();
        tripCount += 1;
        const text = `trip ${tripCount}`;
        trips.set(text, resolve);
        socket.ping(text);
      });
    });
    return trip;
  };
  const onPong = (text: string): void => {
    const resolve = trips.get(text);
    if (resolve === undefined || !trips.delete(text)) return;
    if (inHand === 0) resolve(true);
    else idleWaiters.push(() => resolve(true));
  };

  const over = new Promise<void>((resolve) => {
    socket.once("close", () => {
      for (const end of trips.values()) end(false);
      trips.clear();
      sender.end();
      cancelClose?.();
      role.end();
      resolve();
    });
  });

  const connection: Connection = {
    principal,
    get isOpen() {
      return isOpen();
    },
    send,
    sendText: sender.send,
    get isReady() {
      return sender.isReady;
    },
    ready: () =>
      new Promise((resolve) => {
        if (!isOpen() || !stream.writableNeedDrain) return resolve();
        const done = (): void => {
          stream.off("drain", done).off("close", done);
          resolve();
        };
        stream.on("drain", done).on("close", done);
      }),
    caughtUp,
    countBad,
    close,
    beat() {
      if (!alive) return socket.terminate();
      alive = false;
      socket.ping();
    },
    end: () => close(CLOSE_CODES.goingAway, "the server is closing"),
    endUnauthorized() {
      if (isOpen()) endUnauthorized();
    },
    over,
  };
  const role = makeRole(connection);

  // Nothing to do: `close` always follows.
  socket.on("error", () => undefined);
  socket.on("pong", (data: Buffer) => {
    alive = true;
    if (trips.size > 0) onPong(data.toString());
  });
  // With the default `binaryType`, data is always a Buffer.
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    alive = true;
    if (isOpen()) void take(data, isBinary);
  });
  return connection;
}

/** What the task throws; undefined if it throws nothing. */
function caught(task: () => void): unknown {
  try {
    task();
    return undefined;
  } catch (error) {
    return error;
  }
}

type Refused = Extract<DecodedMessage, { readonly ok: false }>;

function nameOfRefused({ questionId, executionId, askId }: Refused): AskName {
  return defined({ questionId, executionId, askId });
}

/**
 * Deals with a message of the gateway as a span. Its frames have no place for a traceparent, so each message is the
 * root of a trace; an ask keeps that of its message, and what ends it is linked as over HTTP.
 */
function traceMessage(tracing: Tracing, role: Role, message: GatewayMessage): Promise<unknown> {
  const options = { kind: "server", facts: { "askline.gateway.role": role.name } } as const;
  const { kind } = message;
  const hook = kind === "hook" && (message.asks === "questions" ? "gateway.answer" : "gateway.approval");
  return tracing.span(`askline.${hook || `gateway.${kind}`}`, options, async (span) => {
    const refused = await role.take(message);
    // The message may hold what was asked or answered.
    if (refused !== undefined) span.fail(refused instanceof AsklineError ? refused.code : "internal");
  });
}
