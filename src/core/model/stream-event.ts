// A session in the chat stream protocol: the requests and answers in it, and the events of its stream.

import type { JsonObject } from "../kit/json.js";
import { ANY_TEXT, COUNT } from "../read/common-fields.js";
import { is, type Model, type TextField, type Variants } from "../read/field.js";
import { DECISION_KINDS, type DecisionKind, OUTCOME_KINDS, type OutcomeKind } from "./kinds.js";

/** The answers by the text of their questions. */
export type AnswersMap = Readonly<Record<string, string>>;

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

export interface EditedAction {
  readonly name: string;
  readonly args: JsonObject;
}

/** One decision for each action, in order. */
export type StreamDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly edited_action: EditedAction }
  | { readonly type: "reject"; readonly message?: string };

export type StreamEvent =
  | { readonly type: "group_start"; readonly summary?: string }
  | { readonly type: "group_end"; readonly summary?: string }
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: StreamBlock }
  | { readonly type: "content_block_delta"; readonly index: number; readonly delta: StreamDelta }
  | { readonly type: "content_block_stop"; readonly index: number }
  /** An addition of Askline: what was said to the agent, for the other clients of the session, and who wrote it. */
  | { readonly type: "user_message"; readonly text: string; readonly by?: MessageWriter }
  /** An addition of Askline: a request was settled before its deadline, so that every open card can close. */
  | {
      readonly type: "approval_resolved";
      readonly approval_key: string;
      readonly status: Exclude<OutcomeKind, "expired"> | "removed";
      readonly answers?: AnswersMap;
      readonly decisions?: readonly StreamDecision[];
    };

/** Who wrote a message, as the server checked it: a person, or an agent that says what it was told. */
export type MessageWriter =
  | { readonly kind: "person"; readonly id: string; readonly surface: string; readonly via?: string }
  | { readonly kind: "agent"; readonly name: string };

export type StreamBlock =
  | { readonly type: "text"; readonly is_final?: true }
  | { readonly type: "thinking" }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string }
  | { readonly type: "tool_result"; readonly tool_call_id: string; readonly name: string }
  | { readonly type: "approval_request"; readonly approval_key: string }
  | { readonly type: "approval_timeout"; readonly approval_key: string };

export type ToolStatus = "success" | "error";

export type StreamDelta =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly tool_content_message: string }
  | { readonly status: ToolStatus }
  | ApprovalRequest
  | JsonObject;

/** Only sent, so it needs no bound. */
export const TEXT: TextField & { readonly required: true } = { ...ANY_TEXT, required: true };
const ARGS = { kind: "json", max: Number.POSITIVE_INFINITY, required: true } as const;
export const STATUS: { readonly kind: "choice"; readonly choices: readonly ToolStatus[]; required: true } = {
  ...{ kind: "choice", choices: ["success", "error"], required: true },
};

export const ACTION_REQUEST: Model<ActionRequest> = {
  name: "ActionRequest",
  must: "an action",
  fields: { name: TEXT, args: ARGS, description: ANY_TEXT },
};

export const EDITED_ACTION: Model<EditedAction> = { must: "an action", fields: { name: TEXT, args: ARGS } };

const REVIEW_CONFIG: Model<ReviewConfig> = {
  must: "the decisions that an action allows",
  fields: {
    action_name: TEXT,
    allowed_decisions: { kind: "choices", choices: DECISION_KINDS, default: DECISION_KINDS },
  },
};

const APPROVAL_REQUEST: Model<ApprovalRequest> = {
  must: "a request",
  fields: {
    action_requests: { kind: "list", of: ACTION_REQUEST, required: true },
    review_configs: { kind: "list", of: REVIEW_CONFIG, required: true },
    timeout_seconds: { kind: "number" },
  },
};

export const WRITER: Variants<MessageWriter> = {
  variants: {
    person: { kind: is("person"), id: TEXT, surface: TEXT, via: ANY_TEXT },
    agent: { kind: is("agent"), name: TEXT },
  },
};

const DECISION: Variants<StreamDecision> = {
  variants: {
    approve: { type: is("approve") },
    edit: { type: is("edit"), edited_action: { kind: "object", of: EDITED_ACTION, required: true } },
    reject: { type: is("reject"), message: ANY_TEXT },
  },
};

const BLOCK: Variants<StreamBlock> = {
  variants: {
    text: { type: is("text"), is_final: { kind: "mark" } },
    thinking: { type: is("thinking") },
    tool_use: { type: is("tool_use"), id: TEXT, name: TEXT },
    tool_result: { type: is("tool_result"), tool_call_id: TEXT, name: TEXT },
    approval_request: { type: is("approval_request"), approval_key: TEXT },
    approval_timeout: { type: is("approval_timeout"), approval_key: TEXT },
  },
};

const DELTA: Variants = {
  variants: {
    text: { text: TEXT },
    thinking: { thinking: TEXT },
    tool_use: { tool_content_message: TEXT },
    tool_result: { status: STATUS },
    approval_request: APPROVAL_REQUEST.fields,
  },
};

export const STREAM_EVENT: Variants<StreamEvent> = {
  variants: {
    group_start: { type: is("group_start"), summary: ANY_TEXT },
    group_end: { type: is("group_end"), summary: ANY_TEXT },
    content_block_start: {
      type: is("content_block_start"),
      index: COUNT,
      content_block: { kind: "object", of: BLOCK, required: true },
    },
    content_block_delta: { type: is("content_block_delta"), index: COUNT, delta: { ...ARGS, shapes: DELTA } },
    content_block_stop: { type: is("content_block_stop"), index: COUNT },
    user_message: { type: is("user_message"), text: TEXT, by: { kind: "object", of: WRITER } },
    approval_resolved: {
      type: is("approval_resolved"),
      approval_key: TEXT,
      status: {
        kind: "choice",
        choices: [...OUTCOME_KINDS.filter((kind) => kind !== "expired"), "removed"],
        required: true,
      },
      answers: { kind: "texts" },
      decisions: { kind: "list", of: DECISION },
    },
  },
};
