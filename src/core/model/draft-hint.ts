import { LIMITS } from "../kit/limits.js";
import { NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

/** A person saved a draft: their other surfaces may want to fetch it. Not stored with the events, and may be missed. */
export interface DraftHint {
  readonly askId: string;
  readonly session: string;
  readonly person: string;
  readonly surface: string;
}

export const DRAFT_HINT: Model<DraftHint> = {
  name: "DraftHint",
  must: "a hint",
  fields: {
    askId: NAME,
    session: { kind: "id", max: LIMITS.sessionLength, default: "" },
    person: NAME,
    surface: { ...NAME, about: "The surface that saved the draft." },
  },
};
