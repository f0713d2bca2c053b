// One WebSocket, whoever is at its other end: reads frames, counts the bad ones, and notices when nobody is there
// any more.
//
//   open --bad frames beyond the bound, or the credential is gone--> closing (1008)
//        --takes nothing for too long, or far too much waits------> ended at once
//        --no sign of life from one heartbeat to the next---------> ended at once
//        --the server closes---------------------------------------> closing (1001)

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { AsklineError, formatIssues, type Tracing } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import {
  type DecodedMessage,
  type GatewayAskDefaults,
  type GatewayMessage,
  gateway,
} from "../../dialects/gateway.js";
import type { Principal } from "../access/principal.js";
import type { Services } from "../routing/call.js";
import { type AskName, errorEnvelope, nameOf } from "./problems.js";
import { createSender } from "./sender.js";

export const CLOSE_CODES = { goingAway: 1001, policy: 1008, tryLater: 1013 } as const;

/** Frames that make no sense, beyond those that do, before the connection is given up. */
const MOST_BAD_FRAMES = 20;
/** Messages of one connection that are dealt with at once; more wait in its socket. */
const MOST_IN_HAND = 64;
/** How long the other end may take to close. */
const CLOSE_WITHIN_MS = 1_000;

/** What a connection does with messages, by what it is. */
export interface Role {
  readonly name: "host" | "device";
  /** For the asks among its messages, where they do not say. */
  readonly defaults?: GatewayAskDefaults;
  /**
   * Whatever it throws, or rejects with, is told to the other end. Resolves with an error that it has told already;
   * undefined for what asks for nothing.
   */
  take(message: GatewayMessage): Promise<unknown> | undefined;
  /** The connection is gone. */
  end(): void;
}

export interface Connection {
  readonly principal: Principal;
  readonly isOpen: boolean;
  send(envelope: object): void;
  sendText(text: string): void;
  /** Whether more may be sent now: the other end takes what it gets. */
  readonly isReady: boolean;
  /** Resolves when more may be sent, or will never be. */
  ready(): Promise<void>;
  /** Something was asked for that is not there; often enough, that is no accident. */
  countBad(): void;
  close(code: number, reason: string): void;
  /** Asks for a sign of life; ends the connection where none came since the last time. */
  beat(): void;
  /** Ends the connection where its credential counts no longer. */
  check(): Promise<void>;
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
  const { auth, clock, rateLimits, limits, logger, tracing } = services;
  let alive = true;
  let bad = 0;
  let inHand = 0;
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
    tell(new AsklineError("unauthorized", "this token has expired or was revoked; get a new one"));
    close(CLOSE_CODES.policy, "the credential is no longer valid");
  };

  const countBad = (): void => {
    bad += 1;
    if (bad > MOST_BAD_FRAMES) close(CLOSE_CODES.policy, "too many frames that make no sense");
  };

  const tell = (error: unknown, name: AskName = {}): void => {
    const { envelope, isFault } = errorEnvelope(error, name);
    if (isFault) logger.error("a gateway message failed", error);
    send(envelope);
  };

  const refuse = (error: AsklineError, name?: AskName): void => {
    tell(error, name);
    countBad();
  };

  const refuseDecoded = (refused: Refused): void => {
    const { code, issues } = refused;
    const name = nameOfRefused(refused);
    const error = new AsklineError(code, `this message cannot be taken:\n${formatIssues(issues)}`, {
      issues,
    });
    // A question that breaks the rules is a mistake of a model, and no abuse.
    if (code === "invalid_ask") tell(error, name);
    else refuse(error, name);
  };

  /** What a frame asks for; undefined where that has been dealt with already. */
  const read = (data: Buffer, isBinary: boolean): GatewayMessage | undefined => {
    if (isBinary) {
      refuse(new AsklineError("unsupported_media_type", "send text frames, of JSON"));
      return undefined;
    }
    if (data.length > limits.body) {
      refuse(new AsklineError("too_large", `a frame may have ${limits.body} bytes; send less`));
      return undefined;
    }
    const decoded = gateway.decode(data.toString(), role.defaults);
    try {
      rateLimits.admit(principal);
    } catch (error) {
      tell(error, decoded.ok ? nameOf(decoded.message) : nameOfRefused(decoded));
      return undefined;
    }
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
      // Mostly it is known: then the message need not wait for a turn.
      if (valid !== true && !(await valid)) return endUnauthorized();
      // Most servers trace nothing: then this costs nothing.
      if (tracing === undefined || message.kind === "notice") await role.take(message);
      else await traceMessage(tracing, role, message);
    } catch (error) {
      tell(error, message && nameOf(message));
    } finally {
      inHand -= 1;
      if (socket.isPaused && inHand < MOST_IN_HAND) socket.resume();
    }
  };

  const over = new Promise<void>((resolve) => {
    socket.once("close", () => {
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
    countBad,
    close,
    beat() {
      if (!alive) return socket.terminate();
      alive = false;
      socket.ping();
    },
    async check() {
      if (!(await auth.isValid(principal.credential)) && isOpen()) endUnauthorized();
    },
    over,
  };
  const role = makeRole(connection);

  // Nothing to do but to let it end: `close` comes in any case.
  socket.on("error", () => undefined);
  socket.on("pong", () => {
    alive = true;
  });
  // With `binaryType` as it is, whatever comes is a Buffer.
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    alive = true;
    if (isOpen()) void take(data, isBinary);
  });
  return connection;
}

type Refused = Extract<DecodedMessage, { readonly ok: false }>;

function nameOfRefused({ questionId, executionId }: Refused): AskName {
  return defined({ questionId, executionId });
}

/**
 * Deals with a message of the gateway as a span. Its frames have no place for a traceparent, so each message is the
 * root of a trace; an ask keeps that of its message, and what ends it is linked as over HTTP.
 */
function traceMessage(tracing: Tracing, role: Role, message: GatewayMessage): Promise<unknown> {
  const options = { kind: "server", facts: { "askline.gateway.role": role.name } } as const;
  return tracing.span(`askline.gateway.${message.kind}`, options, async (span) => {
    const refused = await role.take(message);
    // The message may hold what was asked or answered.
    if (refused !== undefined) span.fail(refused instanceof AsklineError ? refused.code : "internal");
  });
}
