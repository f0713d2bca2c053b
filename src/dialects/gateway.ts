// Source 004 (Whimmy's plugin for OpenClaw): envelopes over a WebSocket, both ends. A host sends questions as
// events, a backend sends answers as hooks; answers are a map from question text to one string.
//
// Lost from an ask in encode and decode: recipients, metadata, the deadline's policy; a preview's format; of
// an approval, that it holds several actions and that they may be edited.
// Lost from an outcome: notes; who answered (the decoder is told); `replied` and `withdrawn` come back as
// declined, without a text or reason; `expired` and `unavailable` are silence; an approval that was declined
// comes back as rejected, and an answer in which all was skipped as declined; and strings that can be read in
// two ways are read as in `answers-map`.

import { type AskContent, isRecord, type Outcome, type ParsedAsk } from "../core/index.js";
import { type AnswerableAsk, type DecodedOutcome, neverThrowing } from "./answers-map.js";
import { decodeApproval, decodeQuestions, type GatewayAskDefaults } from "./gateway/asks.js";
import { type DecodedMessage, decode } from "./gateway/decode.js";
import {
  type EncodableAsk,
  type EncodeAskOptions,
  type EncodedGatewayAsk,
  encodeAsk,
} from "./gateway/encode-ask.js";
import type { GatewayAnswerHook, GatewayAnswers, GatewayApprovalHook } from "./gateway/envelopes.js";
import {
  decodeAnswers,
  decodeApproved,
  encodeAnswers,
  encodeOutcome,
  type GatewayDecodeOptions,
} from "./gateway/outcomes.js";

export type { GatewayAskDefaults } from "./gateway/asks.js";
export type { DecodedMessage, GatewayMessage } from "./gateway/decode.js";
export type { EncodableAsk, EncodeAskOptions, EncodedGatewayAsk } from "./gateway/encode-ask.js";
export type {
  GatewayAck,
  GatewayAddress,
  GatewayAnswerHook,
  GatewayAnswers,
  GatewayApproval,
  GatewayApprovalEvent,
  GatewayApprovalHook,
  GatewayEnding,
  GatewayEnvelope,
  GatewayError,
  GatewayEvent,
  GatewayId,
  GatewayOption,
  GatewayProblem,
  GatewayQuestion,
  GatewayQuestionEvent,
  GatewayQuestions,
  GatewayRejection,
  GatewaySettledEvent,
  GatewayWithdrawnEvent,
} from "./gateway/envelopes.js";
export type { GatewayDecodeOptions } from "./gateway/outcomes.js";

/** The subprotocol of our gateway, and what a token follows where no header can carry it. */
export const GATEWAY_PROTOCOL = "askline.gateway.v1";
export const GATEWAY_TOKEN_PROTOCOL = "askline.token.";

/** What a plugin tells its model when nobody answered in time, to the letter. */
export function timeoutText(questionId: string, timeoutMs: number): string {
  return `User did not respond: AskUserQuestion timed out after ${timeoutMs}ms (questionId=${questionId})`;
}

/**
 * @example
 * const decoded = gateway.decode(`{"type":"ping"}`); // { ok: true, message: { kind: "ping" } }
 * const hook = gateway.encodeOutcome(ask, outcome, "q-1"); // { type: "hook.ask_user_answer", payload: { … } }
 */
export const gateway: {
  /**
   * Any message of the protocol, from either end: text of a frame, or what was parsed of it. `defaults` are
   * for an ask whose message does not say.
   */
  readonly decode: (frame: unknown, defaults?: GatewayAskDefaults) => DecodedMessage;
  /** The payload of an `ask_user_question` or `exec.approval.requested` event. */
  readonly decodeAsk: (payload: unknown) => ParsedAsk;
  readonly encodeAsk: (ask: EncodableAsk, options: EncodeAskOptions) => EncodedGatewayAsk;
  /** The hook for a host; undefined where the document has it sent nothing. */
  readonly encodeOutcome: (
    ask: AskContent,
    outcome: Outcome,
    id: string,
  ) => GatewayAnswerHook | GatewayApprovalHook | undefined;
  readonly encodeAnswers: (ask: AskContent, outcome: Outcome) => GatewayAnswers;
  /** The `answers` of a hook, against the questions that they answer. */
  readonly decodeAnswers: (
    ask: AnswerableAsk,
    answers: unknown,
    options: GatewayDecodeOptions,
  ) => DecodedOutcome;
  readonly decodeApproved: typeof decodeApproved;
} = {
  decode,
  decodeAsk: (payload) =>
    neverThrowing((): ParsedAsk => {
      const fields = isRecord(payload) ? payload : {};
      return fields.executionId === undefined ? decodeQuestions(fields, {}) : decodeApproval(fields, {});
    }),
  encodeAsk,
  encodeOutcome,
  encodeAnswers,
  decodeAnswers,
  decodeApproved,
};
