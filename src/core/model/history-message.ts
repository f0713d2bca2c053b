// The messages of a session's history: camelCase, where the stream is snake_case, as in the original.

import { ANY_TEXT } from "../read/common-fields.js";
import { is, type Model, type Variants } from "../read/field.js";
import type { AskStatus } from "./ask.js";
import { DECISION_KINDS, type DecisionKind, OUTCOME_KINDS } from "./kinds.js";
import {
  ACTION_REQUEST,
  type ActionRequest,
  type AnswersMap,
  EDITED_ACTION,
  type EditedAction,
  type MessageWriter,
  STATUS,
  TEXT,
  type ToolStatus,
  WRITER,
} from "./stream-event.js";

export type HistoryDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly editedAction: EditedAction }
  | { readonly type: "reject"; readonly message?: string };

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
  readonly reviewConfigs?: readonly HistoryReview[];
  readonly timeoutSeconds?: number;
  readonly deadline?: number;
  readonly reason?: string;
}

interface HistoryReview {
  readonly actionName: string;
  readonly allowedDecisions: readonly DecisionKind[];
}

export type HistoryBlock =
  | { readonly type: "text"; readonly text: string; readonly is_final?: true }
  | { readonly type: "thinking"; readonly thinking: string }
  | HistoryRequestBlock;

const DISPLAY_TYPES = ["content", "group_start", "group_item", "group_end"] as const;
export type DisplayType = (typeof DISPLAY_TYPES)[number];

interface Displayed {
  readonly display_type: DisplayType;
  /** The summary of the group that the message begins or ends. */
  readonly summary?: string;
}

interface HistoryCall {
  readonly id: string;
  readonly name: string;
  readonly tool_content_message?: string;
}

export type HistoryMessage =
  /** `by` is an addition of Askline. It is absent for what the hub's own process wrote, and for older messages. */
  (
    | { readonly role: "user"; readonly content: readonly HistoryBlock[]; readonly by?: MessageWriter }
    | {
        readonly role: "assistant";
        readonly message_type?: "step";
        readonly content: readonly HistoryBlock[];
        readonly tool_calls?: readonly HistoryCall[];
      }
    | {
        readonly role: "tool";
        readonly tool_call_id: string;
        readonly name: string;
        readonly status: ToolStatus;
      }
  ) &
    Displayed;

const DECISION: Variants<HistoryDecision> = {
  variants: {
    approve: { type: is("approve") },
    edit: { type: is("edit"), editedAction: { kind: "object", of: EDITED_ACTION, required: true } },
    reject: { type: is("reject"), message: ANY_TEXT },
  },
};

const REVIEW: Model<HistoryReview> = {
  must: "the decisions that an action allows",
  fields: {
    actionName: TEXT,
    allowedDecisions: { kind: "choices", choices: DECISION_KINDS, default: DECISION_KINDS },
  },
};

const OPEN_ENDINGS = OUTCOME_KINDS.filter((kind) => kind !== "answered" && kind !== "decided");

const BLOCK: Variants<HistoryBlock> = {
  variants: {
    text: { type: is("text"), text: TEXT, is_final: { kind: "mark" } },
    thinking: { type: is("thinking"), thinking: TEXT },
    approval_request: {
      type: is("approval_request"),
      isResolved: { kind: "flag", required: true },
      actionRequests: { kind: "list", of: ACTION_REQUEST, required: true },
      status: { kind: "choice", choices: ["pending", ...OPEN_ENDINGS, "removed"] },
      approvalKey: ANY_TEXT,
      submittedAnswers: { kind: "texts" },
      submittedDecisions: { kind: "list", of: DECISION },
      answeredByPolicy: ANY_TEXT,
      reportedBy: ANY_TEXT,
      reviewConfigs: { kind: "list", of: REVIEW },
      timeoutSeconds: { kind: "number" },
      deadline: { kind: "time" },
      reason: ANY_TEXT,
    },
  },
};

const CALL: Model<HistoryCall> = {
  must: "a call of a tool",
  fields: { id: TEXT, name: TEXT, tool_content_message: ANY_TEXT },
};

const DISPLAYED = {
  display_type: { kind: "choice", choices: DISPLAY_TYPES, required: true },
  summary: { ...ANY_TEXT, about: "The summary of the group that the message begins or ends." },
} as const;
const CONTENT = { kind: "list", of: BLOCK, required: true } as const;

export const HISTORY_MESSAGE: Variants<HistoryMessage> = {
  variants: {
    user: { role: is("user"), ...DISPLAYED, content: CONTENT, by: { kind: "object", of: WRITER } },
    assistant: {
      role: is("assistant"),
      ...DISPLAYED,
      message_type: { kind: "constant", value: "step" },
      content: CONTENT,
      tool_calls: { kind: "list", of: CALL },
    },
    tool: { role: is("tool"), ...DISPLAYED, tool_call_id: TEXT, name: TEXT, status: STATUS },
  },
};
