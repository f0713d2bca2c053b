// The schemas of the API's document, by name.

import { ERROR_CODES, ISSUE_CODES, type JsonObject, profiles } from "../../core/index.js";
import { ACTION, APPROVAL, DECISION } from "../../core/model/approval.js";
import { CHOICE, DELIVERED_OUTCOME } from "../../core/model/delivered-outcome.js";
import { ASK_EVENT } from "../../core/model/event.js";
import { NOTIFY_STEP } from "../../core/model/notify.js";
import { OPTION } from "../../core/model/option.js";
import { ANSWER, ANSWERER } from "../../core/model/outcome.js";
import { QUESTION } from "../../core/model/question.js";
import { ROLES } from "../../core/model/visibility.js";
import { ANY_OBJECT, FLAG, listOf, object, oneOf, ref, TEXT, TIME, TRUE } from "./json-schema.js";
import { read, sent, sentVariants } from "./model-schemas.js";
import type { SchemaName } from "./schema-name.js";
import { ask, askInput, auditEntry, optionInput, questionInput } from "./schemas/ask.js";
import { preferences, preferencesInput, pushDevice, pushInput } from "./schemas/notifications.js";
import { actionRequest, historyMessage, sessionEvent } from "./schemas/session.js";
import { sessionEventInput, sessionMessageInput } from "./schemas/session-input.js";
import {
  answersInput,
  decisionsInput,
  draftInput,
  linkInput,
  reasonInput,
  replyInput,
  reportInput,
  resumeInput,
  ticketInput,
  tokenInput,
} from "./schemas/submissions.js";

export function schemas(): Readonly<Record<SchemaName, JsonObject>> {
  return {
    AskInput: askInput(profiles.open),
    QuestionInput: questionInput(profiles.open),
    OptionInput: optionInput(),
    ApprovalInput: read(APPROVAL),
    ActionInput: read(ACTION),
    AnswersInput: answersInput(),
    DecisionsInput: decisionsInput(),
    ReasonInput: reasonInput(),
    ReplyInput: replyInput(),
    ReportInput: reportInput(),
    McpMessage: { ...ANY_OBJECT, description: "A JSON-RPC 2.0 message." },
    ClaudeHookInput: {
      ...ANY_OBJECT,
      description: "An event of Claude Code, as its hooks send it.",
    },
    ClaudeHookOutput: {
      ...ANY_OBJECT,
      description: "What Claude Code reads from a hook: hookSpecificOutput.",
    },
    Rule: object(
      {
        id: TEXT,
        effect: oneOf(["allow", "deny"]),
        person: { ...TEXT, description: "Who made it." },
        agent: { ...TEXT, description: "The name of the agent's credential." },
        tool: TEXT,
        args: { ...ANY_OBJECT, description: "The arguments that must be equal." },
        ask: { ...TEXT, description: "The ask that it was made of." },
        createdAt: TIME,
      },
      {
        project: { ...TEXT, description: "The project, as the agent names it; nobody has verified it." },
        session: { ...TEXT, description: "Only in this session." },
        field: { ...TEXT, description: "Only this argument must be equal." },
      },
    ),
    RuleList: object({ rules: listOf(ref("Rule")) }),
    ResumeInput: resumeInput(),
    DraftInput: draftInput(),
    LinkInput: linkInput(),
    TokenInput: tokenInput(),
    TicketInput: ticketInput(),
    NotifyStepInput: read(NOTIFY_STEP),
    PushInput: pushInput(),
    NotificationPreferencesInput: preferencesInput(),
    FocusInput: object({ focused: FLAG }),
    SessionEventInput: sessionEventInput(),
    ChatQuestionInput: questionInput(profiles.chat),
    SessionMessageInput: sessionMessageInput(),
    Ask: ask(),
    Question: sent(QUESTION),
    Option: sent(OPTION),
    Approval: sent(APPROVAL),
    Action: sent(ACTION),
    Answer: sent(ANSWER),
    Decision: sentVariants(DECISION),
    Answerer: sentVariants(ANSWERER),
    Choice: sent(CHOICE),
    Outcome: sentVariants(DELIVERED_OUTCOME),
    NotifyStep: sent(NOTIFY_STEP),
    PushDevice: pushDevice(),
    PushResponse: object({ devices: listOf(ref("PushDevice")) }, { publicKey: TEXT }),
    NotificationPreferences: preferences(),
    AskEvent: sent(ASK_EVENT),
    Audit: object({ audit: listOf(auditEntry()) }),
    AskResponse: object({ ask: ref("Ask") }),
    ResumeResponse: object(
      {
        claimed: {
          type: "boolean",
          description: "Whether the holder has the lease, or had it when it ended it.",
        },
      },
      { expiresAt: TIME },
    ),
    AskPage: object(
      {
        asks: listOf(ref("Ask")),
        awaited: listOf(TEXT, {
          description: "The ids of the asks that an agent is waiting for at this server.",
        }),
      },
      { next: { ...TEXT, description: "The cursor of the next page; absent on the last." } },
    ),
    DraftResponse: object({ draft: { type: ["object", "null"] } }),
    DraftHint: object({
      askId: TEXT,
      session: TEXT,
      person: TEXT,
      surface: { ...TEXT, description: "The surface that saved the draft." },
    }),
    LinkResponse: object({ url: TEXT, expiresAt: TIME }),
    DeviceList: object({
      devices: listOf(
        object(
          { id: TEXT, signedInAt: TIME, expiresAt: TIME },
          {
            name: { ...TEXT, description: "The browser and its system, such as `Firefox on Android`." },
            current: { ...TRUE, description: "The browser that sent this request." },
          },
        ),
      ),
    }),
    TokenInfo: object(
      { id: TEXT, role: oneOf(ROLES), name: TEXT, createdAt: TIME },
      { sessions: listOf(TEXT), reports: listOf(TEXT), expiresAt: TIME, automatic: TRUE },
    ),
    TokenResponse: object({ token: TEXT, info: ref("TokenInfo") }),
    TokenPage: object(
      { tokens: listOf(ref("TokenInfo")) },
      { next: { ...TEXT, description: "The cursor of the next page; absent on the last." } },
    ),
    TicketResponse: object({ ticket: TEXT, expiresAt: TIME }),
    SessionRequestResponse: object({
      ask: ref("Ask"),
      approvalKey: { ...TEXT, description: "The name of the request in the stream." },
    }),
    SessionEvent: sessionEvent(),
    OpenedSession: object({
      type: { const: "session.opened" },
      at: TIME,
      session: TEXT,
      person: { ...TEXT, description: "The person who opened it, and who alone reads it." },
    }),
    HistoryMessage: historyMessage(),
    History: listOf(ref("HistoryMessage")),
    ActionRequest: actionRequest(),
    StatusResponse: object({ status: TEXT }),
    ServerInfo: object({}, { version: TEXT }),
    ApiDocument: ANY_OBJECT,
    Issue: object({
      code: open(ISSUE_CODES),
      path: listOf({ type: ["string", "integer"] }, { description: "Where in the body." }),
      message: TEXT,
    }),
    Problem: object({
      error: object(
        { code: open(ERROR_CODES), message: { ...TEXT, description: "For people; the wording may change." } },
        {
          issues: listOf(ref("Issue"), { description: "What exactly is wrong, and where." }),
          outcome: {
            description: "The outcome that was saved first, for already_settled.",
            anyOf: [ref("Outcome")],
          },
        },
      ),
    }),
  };
}

/** Names that there may be more of one day, in the same version of the API. */
function open(names: readonly string[]): JsonObject {
  return oneOf(names, { "x-extensible": true });
}
