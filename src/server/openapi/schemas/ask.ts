// An ask, as it is read and as it is sent. The fields come from the tables of the model; what a
// table cannot say is written here, or said in words. There the parser refuses what passes here.

import type { JsonObject } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import { type Profile, profiles } from "../../../core/kit/profiles.js";
import { ASK, ASK_REQUEST, type AskRequest } from "../../../core/model/ask.js";
import { OPTION } from "../../../core/model/option.js";
import { QUESTION } from "../../../core/model/question.js";
import { listOf, NOTHING, object, readList, ref } from "../json-schema.js";
import { read, sent } from "../model-schemas.js";

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

export function ask(): JsonObject {
  return {
    ...sent(ASK),
    description: "Questions or an approval, and the outcome once it has ended.",
  };
}
