// What a person sends to a session.

import type { JsonObject } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import {
  ANY_OBJECT,
  idUpTo,
  nullable,
  object,
  readList,
  TEXT,
  textNotBlank,
  textUpTo,
} from "../json-schema.js";
import { jsonBound } from "../model-schemas.js";

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
