// What is read, where a table of the model cannot say it: which fields go together, and what is said in words. The
// parser refuses more than these schemas: which ids an ask has, how many picks, whether text is taken.

import type { JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { type Profile, profiles } from "../../core/kit/profiles.js";
import { DECISION } from "../../core/model/approval.js";
import { ASK_REQUEST, type AskRequest } from "../../core/model/ask.js";
import { ENDING_INPUTS, ENDING_TYPES, type EndingInput } from "../../core/model/ending.js";
import { OPTION } from "../../core/model/option.js";
import { ANSWER } from "../../core/model/outcome.js";
import { QUESTION } from "../../core/model/question.js";
import { REPORT_SURFACE } from "../http/parameters.js";
import {
  ANY_OBJECT,
  idUpTo,
  listOf,
  NOTHING,
  nullable,
  object,
  readList,
  ref,
  TEXT,
  textNotBlank,
  textUpTo,
} from "./json-schema.js";
import { jsonBound, read, readEnding, readVariants } from "./model-schemas.js";

export function optionInput(): JsonObject {
  return read(OPTION, profiles.open, {
    description: "A choice: its label, or an object with a label. At most one option may have input: true.",
  });
}

export function questionInput(profile: Profile): JsonObject {
  return read(QUESTION, profile, {
    not: object({ secret: { const: true } }),
    description: "Must not be true: questions cannot ask for secrets.",
  });
}

export function askInput(profile: Profile): JsonObject {
  const { questions: _questions, approval: _approval, ...fields } = ASK_REQUEST.fields;
  return read<Omit<AskRequest, "questions" | "approval">>({ fields }, profile, {
    description: `Questions or an approval, not both. All text together has at most ${LIMITS.askLength.toLocaleString("en")} characters, counted in UTF-16 code units, as are all lengths here.`,
    anyOf: [
      object(
        { questions: readList(ref("QuestionInput"), profile.questions) },
        { approval: NOTHING },
        { title: "With questions" },
      ),
      object(
        { approval: ref("ApprovalInput") },
        { questions: { anyOf: [NOTHING, listOf({}, { maxItems: 0 })] } },
        { title: "Or with an approval" },
      ),
    ],
  });
}

/** By the names of the endings' schemas. */
export function endingInputs(): Readonly<Record<EndingInput, JsonObject>> {
  const { max } = profiles.open.questions;
  const lists = {
    answers: readList(read(ANSWER), { max }),
    decisions: readList(readVariants(DECISION), { min: 1, max: LIMITS.actions }),
  };
  // Safe to cast: the table has an entry for each.
  return Object.fromEntries(
    ENDING_TYPES.map((type) => [ENDING_INPUTS[type], readEnding(type, lists)]),
  ) as Record<EndingInput, JsonObject>;
}

export function reportInput(): JsonObject {
  return object(
    {},
    {
      person: idUpTo(LIMITS.idLength, {
        description:
          "The person who gave the answer. May be omitted if the token reports for one person only.",
      }),
      surface: { ...REPORT_SURFACE.schema, description: REPORT_SURFACE.description },
      ...Object.fromEntries(ENDING_TYPES.map((type) => [type, ref(ENDING_INPUTS[type])])),
    },
    {
      additionalProperties: false,
      oneOf: ENDING_TYPES.map((type) => ({ required: [type] })),
    },
  );
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
        { ...more, decisions: NOTHING },
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
        { ...more, answers: NOTHING },
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
