// The gateway protocol of Whimmy's plugin for OpenClaw: envelopes over a WebSocket, both ends. A host sends questions
// as events, a backend sends answers as hooks; answers are a map from question text to one string.

import { isRecord } from "../../core/kit/json.js";
import type { ParsedAsk } from "../../core/rules/parse-ask.js";
import type { AnswerableAsk, DecodedOutcome, DecodeOutcomeOptions, Dialect } from "./dialect.js";
import { decodeApproval, decodeQuestions, PROFILE } from "./gateway/asks.js";
import { decode } from "./gateway/decode.js";
import { type EncodeAskOptions, encodeAsk } from "./gateway/encode-ask.js";
import type {
  GatewayAnswerHook,
  GatewayApprovalEvent,
  GatewayApprovalHook,
  GatewayQuestionEvent,
} from "./gateway/envelopes.js";
import {
  decodeAnswers,
  decodeApproved,
  decodeHook,
  encodeAnswers,
  encodeOutcome,
  encodeRefusal,
} from "./gateway/outcomes.js";
import { neverThrowing, refused } from "./shared.js";

/** The subprotocol of our gateway, and the prefix of a token that is sent as a subprotocol instead of a header. */
export const GATEWAY_PROTOCOL = "askline.gateway.v1";
export const GATEWAY_TOKEN_PROTOCOL = "askline.token.";

/** What the model reads when nobody answered in time, exactly as the original plugin writes it. */
export function timeoutText(questionId: string, timeoutMs: number): string {
  return `User did not respond: AskUserQuestion timed out after ${timeoutMs}ms (questionId=${questionId})`;
}

export interface GatewayDialect
  extends Dialect<
    GatewayQuestionEvent | GatewayApprovalEvent,
    GatewayAnswerHook | GatewayApprovalHook | undefined,
    [options: EncodeAskOptions]
  > {
  /** Reads any message of the protocol, from either end: the text of a frame, or the parsed value. */
  readonly decode: typeof decode;
  /** Accepts an `ask_user_question` or `exec.approval.requested` event, or its payload alone. */
  readonly decodeAsk: (input: unknown) => ParsedAsk;
  readonly encodeAsk: typeof encodeAsk;
  /** The hook for a host; undefined for an ending after which the protocol sends nothing. */
  readonly encodeOutcome: typeof encodeOutcome;
  readonly encodeRefusal: typeof encodeRefusal;
  readonly encodeAnswers: typeof encodeAnswers;
  /** Reads the `answers` of a hook. */
  readonly decodeAnswers: typeof decodeAnswers;
  readonly decodeApproved: typeof decodeApproved;
  /** Reads a hook that `decode` has decoded. */
  readonly decodeHook: typeof decodeHook;
}

/**
 * @example
 * const decoded = gateway.decode(`{"type":"ping"}`); // { ok: true, message: { kind: "ping" } }
 * const hook = gateway.encodeOutcome(ask, outcome, { id: "q-1" }); // { type: "hook.ask_user_answer", payload: { … } }
 */
export const gateway: GatewayDialect = {
  name: "gateway",
  profile: PROFILE,
  carries: ["questions", "multiSelect", "approval"],
  endings: {
    answered: "answered",
    decided: "decided",
    declined: "declined",
    replied: "declined",
    expired: "lost",
    withdrawn: "declined",
    unavailable: "lost",
  },
  losses: {
    ask: ["recipients", "metadata", "onDeadline", "preview format", "several actions", "edits"],
    outcome: ["notes", "reasons", "ambiguous text", "all skipped", "edits", "declined approvals"],
  },
  decode,
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
  encodeRefusal,
  encodeAnswers,
  decodeAnswers,
  decodeApproved,
  decodeHook,
};

function decodeAsk(input: unknown): ParsedAsk {
  return neverThrowing((): ParsedAsk => {
    const event = isRecord(input) && input.type === "event" ? input.payload : undefined;
    const payload = isRecord(event) ? event.payload : input;
    const fields = isRecord(payload) ? payload : {};
    return fields.executionId === undefined ? decodeQuestions(fields, {}) : decodeApproval(fields, {});
  });
}

function decodeOutcome(ask: AnswerableAsk, hook: unknown, options: DecodeOutcomeOptions): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const decoded = decode(hook);
    if (!decoded.ok) return { ok: false, issues: decoded.issues };
    const { message } = decoded;
    if (message.kind === "hook") return decodeHook(ask, message, options);
    return refused("invalid_value", ["type"], "must be hook.ask_user_answer or hook.approval");
  });
}
