// What an agent writes into a session, and what a person sends to it.

import { type JsonObject, LIMITS, profiles } from "../../../core/index.js";
import {
  LOCALE_LENGTH,
  SESSION_EVENT_TYPES,
  type SessionEvent,
  TOOL_RULES,
  TOOL_STATUSES,
} from "../../../sessions/session-event.js";
import {
  ANY_OBJECT,
  FLAG,
  idUpTo,
  nullable,
  nullables,
  object,
  oneOf,
  readList,
  ref,
  TEXT,
  textNotBlank,
  textUpTo,
} from "../json-schema.js";
import { jsonBound } from "../model-schemas.js";
import { actionList } from "./ask.js";

export function sessionEventInput(): JsonObject {
  const text = textNotBlank(LIMITS.askLength);
  const request = nullables({
    key: idUpTo(LIMITS.keyLength, { description: "The tool-call id: the same key is the same request." }),
    context: textUpTo(LIMITS.contextLength, { description: "Markdown for the person who decides." }),
    timeoutMs: {
      type: "integer",
      minimum: 1,
      maximum: LIMITS.durationMs,
      description: "Null for no deadline; the default deadline if omitted.",
    },
  });
  const rule = { properties: Object.fromEntries(TOOL_RULES.map((name) => [name, nullable(FLAG)])) };
  const types: Readonly<Record<SessionEvent["type"], JsonObject>> = {
    open: object(
      is("open"),
      nullables({
        locale: textUpTo(LOCALE_LENGTH),
        agentId: idUpTo(LIMITS.idLength),
        recipients: readList(idUpTo(LIMITS.idLength), { max: LIMITS.recipients }),
      }),
    ),
    user: object({ ...is("user"), text }),
    thinking: object({ ...is("thinking"), text }),
    text: object({ ...is("text"), text }, { final: nullable(FLAG) }),
    summary: object({ ...is("summary"), text }),
    tool_use: object(
      { ...is("tool_use"), id: idUpTo(LIMITS.idLength), name: idUpTo(LIMITS.actionNameLength) },
      { message: nullable(textUpTo(LIMITS.descriptionLength)), rule },
    ),
    tool_result: object(
      { ...is("tool_result"), id: idUpTo(LIMITS.idLength) },
      { status: nullable(oneOf(TOOL_STATUSES)) },
    ),
    ask: object(
      { ...is("ask"), questions: readList(ref("ChatQuestionInput"), profiles.chat.questions) },
      request,
    ),
    approve: object({ ...is("approve"), actions: actionList() }, request),
  };
  return {
    description: "One event of a session. The first one, open, may say what holds for all of it.",
    anyOf: SESSION_EVENT_TYPES.map((type) => types[type]),
  };
}

export function sessionMessageInput(): JsonObject {
  const action = object({ args: { ...ANY_OBJECT, description: jsonBound(LIMITS.argsLength) } });
  const edited = {
    anyOf: [object({ edited_action: action }), { ...action, description: "The arguments alone do as well." }],
  };
  const decision = {
    anyOf: [
      object({ type: { const: "approve" } }),
      object({ type: { const: "edit" } }, {}, edited),
      object({ type: { const: "reject" } }, { message: nullable(textUpTo(LIMITS.reasonLength)) }),
    ],
  };
  const address = { ...is("approval"), approval_key: TEXT };
  const more = { session_id: { ...TEXT, description: "If given, the id in the path." } };
  const nothing = { type: "null" };
  return {
    anyOf: [
      object(
        {
          ...address,
          answers: {
            type: "object",
            additionalProperties: TEXT,
            description: "The text of each question, and its answer.",
          },
        },
        { ...more, decisions: nothing },
      ),
      object(
        {
          ...address,
          decisions: readList(
            decision,
            { min: 1, max: LIMITS.actions },
            { description: "One for each action." },
          ),
        },
        { ...more, answers: nothing },
      ),
      object(
        { ...is("message"), text: textNotBlank(LIMITS.askLength) },
        {
          agent: idUpTo(LIMITS.idLength, {
            description: "The name of the agent, for a message that opens a session.",
          }),
        },
      ),
    ],
  };
}

function is(type: string): { readonly type: JsonObject } {
  return { type: { const: type } };
}
