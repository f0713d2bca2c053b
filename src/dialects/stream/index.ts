// The chat stream of a streaming chat backend: questions and approvals as `approval_request` blocks of a stream,
// answered by an `approval` message, and repeated in a history of messages. The stream is snake_case, the history
// camelCase, as in the original.
//
// The original does not show the inside of text, thinking and tool blocks, nor any ending but answered and timed out.
// Those shapes are our own, and no client can take one of them for an answer.

import type { AskContent } from "../../core/index.js";
import type { Dialect, EncodedAsk, EncodedOutcome } from "../dialect.js";
import { ALL_LOST } from "../shared.js";
import { decodeMessage, decodeOutcome, encodeOutcome } from "./answer.js";
import { decodeAsk, encodeAsk, encodeHistoryBlock, PROFILE } from "./request.js";
import type {
  ApprovalRequest,
  DecodedMessage,
  HistoryRequestBlock,
  RequestView,
  StreamAnswer,
} from "./shapes.js";

export interface StreamDialect extends Dialect<ApprovalRequest, EncodedOutcome<StreamAnswer>> {
  readonly encodeAsk: (
    ask: AskContent,
    options?: { readonly timeoutSeconds?: number },
  ) => EncodedAsk<ApprovalRequest>;
  readonly decodeMessage: (input: unknown) => DecodedMessage;
  readonly encodeHistoryBlock: (ask: AskContent, view: RequestView) => HistoryRequestBlock;
}

/**
 * @example
 * const encoded = stream.encodeAsk(ask, { timeoutSeconds: 600 });
 * if (encoded.ok) console.log(encoded.input.action_requests[0]?.name); // "ask_user_question"
 */
export const stream: StreamDialect = {
  name: "stream",
  profile: PROFILE,
  carries: ["questions", "multiSelect", "approval"],
  endings: { ...ALL_LOST, answered: "answered", decided: "decided" },
  losses: {
    ask: [
      "address",
      "context",
      "ids",
      "previews",
      "minPicks, maxPicks",
      "freeText: false",
      "allowPartial: false",
      "recommended",
    ],
    outcome: ["notes", "ambiguous text", "[No preference]"],
  },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
  decodeMessage,
  encodeHistoryBlock,
};

export { endingText } from "./answer.js";
export {
  approvalKeyOf,
  approvalNumberOf,
  blockEvents,
  type DisplayType,
  type HistoryBlock,
  type HistoryMessage,
  type MessageWriter,
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
