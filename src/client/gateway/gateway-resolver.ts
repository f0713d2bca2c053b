// The plugin's part of source 004: asks over a WebSocket to any backend that speaks it.
//
//   sent --first answer---------------> its outcome
//        --connection lost------------> sent again, as it was, when there is another
//        --time is up-----------------> expired, or what the ask's own policy says
//        --signal aborts--------------> withdrawn, and the backend is told, if need be when it can be reached again
//        --the backend refuses it-----> rejected with its error
//        --the resolver is closed-----> rejected with `closed`; the backend keeps the ask

import { meaningOf } from "../../core/error.js";
import {
  type Answerer,
  type AskInput,
  AsklineError,
  type AskRequest,
  type Clock,
  ERROR_CODES,
  formatIssues,
  type Issue,
  type Logger,
  type Outcome,
  type Resolver,
  requireAsk,
  systemClock,
  transition,
} from "../../core/index.js";
import { keepNewest } from "../../core/kit.js";
import {
  GATEWAY_PROTOCOL,
  GATEWAY_TOKEN_PROTOCOL,
  type GatewayMessage,
  gateway,
  timeoutText,
} from "../../dialects/gateway.js";
import { newUuid } from "../random-id.js";
import { headerValue } from "../responses.js";
import { createLink, createWithdrawals, type GatewaySocketConstructor, ownWebSocket } from "./link.js";

export interface GatewayResolverOptions {
  /** The address of the socket: `wss://askline.example.com/v1/gateway`, or another backend's. */
  readonly url: string | URL;
  /** Sent as a subprotocol. A backend that wants it elsewhere gets a `WebSocket` of your own making. */
  readonly token?: string;
  /** Where an ask does not name a session or an agent of its own. */
  readonly sessionKey: string;
  readonly agentId: string;
  /** How long a person has; 120,000 by default. An ask's own deadline goes before. */
  readonly timeoutMs?: number;
  /** The runtime's own where there is one. */
  readonly WebSocket?: GatewaySocketConstructor;
  /** False switches it off wholly: nothing is connected, and every ask ends as `unavailable`. */
  readonly enabled?: boolean;
  /** Who is said to have answered: the protocol does not say. */
  readonly by?: Answerer;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
}

export interface GatewayResolver extends Resolver {
  /** Lets go of the connection, which otherwise stays for the next ask. Asks that wait are rejected. */
  close(): Promise<void>;
}

/** The document's: what its plugin and our server both count by where nobody says otherwise. */
const USUAL_TIMEOUT_MS = 120_000;
/** Where a backend that had too much does not say for how long, and where it says too much. */
const USUAL_PATIENCE_MS = 1_000;
const LONGEST_PATIENCE_MS = 60_000;
/** Ids that have ended, so that a second answer is called that. */
const MOST_REMEMBERED = 1_000;

const timeoutTexts = new WeakMap<Outcome, string>();

/** For an outcome that {@link gatewayResolver} gave because nobody answered: the text of source 004 for the model. */
export function timeoutTextOf(outcome: Outcome): string | undefined {
  return timeoutTexts.get(outcome);
}

interface Pending {
  readonly ask: AskRequest;
  send(): void;
  end(outcome: Outcome): void;
  fail(error: unknown): void;
  /** The backend has had too much for now, and takes it again after this. */
  sendLater(retryAfterMs: unknown): void;
}

/**
 * A Resolver over the gateway protocol, in the place of an agent's host. Connects when it is first used.
 *
 * @example
 * const resolver = gatewayResolver({ url: "ws://127.0.0.1:4780/v1/gateway", token, sessionKey: "s", agentId: "a" });
 * const outcome = await resolver.ask({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
 * await resolver.close();
 */
