// What the chat stream has beside the shapes of its events and messages, which are in the model.

import type { Outcome } from "../../../core/model/outcome.js";
import type { AnswersMap, StreamDecision } from "../../../core/model/stream-event.js";
import type { Refused } from "../dialect.js";

export const QUESTION_TOOL = "ask_user_question";
export const NO_PREFERENCE = "[No preference]";

/** The contents of an `approval` message, without its address. */
export type StreamAnswer =
  | { readonly answers: AnswersMap }
  | { readonly decisions: readonly StreamDecision[] };

/** A client's message. {@link stream.decodeOutcome} validates the answer. */
export type ClientMessage =
  | {
      readonly type: "approval";
      readonly session_id?: string;
      readonly approval_key: string;
      readonly answers?: unknown;
      readonly decisions?: unknown;
    }
  /** `agent` names the agent of a session that the message opens. */
  | { readonly type: "message"; readonly text: string; readonly agent?: unknown };

export type DecodedMessage = { readonly ok: true; readonly message: ClientMessage } | Refused;

/** The state of a request in the history; pending without an outcome. */
export interface RequestView {
  readonly approvalKey: string;
  readonly outcome?: Outcome;
  readonly timeoutSeconds?: number;
  readonly deadline?: number;
}
