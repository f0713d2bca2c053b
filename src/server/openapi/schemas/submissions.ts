// What ends an ask. Whether it fits the ask is for the server to say: which ids there are,
// how many picks, whether text is taken.

import type { JsonObject } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import { profiles } from "../../../core/kit/profiles.js";
import { DECISION } from "../../../core/model/approval.js";
import { ENDING_INPUTS, ENDING_TYPES, type EndingInput } from "../../../core/model/ending.js";
import { ANSWER } from "../../../core/model/outcome.js";
import { REPORT_SURFACE } from "../../http/parameters.js";
import { idUpTo, object, readList, ref } from "../json-schema.js";
import { read, readEnding, readVariants } from "../model-schemas.js";

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