export function gatewayResolver(options: GatewayResolverOptions): GatewayResolver {
  const { sessionKey, agentId, timeoutMs = USUAL_TIMEOUT_MS, enabled = true } = options;
  const { clock = systemClock, random = Math.random, logger = console } = options;
  const by = options.by ?? { kind: "person", id: "gateway", surface: "gateway" };
  const url = socketUrl(options.url);
  const protocols =
    options.token === undefined
      ? []
      : [GATEWAY_PROTOCOL, GATEWAY_TOKEN_PROTOCOL + headerValue("a token", options.token)];
  const pending = new Map<string, Pending>();
  const ended = new Set<string>();
  const withdrawals = createWithdrawals(clock);
  let closed = false;

  const socketClass = (): GatewaySocketConstructor => {
    const given = options.WebSocket ?? ownWebSocket();
    if (given !== undefined) return given;
    throw new AsklineError(
      "unsupported",
      "this runtime has no WebSocket of its own (Node 20 has none): give one, such as that of the package ws, as WebSocket",
    );
  };

  const link = createLink({
    ...{ clock, random, logger, name: url.host },
    open: () => new (socketClass())(url.href, protocols),
    isWanted: () => pending.size + withdrawals.size > 0,
    onOpen() {
      for (const frame of withdrawals.takeAll()) link.send(frame);
      for (const waiting of pending.values()) waiting.send();
    },
    onMessage(data) {
      const decoded = gateway.decode(typeof data === "string" ? data : undefined);
      if (decoded.ok) take(decoded.message);
      else
        logger.warn(`${url.host} sent what is no message of the gateway:\n${formatIssues(decoded.issues)}`);
    },
  });

  const take = (message: GatewayMessage): void => {
    switch (message.kind) {
      case "ping":
        return void link.send(JSON.stringify({ type: "pong" }));
      case "answer":
      case "approval": {
        const waiting = pending.get(message.id);
        const kind = waiting?.ask.approval === undefined ? "answer" : "approval";
        if (waiting === undefined || kind !== message.kind) return void ignore(message.id);
        const read = gateway.decodeHook(waiting.ask, message, { by, lenient: true });
        if (read.ok) return void waiting.end(read.outcome);
        return void logger.warn(
          `an answer to ${message.id} does not fit and is ignored:\n${formatIssues(read.issues)}`,
        );
      }
      case "notice":
        if (message.name === "error") takeError(message.payload);
        return;
      default:
        return;
    }
  };

  const ignore = (id: string): void =>
    logger.warn(
      ended.has(id)
        ? `another answer to ${id} is ignored: the first one counts`
        : `an answer to ${id} is ignored: nobody here has asked that`,
    );

  const takeError = (payload: Readonly<Record<string, unknown>>): void => {
    const { code, message, issues, questionId, executionId } = payload;
    const id = questionId ?? executionId;
    const waiting = typeof id === "string" ? pending.get(id) : undefined;
    const known = ERROR_CODES.find((one) => one === code) ?? "internal";
    if (waiting !== undefined && known === "rate_limited") {
      waiting.sendLater(payload.retryAfterMs);
      return;
    }
    if (waiting === undefined || meaningOf(known).retry === "elsewhere") {
      logger.warn(`${url.host} says: ${String(message)} (${String(code)})`);
      if (waiting !== undefined) link.restart();
      return;
    }
    waiting.fail(
      new AsklineError(known, String(message), Array.isArray(issues) ? { issues: issues as Issue[] } : {}),
    );
  };

  const send = (ask: AskRequest, signal: AbortSignal | undefined): Promise<Outcome> => {
    const id = newUuid();
    const session = ask.session || sessionKey;
    const frame = encodeFrame(ask, id);
    const wait = waitOf(ask);
    return new Promise((resolve, reject) => {
      let cancel = (): void => undefined;
      let cancelLater = (): void => undefined;
      let isSent = false;
      const sendNow = (): void => {
        isSent = link.send(frame) || isSent;
      };
      const leave = (): void => {
        pending.delete(id);
        ended.add(id);
        keepNewest(ended, MOST_REMEMBERED);
        cancel();
        cancelLater();
        signal?.removeEventListener("abort", onAbort);
      };
      const end = (outcome: Outcome): void => {
        leave();
        resolve(outcome);
      };
      const onAbort = (): void => {
        const withdrawal = JSON.stringify(withdrawnEvent(ask, id, session));
        if (isSent && !link.send(withdrawal)) withdrawals.add(withdrawal, wait ?? timeoutMs);
        end({ kind: "withdrawn" });
      };
      pending.set(id, {
        ...{ ask, end, send: sendNow },
        fail(error) {
          leave();
          reject(error);
        },
        sendLater(retryAfterMs) {
          const given =
            typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : USUAL_PATIENCE_MS;
          cancelLater();
          cancelLater = clock.schedule(Math.min(given, LONGEST_PATIENCE_MS), sendNow);
        },
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      if (wait !== undefined) cancel = clock.schedule(wait, () => end(atDeadline(ask, id, wait)));
      sendNow();
      link.want();
    });
  };

  const encodeFrame = (ask: AskRequest, id: string): string => {
    const { deadline: _deadline, timeoutMs: _own, ...rest } = ask;
    const wait = waitOf(ask) ?? 0;
    // What the document says anyway is left to it.
    const said = wait === USUAL_TIMEOUT_MS ? {} : { timeoutMs: Math.round(wait) };
    const encoded = gateway.encodeAsk({ ...rest, ...said }, { id, sessionKey, agentId });
    if (encoded.ok) return JSON.stringify(encoded.input);
    const { issues } = encoded;
    throw new AsklineError("invalid_ask", `this ask cannot be asked:\n${formatIssues(issues)}`, { issues });
  };

  /** How long a person has; undefined where the ask is to wait for ever. */
  const waitOf = (ask: AskRequest): number | undefined => {
    if (ask.onDeadline === "wait") return undefined;
    if (ask.timeoutMs !== undefined) return ask.timeoutMs;
    return ask.deadline === undefined ? timeoutMs : Math.max(1, ask.deadline - clock.now());
  };

  return {
    async ask(request: AskInput, { signal } = {}) {
      const ask = requireAsk(request);
      if (closed) throw closedError();
      if (!enabled) return { kind: "unavailable", reason: "the gateway is switched off" };
      if (signal?.aborted) return { kind: "withdrawn" };
      // Not left to the link, which would try again until the ask expires, as if a person had not answered.
      socketClass();
      return send(ask, signal);
    },
    async close() {
      closed = true;
      link.close();
      withdrawals.takeAll();
      for (const { fail } of [...pending.values()]) fail(closedError());
    },
  };
}

function atDeadline(ask: AskRequest, id: string, wait: number): Outcome {
  const { questions, approval, onDeadline } = ask;
  const state = {
    ...{ status: "pending" as const, questions, onDeadline, deadline: 0 },
    ...(approval !== undefined && { approval }),
  };
  const step = transition(state, { type: "deadline" }, 0);
  const outcome: Outcome = step.kind === "settled" ? step.outcome : { kind: "expired" };
  if (outcome.kind === "expired") timeoutTexts.set(outcome, timeoutText(id, wait));
  return outcome;
}

function withdrawnEvent(ask: AskRequest, id: string, sessionKey: string): object {
  const isApproval = ask.approval !== undefined;
  const event = isApproval ? "exec.approval.withdrawn" : "ask_user_question.withdrawn";
  const payload = { sessionKey, ...(isApproval ? { executionId: id } : { questionId: id }) };
  return { type: "event", payload: { event, payload } };
}

function socketUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  if (url === undefined || !/^(wss?|https?):$/.test(url.protocol)) {
    throw new AsklineError(
      "invalid_request",
      "a gateway's url must be absolute and start with ws:// or wss://",
    );
  }
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  return url;
}

function closedError(): AsklineError {
  return new AsklineError("closed", "the resolver was closed; what it asked stays with the backend");
}
