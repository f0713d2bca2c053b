// Source 001 (a streaming chat backend): questions and approvals as `approval_request` blocks of a stream, answered
// by an `approval` message, and given back by a history of messages. The stream is snake_case, the history
// camelCase where the document is.
//
// The document does not show the inside of text, thinking and tool blocks, nor any ending but answered and timed
// out: those shapes are ours, and made so that no client takes one of them for an answer.
//
// Lost from an ask in encode and decode: everything but its questions or actions; ids (they become q1…, o1…, a1…),
// previews, minPicks, maxPicks, `freeText: false`, `allowPartial: false`; `recommended` where the label does not say
// so.
// Lost from an outcome: every kind but `answered` and `decided`; notes; who answered (the decoder is told); text
// typed exactly like "[No preference]", which comes back as a skip; and what answers-map loses to its strings.

import type { AskContent, Outcome, ParsedAsk } from "../../core/index.js";
import type {
  AnswerableAsk,
  DecodedOutcome,
  DecodeOutcomeOptions,
  EncodedAsk,
  EncodedOutcome,
} from "../answers-map.js";
import { decodeOutcome, encodeOutcome } from "./answer.js";
import { decodeMessage } from "./client-message.js";
import { encodeHistoryBlock } from "./history-block.js";
import { decodeAsk, encodeAsk } from "./request.js";
import type {
  ApprovalRequest,
  DecodedMessage,
  HistoryRequestBlock,
  RequestView,
  StreamAnswer,
} from "./shapes.js";

/**
 * @example
 * const encoded = stream.encodeAsk(ask, { timeoutSeconds: 600 });
 * if (encoded.ok) console.log(encoded.input.action_requests[0]?.name); // "ask_user_question"
 */
export const stream: {
  readonly decodeAsk: (input: unknown) => ParsedAsk;
  readonly encodeAsk: (
    ask: AskContent,
    options?: { readonly timeoutSeconds?: number },
  ) => EncodedAsk<ApprovalRequest>;
  readonly encodeOutcome: (ask: AskContent, outcome: Outcome) => EncodedOutcome<StreamAnswer>;
  readonly decodeOutcome: (
    ask: AnswerableAsk,
    answer: unknown,
    options: DecodeOutcomeOptions,
  ) => DecodedOutcome;
  readonly decodeMessage: (input: unknown) => DecodedMessage;
  readonly encodeHistoryBlock: (ask: AskContent, view: RequestView) => HistoryRequestBlock;
} = { decodeAsk, encodeAsk, encodeOutcome, decodeOutcome, decodeMessage, encodeHistoryBlock };

export { endingText } from "./ending-text.js";
export {
  approvalKeyOf,
  approvalNumberOf,
  blockEvents,
  type DisplayType,
  type HistoryBlock,
  type HistoryMessage,
  type StreamBlock,
  type StreamDelta,
  type StreamEvent,
  type ToolStatus,
} from "./events.js";
export {
  type ActionRequest,
  type ApprovalRequest,
  type ClientMessage,
  type DecodedMessage,
  type HistoryDecision,
  type HistoryRequestBlock,
  NO_PREFERENCE,
  QUESTION_TOOL,
  type RequestView,
  type ReviewConfig,
  type StreamAnswer,
  type StreamDecision,
  type StreamOption,
  type StreamQuestion,
} from "./shapes.js";
