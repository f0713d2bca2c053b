// What ends an ask, or is kept until then. Whether it fits the ask is for the server to say: which ids there are,
// how many picks, whether text is taken.

import { type JsonObject, LIMITS, profiles } from "../../../core/index.js";
import { LINK_MS } from "../../link-times.js";
import {
  ANY_OBJECT,
  FLAG,
  idUpTo,
  nullable,
  nullables,
  object,
  readList,
  TEXT,
  textNotBlank,
  textUpTo,
} from "../json-schema.js";
import { jsonBound } from "./ask-input.js";

const note = { note: textUpTo(LIMITS.noteLength, { description: "A remark on the whole." }) };

export function answersInput(): JsonObject {
  const { questions, options } = profiles.open;
  const answer = object(
    { question: { ...TEXT, description: "The question's id." } },
    nullables({
      selected: readList(TEXT, options, { description: "Option ids, or exact labels." }),
      text: textUpTo(LIMITS.textLength, { description: "What was typed." }),
      note: textUpTo(LIMITS.noteLength),
      skipped: { ...FLAG, description: "Left blank, where the ask allows that." },
    }),
  );
  const answers = readList(answer, { max: questions.max }, { description: "One for each question." });
  return object({ answers }, nullables(note));
}

export function decisionsInput(): JsonObject {
  const action = { ...TEXT, description: "The action's id." };
  const decision = {
    anyOf: [
      object({ action, kind: { const: "approve" } }),
      object({
        action,
        kind: { const: "edit" },
        args: { ...ANY_OBJECT, description: jsonBound(LIMITS.argsLength) },
      }),
      object({ action, kind: { const: "reject" } }, nullables({ message: textUpTo(LIMITS.reasonLength) })),
    ],
  };
  const decisions = readList(
    decision,
    { min: 1, max: LIMITS.actions },
    { description: "One for each action." },
  );
  return object({ decisions }, nullables(note));
}

export function reasonInput(): JsonObject {
  return object({}, { reason: nullable(textUpTo(LIMITS.reasonLength, { description: "Why, in words." })) });
}

export function replyInput(): JsonObject {
  return object({ text: textNotBlank(LIMITS.textLength) });
}

export function draftInput(): JsonObject {
  return object({
    draft: {
      ...ANY_OBJECT,
      description: `Whatever the surface needs to go on. ${jsonBound(LIMITS.draftLength)}`,
    },
  });
}

export function linkInput(): JsonObject {
  return object(
    {
      person: idUpTo(LIMITS.idLength, {
        description: "Whose link it is; a recipient of the ask, if it has any.",
      }),
    },
    {
      expiresIn: {
        type: "integer",
        minimum: LINK_MS.min,
        maximum: LINK_MS.max,
        default: LINK_MS.usual,
        description: "In milliseconds.",
      },
    },
  );
}
