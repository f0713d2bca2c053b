// The schemas of the API's document, by name.

import { ISSUE_CODES } from "../../core/kit/issue.js";
import type { JsonObject } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import { ACTION, APPROVAL, DECISION } from "../../core/model/approval.js";
import { ASK } from "../../core/model/ask.js";
import { AUDIT_ENTRY, SYSTEM_EVENT } from "../../core/model/audit.js";
import { CHOICE, DELIVERED_OUTCOME } from "../../core/model/delivered-outcome.js";
import { DEVICE } from "../../core/model/device.js";
import { DRAFT_INPUT } from "../../core/model/draft.js";
import { DRAFT_HINT } from "../../core/model/draft-hint.js";
import type { EndingInput } from "../../core/model/ending.js";
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
import {
  askInput,
  endingInputs,
  optionInput,
  questionInput,
  reportInput,
  sessionMessageInput,
} from "./input-schemas.js";
import { ANY_OBJECT, type Fields, listOf, nullable, object, oneOf, ref, TEXT, TIME } from "./json-schema.js";
import { read, readVariants, sent, taken } from "./model-schemas.js";

const SCHEMAS = {
  AskInput: (): JsonObject => askInput(profiles.open),
  QuestionInput: (): JsonObject => questionInput(profiles.open),
  OptionInput: (): JsonObject => optionInput(),
  ApprovalInput: (): JsonObject => read(APPROVAL),
  ActionInput: (): JsonObject => read(ACTION),
  ReportInput: (): JsonObject => reportInput(),
  McpMessage: (): JsonObject => ({ ...ANY_OBJECT, description: "A JSON-RPC 2.0 message." }),
  ClaudeHookInput: (): JsonObject => ({
    ...ANY_OBJECT,
    description: "An event of Claude Code, as its hooks send it.",
  }),
  ClaudeHookOutput: (): JsonObject => ({
    ...ANY_OBJECT,
    description: "What Claude Code reads from a hook: hookSpecificOutput.",
  }),
  Rule: (): JsonObject => sent(RULE),
  RuleList: (): JsonObject => listIn("rules", ref("Rule")),
  ResumeInput: (): JsonObject => taken(RESUME_INPUT, EXACT),
  DraftInput: (): JsonObject => taken(DRAFT_INPUT),
  LinkInput: (): JsonObject => taken(LINK_INPUT, EXACT),
  TokenInput: (): JsonObject => taken(TOKEN_INPUT, EXACT),
  TicketInput: (): JsonObject => taken(TICKET_INPUT, EXACT),
  NotifyStepInput: (): JsonObject => read(NOTIFY_STEP),
  PushInput: (): JsonObject => taken(PUSH_INPUT),
  NotificationPreferencesInput: (): JsonObject => taken(PREFERENCE_CHANGES),
  FocusInput: (): JsonObject => taken(FOCUS_INPUT),
  SessionEventInput: (): JsonObject => readVariants(SESSION_EVENT, profiles.chat),
  ChatQuestionInput: (): JsonObject => questionInput(profiles.chat),
  SessionMessageInput: (): JsonObject => sessionMessageInput(),
  Ask: (): JsonObject => ({
    ...sent(ASK),
    description: "Questions or an approval, and the outcome once it has ended.",
  }),
  Question: (): JsonObject => sent(QUESTION),
  Option: (): JsonObject => sent(OPTION),
  Approval: (): JsonObject => sent(APPROVAL),
  Action: (): JsonObject => sent(ACTION),
  Answer: (): JsonObject => sent(ANSWER),
  Decision: (): JsonObject => sent(DECISION),
  Answerer: (): JsonObject => sent(ANSWERER),
  Choice: (): JsonObject => sent(CHOICE),
  Outcome: (): JsonObject => sent(DELIVERED_OUTCOME),
  NotifyStep: (): JsonObject => sent(NOTIFY_STEP),
  PushDevice: (): JsonObject => sent(PUSH_DEVICE),
  PushResponse: (): JsonObject => listIn("devices", ref("PushDevice"), { publicKey: TEXT }),
  NotificationPreferences: (): JsonObject => sent(NOTIFICATION_PREFERENCES),
  AskEvent: (): JsonObject => sent(ASK_EVENT),
  Audit: (): JsonObject => listIn("audit", sent(AUDIT_ENTRY)),
  SystemAudit: (): JsonObject => listIn("audit", sent(SYSTEM_EVENT), NEXT),
  AskResponse: (): JsonObject =>
    object(
      { ask: ref("Ask") },
      { warnings: listOf(TEXT, { description: "What may keep a new ask from being answered." }) },
    ),
  ResumeResponse: (): JsonObject =>
    object(
      {
        claimed: {
          type: "boolean",
          description: "Whether the holder has the lease, or had it when it ended it.",
        },
      },
      { expiresAt: TIME },
    ),
  AskPage: (): JsonObject =>
    object(
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
  ReassignInput: (): JsonObject => taken(REASSIGN_INPUT, EXACT),
  Person: (): JsonObject => sent(LISTED_PERSON),
  PersonList: (): JsonObject => listIn("people", ref("Person")),
  RemovedPerson: (): JsonObject => sent(REMOVED_PERSON),
  DraftResponse: (): JsonObject => object({ draft: nullable(ANY_OBJECT) }),
  DraftHint: (): JsonObject => sent(DRAFT_HINT),
  LinkResponse: (): JsonObject => object({ url: TEXT, expiresAt: TIME }),
  DeviceList: (): JsonObject => listIn("devices", sent(DEVICE)),
  TokenInfo: (): JsonObject => sent(TOKEN_INFO),
  TokenResponse: (): JsonObject => object({ token: TEXT, info: ref("TokenInfo") }),
  TokenPage: (): JsonObject => listIn("tokens", ref("TokenInfo"), NEXT),
  TicketResponse: (): JsonObject => object({ ticket: TEXT, expiresAt: TIME }),
  SessionRequestResponse: (): JsonObject =>
    object({
      ask: ref("Ask"),
      approvalKey: { ...TEXT, description: "The name of the request in the stream." },
    }),
  SessionEvent: (): JsonObject => sent(STREAM_EVENT),
  OpenedSession: (): JsonObject =>
    object({
      type: { const: "session.opened" },
      at: TIME,
      session: TEXT,
      person: { ...TEXT, description: "The person who opened it, and who alone reads it." },
    }),
  HistoryMessage: (): JsonObject => sent(HISTORY_MESSAGE),
  History: (): JsonObject => listOf(ref("HistoryMessage")),
  ActionRequest: (): JsonObject => sent(ACTION_REQUEST),
  StatusResponse: (): JsonObject => object({ status: TEXT }),
  ServerInfo: (): JsonObject => object({}, { version: TEXT, caller: sent(CALLER) }),
  ProofResponse: (): JsonObject => object({ proof: TEXT }),
  ApiDocument: (): JsonObject => ANY_OBJECT,
  Issue: (): JsonObject =>
    object({
      code: open(ISSUE_CODES),
      path: listOf({ type: ["string", "integer"] }, { description: "Where in the body." }),
      message: TEXT,
    }),
  Problem: (): JsonObject =>
    object({
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

export type SchemaName = keyof typeof SCHEMAS | EndingInput;

export function schemas(): Readonly<Record<string, JsonObject>> {
  const own = Object.entries(SCHEMAS).map(([name, schema]) => [name, schema()]);
  return { ...Object.fromEntries(own), ...endingInputs() };
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
