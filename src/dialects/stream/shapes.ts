// The requests, answers and messages of the chat stream. Its events are in events.ts.

import type { AskStatus, DecisionKind, JsonObject, Outcome } from "../../core/index.js";
import type { Refused } from "../dialect.js";
import type { AnswersMap } from "../shared.js";

export const QUESTION_TOOL = "ask_user_question";
export const NO_PREFERENCE = "[No preference]";

export interface StreamOption {
  readonly label: string;
  readonly description?: string;
  readonly input?: true;
}

export interface StreamQuestion {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect: boolean;
  readonly options: readonly StreamOption[];
}

export interface ActionRequest {
  readonly name: string;
  readonly args:
    | JsonObject
    | { readonly questions: readonly StreamQuestion[]; readonly answers?: AnswersMap };
  readonly description?: string;
}

export interface ReviewConfig {
  readonly action_name: string;
  readonly allowed_decisions: readonly DecisionKind[];
}

/** The delta of an `approval_request` block. */
export interface ApprovalRequest {
  readonly action_requests: readonly ActionRequest[];
  readonly review_configs: readonly ReviewConfig[];
  readonly timeout_seconds?: number;
}

/** One decision for each action, in order. */
export type StreamDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly edited_action: { readonly name: string; readonly args: JsonObject } }
  | { readonly type: "reject"; readonly message?: string };

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

/** An `approval_request` block of the history. `isResolved` is true only for answers and decisions. */
export interface HistoryRequestBlock {
  readonly type: "approval_request";
  readonly isResolved: boolean;
  /** For a request that was not answered: `pending`, its outcome, or `removed` once it is no longer stored. */
  readonly status?: Exclude<AskStatus, "answered" | "decided"> | "removed";
  readonly approvalKey?: string;
  readonly actionRequests: readonly ActionRequest[];
  readonly submittedAnswers?: AnswersMap;
  readonly submittedDecisions?: readonly HistoryDecision[];
  /** The policy that answered instead of a person. */
  readonly answeredByPolicy?: string;
  /** The agent whose process reported the person's answer. */
  readonly reportedBy?: string;
  readonly reviewConfigs?: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly DecisionKind[];
  }[];
  readonly timeoutSeconds?: number;
  readonly deadline?: number;
  readonly reason?: string;
}

export type HistoryDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly editedAction: { readonly name: string; readonly args: JsonObject } }
  | { readonly type: "reject"; readonly message?: string };
