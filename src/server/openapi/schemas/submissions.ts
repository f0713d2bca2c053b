// What ends an ask. Whether it fits the ask is for the server to say: which ids there are,
// how many picks, whether text is taken.

import { type JsonObject, LIMITS, profiles } from "../../../core/index.js";
import { DECISION } from "../../../core/model/approval.js";
import { ANSWER, OUTCOME } from "../../../core/model/outcome.js";
import { REPORT_SURFACE } from "../../http/parameters.js";
import { idUpTo, object, readList, ref } from "../json-schema.js";
import { read, readEnding, readVariants } from "../model-schemas.js";

export function answersInput(): JsonObject {
  const { max } = profiles.open.questions;
  return readEnding(OUTCOME.variants.answered, { answers: readList(read(ANSWER), { max }) });
}

export function decisionsInput(): JsonObject {
  const range = { min: 1, max: LIMITS.actions };
  return readEnding(OUTCOME.variants.decided, { decisions: readList(readVariants(DECISION), range) });
}

export function reasonInput(): JsonObject {
  return readEnding(OUTCOME.variants.declined);
}

export function replyInput(): JsonObject {
  return readEnding(OUTCOME.variants.replied);
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
      answer: ref("AnswersInput"),
      decide: ref("DecisionsInput"),
      decline: ref("ReasonInput"),
      reply: ref("ReplyInput"),
    },
    {
      additionalProperties: false,
      oneOf: ["answer", "decide", "decline", "reply"].map((name) => ({ required: [name] })),
    },
  );
}
