// Fields that many tables have.

import { LIMITS } from "../kit/limits.js";

interface Name {
  readonly kind: "id";
  readonly max: number;
}

export const NAME: Name & { readonly required: true } = { kind: "id", max: LIMITS.idLength, required: true };
export const OPTIONAL_NAME: Name = { kind: "id", max: LIMITS.idLength };
/** Bounded by what it may be, or only sent. */
export const ANY_TEXT: { readonly kind: "text"; readonly max: number } = {
  kind: "text",
  max: Number.POSITIVE_INFINITY,
};
export const AT: { readonly kind: "time"; readonly required: true } = { kind: "time", required: true };
export const COUNT: { readonly kind: "integer"; min: 0; max: number; readonly required: true } = {
  ...{ kind: "integer", min: 0, max: Number.MAX_SAFE_INTEGER, required: true },
};
