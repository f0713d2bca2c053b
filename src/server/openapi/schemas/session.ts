// A session in the chat stream protocol: the events of its stream, and the messages of its history.

import { DECISION_KINDS, type JsonObject, OUTCOME_KINDS } from "../../../core/index.js";
import type { HistoryMessage, StreamEvent } from "../../../dialects/stream/index.js";
import { TOOL_STATUSES } from "../../../sessions/session-event.js";
import { ANY_OBJECT, FLAG, listOf, object, oneOf, ref, TEXT, TIME, TRUE } from "../json-schema.js";

const ANSWERS = { type: "object", additionalProperties: TEXT };
const NUMBER = { type: "number" };
const INDEX = { type: "integer" };

export function actionRequest(): JsonObject {
  return object({ name: TEXT, args: ANY_OBJECT }, { description: TEXT });
}

export function sessionEvent(): JsonObject {
  const block = {
    anyOf: [
      object(is("text"), { is_final: TRUE }),
      object(is("thinking")),
      object({ ...is("tool_use"), id: TEXT, name: TEXT }),
      object({ ...is("tool_result"), tool_call_id: TEXT, name: TEXT }),
      object({ ...is("approval_request"), approval_key: TEXT }),
      object({ ...is("approval_timeout"), approval_key: TEXT }),
    ],
  };
  const review = object({ action_name: TEXT, allowed_decisions: listOf(oneOf(DECISION_KINDS)) });
  const delta = {
    anyOf: [
      object({ text: TEXT }),
      object({ thinking: TEXT }),
      object({ tool_content_message: TEXT }),
      object({ status: oneOf(TOOL_STATUSES) }),
      object(
        { action_requests: listOf(ref("ActionRequest")), review_configs: listOf(review) },
        { timeout_seconds: NUMBER },
      ),
    ],
  };
  const types: Readonly<Record<StreamEvent["type"], JsonObject>> = {
    group_start: object(is("group_start"), { summary: TEXT }),
    group_end: object(is("group_end"), { summary: TEXT }),
    content_block_start: object({ ...is("content_block_start"), index: INDEX, content_block: block }),
    content_block_delta: object({ ...is("content_block_delta"), index: INDEX, delta }),
    content_block_stop: object({ ...is("content_block_stop"), index: INDEX }),
    user_message: object({ ...is("user_message"), text: TEXT }, { by: writer() }),
    approval_resolved: object(
      {
        ...is("approval_resolved"),
        approval_key: TEXT,
        status: oneOf([...OUTCOME_KINDS.filter((kind) => kind !== "expired"), "removed"]),
      },
      { answers: ANSWERS, decisions: listOf(decision("edited_action")) },
    ),
  };
  return { anyOf: Object.values(types) };
}

export function historyMessage(): JsonObject {
  const review = object({ actionName: TEXT, allowedDecisions: listOf(oneOf(DECISION_KINDS)) });
  const status = ["pending", ...OUTCOME_KINDS.filter((kind) => kind !== "answered" && kind !== "decided")];
  const request = object(
    { ...is("approval_request"), isResolved: FLAG, actionRequests: listOf(ref("ActionRequest")) },
    {
      status: oneOf([...status, "removed"]),
      approvalKey: TEXT,
      submittedAnswers: ANSWERS,
      submittedDecisions: listOf(decision("editedAction")),
      answeredByPolicy: TEXT,
      reportedBy: TEXT,
      reviewConfigs: listOf(review),
      timeoutSeconds: NUMBER,
      deadline: TIME,
      reason: TEXT,
    },
  );
  const content = listOf({
    anyOf: [
      object({ ...is("text"), text: TEXT }, { is_final: TRUE }),
      object({ ...is("thinking"), thinking: TEXT }),
      request,
    ],
  });
  const display_type = oneOf(["content", "group_start", "group_item", "group_end"]);
  const call = object({ id: TEXT, name: TEXT }, { tool_content_message: TEXT });
  const shown = {
    summary: { ...TEXT, description: "The summary of the group that the message begins or ends." },
  };
  const roles: Readonly<Record<HistoryMessage["role"], JsonObject>> = {
    user: object({ role: { const: "user" }, display_type, content }, { ...shown, by: writer() }),
    assistant: object(
      { role: { const: "assistant" }, display_type, content },
      { message_type: { const: "step" }, tool_calls: listOf(call), ...shown },
    ),
    tool: object(
      { role: { const: "tool" }, display_type, tool_call_id: TEXT, name: TEXT, status: oneOf(TOOL_STATUSES) },
      shown,
    ),
  };
  return { anyOf: Object.values(roles) };
}

/** Who wrote a message: a person, or an agent that says what it was told. */
function writer(): JsonObject {
  return {
    anyOf: [
      object({ kind: { const: "person" }, id: TEXT, surface: TEXT }, { via: TEXT }),
      object({ kind: { const: "agent" }, name: TEXT }),
    ],
  };
}

/** The stream and the history name the edited action differently, as the document does. */
function decision(edited: "edited_action" | "editedAction"): JsonObject {
  return {
    anyOf: [
      object(is("approve")),
      object({ ...is("edit"), [edited]: object({ name: TEXT, args: ANY_OBJECT }) }),
      object(is("reject"), { message: TEXT }),
    ],
  };
}

function is(type: string): { readonly type: JsonObject } {
  return { type: { const: type } };
}
