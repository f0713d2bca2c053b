// The chat stream of a streaming chat backend: questions and approvals as `approval_request` blocks of a stream,
// answered by an `approval` message, and repeated in a history of messages. The stream is snake_case, the history
// camelCase, as in the original.
//
// The original does not show the inside of text, thinking and tool blocks, nor any ending but answered and timed out.
// Those shapes are our own, and no client can take one of them for an answer.

import type { AskContent } from "../../core/model/ask.js";
import type { HistoryRequestBlock } from "../../core/model/history-message.js";
import type { ApprovalRequest } from "../../core/model/stream-event.js";
import type { Dialect, EncodedAsk, EncodedOutcome } from "./dialect.js";
import { ALL_LOST, PLAIN_LOSSES } from "./shared.js";
import { decodeMessage, decodeOutcome, encodeOutcome } from "./stream/answer.js";
import { decodeAsk, encodeAsk, encodeHistoryBlock, PROFILE } from "./stream/request.js";
import type { DecodedMessage, RequestView, StreamAnswer } from "./stream/shapes.js";

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
    ask: [...PLAIN_LOSSES, "context", "previews", "allowPartial: false"],
    outcome: ["notes", "ambiguous text", "[No preference]"],
  },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
  decodeMessage,
  encodeHistoryBlock,
};
