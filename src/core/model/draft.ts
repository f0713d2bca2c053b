import type { Issue } from "../kit/issue.js";
import { deepFreeze, type JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import type { Model } from "../read/field.js";
import { guarded } from "../read/input-reader.js";

/** A person's unfinished answers to one ask, in whatever form the surface needs. Only its size is checked. */
export type Draft = JsonObject;

/** Checks the size of a draft and returns a frozen copy. */
export function parseDraft(
  value: unknown,
): { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly issues: readonly Issue[] } {
  return guarded((reader) => ({
    ok: true,
    draft: deepFreeze(reader.object(value, [], LIMITS.draftLength) ?? {}),
  }));
}

export const DRAFT_INPUT: Model<{ readonly draft: Draft }> = {
  must: "an object with a draft",
  fields: {
    draft: {
      kind: "json",
      max: LIMITS.draftLength,
      required: true,
      about:
        "Unfinished answers as `askline/form` saves them, so that another surface can continue; any other object is stored unchanged.",
    },
  },
};
