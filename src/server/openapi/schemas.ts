// The schemas of the API's document, by name.

import { ISSUE_CODES } from "../../core/kit/issue.js";
import type { JsonObject } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import { ACTION, APPROVAL, DECISION } from "../../core/model/approval.js";
import { AUDIT_ENTRY, SYSTEM_EVENT } from "../../core/model/audit.js";
import { CHOICE, DELIVERED_OUTCOME } from "../../core/model/delivered-outcome.js";
import { DEVICE } from "../../core/model/device.js";
import { DRAFT_INPUT } from "../../core/model/draft.js";
import { DRAFT_HINT } from "../../core/model/draft-hint.js";
import { ERROR_CODES } from "../../core/model/error.js";
import { ASK_EVENT } from "../../core/model/event.js";
import { HISTORY_MESSAGE } from "../../core/model/history-message.js";
import { LINK_INPUT } from "../../core/model/link.js";
import {
  FOCUS_INPUT,
  NOTIFICATION_PREFERENCES,
  PREFERENCE_CHANGES,
  PUSH_DEVICE,
  PUSH_INPUT,
} from "../../core/model/notifications.js";
import { NOTIFY_STEP } from "../../core/model/notify.js";
import { OPTION } from "../../core/model/option.js";
import { ANSWER, ANSWERER } from "../../core/model/outcome.js";
import { LISTED_PERSON, REASSIGN_INPUT, REMOVED_PERSON } from "../../core/model/person.js";
import { QUESTION } from "../../core/model/question.js";
import { RESUME_INPUT } from "../../core/model/resume.js";
import { RULE } from "../../core/model/rule.js";
import { SESSION_EVENT } from "../../core/model/session-event.js";
import { ACTION_REQUEST, STREAM_EVENT } from "../../core/model/stream-event.js";
import { TICKET_INPUT } from "../../core/model/ticket.js";
import { CALLER, TOKEN_INFO, TOKEN_INPUT } from "../../core/model/token.js";
import { ANY_OBJECT, type Fields, listOf, nullable, object, oneOf, ref, TEXT, TIME } from "./json-schema.js";
import { read, readVariants, sent, taken } from "./model-schemas.js";
import type { SchemaName } from "./schema-name.js";
import { ask, askInput, optionInput, questionInput } from "./schemas/ask.js";
import { sessionMessageInput } from "./schemas/session-input.js";
import { endingInputs, reportInput } from "./schemas/submissions.js";

export function schemas(): Readonly<Record<SchemaName, JsonObject>> {
  return {
    AskInput: askInput(profiles.open),
    QuestionInput: questionInput(profiles.open),
    OptionInput: optionInput(),
    ApprovalInput: read(APPROVAL),
    ActionInput: read(ACTION),
    ...endingInputs(),
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
    Rule: sent(RULE),
    RuleList: listIn("rules", ref("Rule")),
    ResumeInput: taken(RESUME_INPUT, EXACT),
    DraftInput: taken(DRAFT_INPUT),
    LinkInput: taken(LINK_INPUT, EXACT),
    TokenInput: taken(TOKEN_INPUT, EXACT),
    TicketInput: taken(TICKET_INPUT, EXACT),
    NotifyStepInput: read(NOTIFY_STEP),
    PushInput: taken(PUSH_INPUT),
    NotificationPreferencesInput: taken(PREFERENCE_CHANGES),
    FocusInput: taken(FOCUS_INPUT),
    SessionEventInput: readVariants(SESSION_EVENT, profiles.chat),
    ChatQuestionInput: questionInput(profiles.chat),
    SessionMessageInput: sessionMessageInput(),
    Ask: ask(),
    Question: sent(QUESTION),
    Option: sent(OPTION),
    Approval: sent(APPROVAL),
    Action: sent(ACTION),
    Answer: sent(ANSWER),
    Decision: sent(DECISION),
    Answerer: sent(ANSWERER),
    Choice: sent(CHOICE),
    Outcome: sent(DELIVERED_OUTCOME),
    NotifyStep: sent(NOTIFY_STEP),
    PushDevice: sent(PUSH_DEVICE),
    PushResponse: listIn("devices", ref("PushDevice"), { publicKey: TEXT }),
    NotificationPreferences: sent(NOTIFICATION_PREFERENCES),
    AskEvent: sent(ASK_EVENT),
    Audit: listIn("audit", sent(AUDIT_ENTRY)),
    SystemAudit: listIn("audit", sent(SYSTEM_EVENT), NEXT),
    AskResponse: object(
      { ask: ref("Ask") },
      { warnings: listOf(TEXT, { description: "What may keep a new ask from being answered." }) },
    ),
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
          description: "The ids of the asks that an agent is waiting for, at any server on the same store.",
        }),
      },
      {
        ...NEXT,
        unknown: listOf(object({ ask: TEXT, people: listOf(TEXT) }), {
          description: "The pending asks with recipients that the server does not know, or who have left.",
        }),
      },
    ),
    ReassignInput: taken(REASSIGN_INPUT, EXACT),
    Person: sent(LISTED_PERSON),
    PersonList: listIn("people", ref("Person")),
    RemovedPerson: sent(REMOVED_PERSON),
    DraftResponse: object({ draft: nullable(ANY_OBJECT) }),
    DraftHint: sent(DRAFT_HINT),
    LinkResponse: object({ url: TEXT, expiresAt: TIME }),
    DeviceList: listIn("devices", sent(DEVICE)),
    TokenInfo: sent(TOKEN_INFO),
    TokenResponse: object({ token: TEXT, info: ref("TokenInfo") }),
    TokenPage: listIn("tokens", ref("TokenInfo"), NEXT),
    TicketResponse: object({ ticket: TEXT, expiresAt: TIME }),
    SessionRequestResponse: object({
      ask: ref("Ask"),
      approvalKey: { ...TEXT, description: "The name of the request in the stream." },
    }),
    SessionEvent: sent(STREAM_EVENT),
    OpenedSession: object({
      type: { const: "session.opened" },
      at: TIME,
      session: TEXT,
      person: { ...TEXT, description: "The person who opened it, and who alone reads it." },
    }),
    HistoryMessage: sent(HISTORY_MESSAGE),
    History: listOf(ref("HistoryMessage")),
    ActionRequest: sent(ACTION_REQUEST),
    StatusResponse: object({ status: TEXT }),
    ServerInfo: object({}, { version: TEXT, caller: sent(CALLER) }),
    ProofResponse: object({ proof: TEXT }),
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

/** A list, and what may be beside it. */
function listIn(name: string, items: JsonObject, optional: Fields = {}): JsonObject {
  return object({ [name]: listOf(items) }, optional);
}

const NEXT = { next: { ...TEXT, description: "The cursor of the next page; absent on the last." } };

/** Without other fields. */
const EXACT: JsonObject = { additionalProperties: false };

/** Names that there may be more of one day, in the same version of the API. */
function open(names: readonly string[]): JsonObject {
  return oneOf(names, { "x-extensible": true });
}
