// The host side of the gateway protocol: asks over a WebSocket at any backend that speaks it.
//
//   sent --first answer---------------> its outcome
//        --connection lost------------> sent again, unchanged, on the next connection
//        --timeout--------------------> expired, or the outcome of the ask's `onDeadline`
//        --expired, not connected-----> unavailable: nobody knows whether a person answered
//        --signal aborts--------------> withdrawn; the backend gets the withdrawal, now or on the next connection
//        --the backend refuses it-----> rejected with its error
//        --the resolver is closed-----> rejected with `closed`; the backend keeps the ask

import type { GatewayMessage } from "../../agents/shapes/gateway/decode.js";
import {
  GATEWAY_PROTOCOL,
  GATEWAY_TOKEN_PROTOCOL,
  gateway,
  timeoutText,
} from "../../agents/shapes/gateway.js";
import { type Clock, systemClock } from "../../core/kit/clock.js";
import { formatIssues, type Issue } from "../../core/kit/issue.js";
import type { Logger } from "../../core/kit/logger.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { AskInput, AskRequest } from "../../core/model/ask.js";
import { deliverOutcome } from "../../core/model/delivery.js";
import { AsklineError, ERROR_CODES, meaningOf } from "../../core/model/error.js";
import type { Answerer, DeliveredOutcome, Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { transition } from "../../core/rules/lifecycle.js";
import { requireAsk } from "../../core/rules/parse-ask.js";
import { newUuid } from "../random-id.js";
import { headerValue } from "../responses.js";
import { createLink, createWithdrawals, type GatewaySocketConstructor, globalWebSocket } from "./link.js";

export interface GatewayResolverOptions {
  /** The address of the socket: `wss://askline.example.com/v1/gateway`, or another backend's. */
  readonly url: string | URL;
  readonly token?: string | undefined;
  /**
   * How the token is sent: as a subprotocol by default, or as `?token=` for a backend that accepts it there only. URLs
   * end up in the logs of proxies. If a backend wants it elsewhere, pass a custom `WebSocket` class.
   */
  readonly tokenIn?: "subprotocol" | "query" | undefined;
  /** For asks without a session. */
  readonly sessionKey: string;
  /** For asks without an agent. */
  readonly agentId: string;
  /** How long an ask waits, in milliseconds; 120,000 by default. An ask's own deadline overrides it. */
  readonly timeoutMs?: number | undefined;
  /** The global `WebSocket` by default. */
  readonly WebSocket?: GatewaySocketConstructor | undefined;
  /** False disables the resolver: it never connects, and every ask ends as `unavailable`. */
  readonly enabled?: boolean | undefined;
  /** The answerer to report, because the protocol does not carry one. */
  readonly by?: Answerer | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly logger?: Logger | undefined;
}

export interface GatewayResolver extends Resolver<DeliveredOutcome> {
  /** Closes the connection, which otherwise stays open for the next ask. Pending asks are rejected. */
  close(): Promise<void>;
}

/** The protocol's default, which backends assume if an ask has no timeout. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** The delay after `rate_limited` without `retryAfterMs`, and the longest accepted one. */
const DEFAULT_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Settled ids that are remembered, to recognise a second answer. */
const MOST_REMEMBERED = 1_000;

const timeoutTexts = new WeakMap<Outcome, string>();

/** The gateway protocol's text for the model, if {@link gatewayResolver} timed out with this outcome. */
export function timeoutTextOf(outcome: Outcome): string | undefined {
  return timeoutTexts.get(outcome);
}

interface Pending {
  readonly ask: AskRequest;
  send(): void;
  end(outcome: Outcome): void;
  fail(error: unknown): void;
  /** The backend is rate limiting; send again after this delay. */
  sendLater(retryAfterMs: unknown): void;
}

/**
 * A Resolver over the gateway protocol, as an agent host. Connects on first use.
 *
 * @example
 * const resolver = gatewayResolver({ url: "ws://127.0.0.1:4780/v1/gateway", token, sessionKey: "s", agentId: "a" });
 * const outcome = await resolver.ask({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
 * await resolver.close();
 */
export function gatewayResolver(options: GatewayResolverOptions): GatewayResolver {
  const { sessionKey, agentId, timeoutMs = DEFAULT_TIMEOUT_MS, enabled = true } = options;
  const { clock = systemClock, random = Math.random, logger = console } = options;
  const by = options.by ?? { kind: "person", id: "gateway", surface: "gateway" };
  const url = socketUrl(options.url);
  const token = options.token === undefined ? undefined : headerValue("a token", options.token);
  const inQuery = options.tokenIn === "query";
  const protocols = token === undefined || inQuery ? [] : [GATEWAY_PROTOCOL, GATEWAY_TOKEN_PROTOCOL + token];
  if (token !== undefined && inQuery) url.searchParams.set("token", token);
  /** What a WebSocket reports may contain its URL. */
  const withoutToken = (text: string): string =>
    url.search === "" ? text : text.replaceAll(url.search, "?…");
  const pending = new Map<string, Pending>();
  const ended = new Set<string>();
  /** The ids of refused asks: a backend may send a hook as well, for hosts that know only the protocol. */
  const refused = new Set<string>();
  const withdrawals = createWithdrawals(clock);
  let closed = false;

  const socketClass = (): GatewaySocketConstructor => {
    const found = options.WebSocket ?? globalWebSocket();
    if (found !== undefined) return found;
    throw new AsklineError(
      "unsupported",
      "this runtime has no global WebSocket (Node 20 has none); pass one as the option WebSocket, such as that of the package ws",
    );
  };

  const link = createLink({
    ...{ clock, random, name: url.host },
    logger: { error: logger.error, warn: (message) => logger.warn(withoutToken(message)) },
    open: () => new (socketClass())(url.href, protocols),
    isWanted: () => pending.size + withdrawals.size > 0,
    onOpen() {
      for (const frame of withdrawals.takeAll()) link.send(frame);
      for (const waiting of pending.values()) waiting.send();
    },
    onMessage(data) {
      const decoded = gateway.decode(typeof data === "string" ? data : undefined);
      if (decoded.ok) take(decoded.message);
      else logger.warn(`${url.host} sent an invalid gateway message:\n${formatIssues(decoded.issues)}`);
    },
  });

  const take = (message: GatewayMessage): void => {
    switch (message.kind) {
      case "ping":
        return void link.send(JSON.stringify({ type: "pong" }));
      case "hook": {
        const waiting = pending.get(message.id);
        const takes = waiting?.ask.approval === undefined ? "questions" : "approval";
        if (waiting === undefined || takes !== message.asks) return void ignore(message.id);
        const read = gateway.decodeHook(waiting.ask, message, { by, lenient: true });
        if (read.ok) return void waiting.end(read.outcome);
        return void logger.warn(`ignored an invalid answer to ${message.id}:\n${formatIssues(read.issues)}`);
      }
      case "notice":
        if (message.name === "error") takeError(message.payload);
        return;
      default:
        return;
    }
  };

  const ignore = (id: string): void => {
    if (refused.has(id)) return;
    logger.warn(
      ended.has(id)
        ? `ignored another answer to ${id}: the first one counts`
        : `ignored an answer to ${id}: this resolver did not ask it`,
    );
  };

  const takeError = (payload: Readonly<Record<string, unknown>>): void => {
    const { code, message, issues, questionId, executionId } = payload;
    const id = questionId ?? executionId;
    const name = String(id);
    const waiting = pending.get(name);
    const known = ERROR_CODES.find((name) => name === code) ?? "internal";
    if (waiting !== undefined && known === "rate_limited") {
      waiting.sendLater(payload.retryAfterMs);
      return;
    }
    if (waiting === undefined || meaningOf(known).retry === "elsewhere") {
      logger.warn(`${url.host} reported an error: ${String(message)} (${String(code)})`);
      if (waiting !== undefined) link.restart();
      return;
    }
    refused.add(name);
    keepNewest(refused, MOST_REMEMBERED);
    waiting.fail(
      new AsklineError(known, String(message), Array.isArray(issues) ? { issues: issues as Issue[] } : {}),
    );
  };

  const send = (ask: AskRequest, signal: AbortSignal | undefined): Promise<DeliveredOutcome> => {
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
        resolve(deliverOutcome(ask, outcome));
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
          const delay =
            typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : DEFAULT_RETRY_MS;
          cancelLater();
          cancelLater = clock.schedule(Math.min(delay, LONGEST_RETRY_MS), sendNow);
        },
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      if (wait !== undefined) cancel = clock.schedule(wait, () => end(atTimeout(ask, id, wait)));
      sendNow();
      link.want();
    });
  };

  /** Without a connection, a person may have answered, or was never asked: nothing may be said of them. */
  const atTimeout = (ask: AskRequest, id: string, wait: number): Outcome => {
    const { failure } = link;
    const outcome = atDeadline(ask, id, wait);
    if (failure === undefined || outcome.kind !== "expired") return outcome;
    return { kind: "unavailable", reason: `no connection to ${url.host} (${withoutToken(failure)})` };
  };

  const encodeFrame = (ask: AskRequest, id: string): string => {
    const { deadline: _deadline, timeoutMs: _own, ...rest } = ask;
    const wait = waitOf(ask) ?? 0;
    // The protocol's default is not sent.
    const timeout = wait === DEFAULT_TIMEOUT_MS ? {} : { timeoutMs: Math.round(wait) };
    const encoded = gateway.encodeAsk({ ...rest, ...timeout }, { id, sessionKey, agentId });
    if (encoded.ok) return JSON.stringify(encoded.input);
    const { issues } = encoded;
    throw new AsklineError("invalid_ask", `invalid ask:\n${formatIssues(issues)}`, { issues });
  };

  /** How long the ask waits; undefined if it has no timeout. */
  const waitOf = (ask: AskRequest): number | undefined => {
    if (ask.onDeadline === "wait") return undefined;
    if (ask.timeoutMs !== undefined) return ask.timeoutMs;
    return ask.deadline === undefined ? timeoutMs : Math.max(1, ask.deadline - clock.now());
  };

  return {
    async ask(request: AskInput, { signal } = {}) {
      const ask = requireAsk(request);
      if (closed) throw closedError();
      if (!enabled) return { kind: "unavailable", reason: "the gateway is disabled" };
      if (signal?.aborted) return { kind: "withdrawn" };
      // Fail here if there is no WebSocket: the link would retry until the ask expires.
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
  const step = transition({ ...ask, status: "pending", deadline: 0 }, { type: "deadline" }, 0);
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

function socketUrl(input: string | URL): URL {
  const url = URL.canParse(String(input)) ? new URL(String(input)) : undefined;
  if (url === undefined || !/^(wss?|https?):$/.test(url.protocol)) {
    throw new AsklineError(
      "invalid_request",
      "the url of a gateway must be absolute and start with ws:// or wss://",
    );
  }
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  return url;
}

function closedError(): AsklineError {
  return new AsklineError("closed", "the resolver was closed; its asks stay with the backend");
}
