// Reads a body by a table and corrects nothing: each field is as the table says, or missing.

import { durationMs } from "../kit/duration.js";
import { isRecord } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { entriesOf, type Field, type Fields, type Model } from "./field.js";
import { isStored } from "./stored.js";

/** Adds what is wrong to `wrong`, a sentence for each field. If it adds any, the value is not complete. */
export function takenFields<T>(
  { fields }: Pick<Model<T>, "fields">,
  given: Fields,
  wrong: string[],
  within = "",
): T {
  const object: Record<string, unknown> = {};
  for (const [name, field] of entriesOf(fields)) {
    const { [name]: value = "default" in field ? field.default : undefined } = given;
    if (value === undefined && !field.required) continue;
    const path = `${within}${name}`;
    const read = takenField(field, value, wrong, path);
    if (read === undefined) wrong.push(`${path} must ${field.must ?? mustOf(field)}`);
    else object[name] = read;
  }
  return object as T;
}

/** Undefined if it is not valid. */
function takenField(field: Field, value: unknown, wrong: string[], path: string): unknown {
  switch (field.kind) {
    case "object":
      if (field.clears && value === null) return null;
      return isRecord(value) ? takenFields(field.of as Model<object>, value, wrong, `${path}.`) : undefined;
    case "ids":
      return isListOfIds(field, value) ? value : undefined;
    case "duration": {
      // A number alone in a text could be seconds or milliseconds.
      const given = typeof value === "string" && /^\S*[a-z]$/.test(value) ? durationMs(value) : value;
      return isStored(field, given) ? given : undefined;
    }
    case "id":
      return isStored(field, value) && String(value).trim() !== "" ? value : undefined;
    default:
      return isStored(field, value) ? value : undefined;
  }
}

function isListOfIds(
  { min = 0, max, length }: Extract<Field, { readonly kind: "ids" }>,
  value: unknown,
): value is readonly string[] {
  const item: Field =
    length === undefined ? { kind: "id", max: LIMITS.idLength } : { kind: "text", max: length };
  return (
    Array.isArray(value) &&
    value.length >= min &&
    value.length <= max &&
    value.every((id) => takenField(item, id, [], "") !== undefined)
  );
}

/** Completes "must …". */
function mustOf(field: Field): string {
  switch (field.kind) {
    case "id":
      return `have 1 to ${field.max} characters, none of them a control character`;
    case "text":
      return Number.isFinite(field.max) ? `be a text of at most ${field.max} characters` : "be a text";
    case "flag":
      return "be true or false";
    case "integer":
      return `be a whole number from ${field.min} to ${field.max}`;
    case "choice":
      return field.choices.length > 2
        ? `be one of ${field.choices.join(", ")}`
        : `be ${field.choices.join(" or ")}`;
    case "ids":
      return `be a list of ${field.min ?? 0} to ${field.max} ids`;
    case "object":
      return `be ${(field.of as Model<object>).must}`;
    default:
      return "be an object";
  }
}
