// The events that an agent writes into a session: the body of `POST /v1/sessions/{id}/events`.

import { LIMITS } from "../kit/limits.js";
import { OPTIONAL_NAME } from "../read/common-fields.js";
import { is, type Model, type TextField, type Variants } from "../read/field.js";
import { type ActionInput, APPROVAL, type Approval } from "./approval.js";
import { ASK_REQUEST, type AskRequest } from "./ask.js";
import type { QuestionInput } from "./question.js";
import type { SessionToolResult, SessionToolUse, ToolRule } from "./session-writer.js";

type Said<Type extends string> = { readonly type: Type; readonly text: string };

export type WrittenEvent =
  | Said<"user">
  | Said<"thinking">
  | Said<"summary">
  | (Said<"text"> & { readonly final: boolean })
  | ({ readonly type: "tool_use" } & SessionToolUse)
  | ({ readonly type: "tool_result" } & Required<SessionToolResult>);

export interface RequestEvent {
  readonly type: "ask" | "approve";
  /** Validated when the ask is built from this event. */
  readonly questions?: readonly QuestionInput[];
  readonly actions?: readonly ActionInput[];
  readonly key?: string;
  readonly context?: string;
  readonly timeoutMs?: number | null;
}

/** Opens a session, with the settings that apply to all of it. */
export interface OpenEvent {
  readonly type: "open";
  readonly locale?: string;
  readonly agentId?: string;
  readonly recipients: readonly string[];
  /** The person who opened it with a first message. Never read from input. */
  readonly openedBy?: string;
}

export type SessionEvent = WrittenEvent | RequestEvent | OpenEvent;

/** A request as the parser of asks reads it. */
type RequestFields = Pick<AskRequest, "key" | "context" | "timeoutMs">;
type AskFields = { readonly type: "ask" } & RequestFields & Pick<AskRequest, "questions">;
type ApproveFields = { readonly type: "approve" } & RequestFields & Approval;

const TEXT = {
  kind: "text",
  max: LIMITS.askLength,
  blank: ["invalid_value", "must not be blank"],
} as const satisfies TextField;

const ID = { kind: "id", max: LIMITS.idLength, required: true } as const;

const TOOL_RULE: Model<ToolRule> = {
  must: "an object with flags",
  fields: {
    streamToolUse: { kind: "flag" },
    streamToolResult: { kind: "flag" },
    displayAsContent: { kind: "flag" },
  },
};

const { questions, key, context, timeoutMs } = ASK_REQUEST.fields;
const REQUEST = {
  key: { ...key, about: "The tool-call id: the same key is the same request." },
  context: { ...context, about: "Markdown for the person who decides." },
  timeoutMs: { ...timeoutMs, about: "Null for no deadline; the default deadline if omitted." },
};

export const SESSION_EVENT: Variants<WrittenEvent | OpenEvent | AskFields | ApproveFields> = {
  about: "One event of a session. The first one, open, may say what holds for all of it.",
  variants: {
    open: {
      type: is("open"),
      locale: { kind: "text", max: 64 },
      agentId: OPTIONAL_NAME,
      recipients: { kind: "ids", max: LIMITS.recipients, unique: true, default: [] },
      openedBy: { ...OPTIONAL_NAME, stored: true },
    },
    user: { type: is("user"), text: TEXT },
    thinking: { type: is("thinking"), text: TEXT },
    text: { type: is("text"), text: TEXT, final: { kind: "flag", default: false } },
    summary: { type: is("summary"), text: TEXT },
    tool_use: {
      type: is("tool_use"),
      id: ID,
      name: { ...ID, max: LIMITS.actionNameLength },
      message: { kind: "text", max: LIMITS.descriptionLength },
      rule: { kind: "object", of: TOOL_RULE, lenient: true },
    },
    tool_result: {
      type: is("tool_result"),
      id: ID,
      status: { kind: "choice", choices: ["success", "error"], default: "success" },
    },
    ask: { type: is("ask"), questions, ...REQUEST },
    approve: { type: is("approve"), actions: APPROVAL.fields.actions, ...REQUEST },
  },
};
