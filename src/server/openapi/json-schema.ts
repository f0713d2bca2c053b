// Small builders of JSON Schema (2020-12). What is read takes null for a field that is not given, and a list as
// JSON text, as the parser does: models write both. What is sent has neither.

import type { JsonObject } from "../../core/kit/json.js";
import { NO_CONTROLS } from "../http/parameter.js";
import type { SchemaName } from "./schemas.js";

export type Fields = Readonly<Record<string, JsonObject>>;

export function ref(name: SchemaName): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** `fields` must be there; `optional` may. Others are ignored, so that a newer sender can be understood. */
export function object(fields: Fields, optional: Fields = {}, more: JsonObject = {}): JsonObject {
  const required = Object.keys(fields);
  return {
    type: "object",
    properties: { ...fields, ...optional },
    ...(required.length > 0 && { required }),
    ...more,
  };
}

export function listOf(items: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "array", items, ...more };
}

export function oneOf(values: readonly string[], more: JsonObject = {}): JsonObject {
  return { type: "string", enum: values, ...more };
}

export const TEXT: JsonObject = { type: "string" };
export const FLAG: JsonObject = { type: "boolean" };
export const TRUE: JsonObject = { const: true };
export const NOTHING: JsonObject = { type: "null" };
export const TIME: JsonObject = { type: "integer", description: "Milliseconds since the epoch." };
/** With `additionalProperties`: without it, generated clients take an object without properties for an empty one. */
export const ANY_OBJECT: JsonObject = { type: "object", additionalProperties: true };

/** JSON Schema counts code points, the parser UTF-16 code units: it may refuse what is just within `max` here. */
export function textUpTo(max: number, more: JsonObject = {}): JsonObject {
  return { type: "string", maxLength: max, ...more };
}

export function textNotBlank(max: number, more: JsonObject = {}): JsonObject {
  return textUpTo(max, { pattern: "\\S", ...more });
}

/** Ids, keys and sessions. Blank ones and halves of a character are refused too, which is not said here. */
export function idUpTo(max: number, more: JsonObject = {}): JsonObject {
  return textUpTo(max, { minLength: 1, pattern: NO_CONTROLS, ...more });
}

/** A field that may also be null, which is the same as not giving it. */
export function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values, description, ...rest } = schema;
  if (typeof type !== "string") {
    return { ...(description !== undefined && { description }), anyOf: [schemaWithout(schema), NOTHING] };
  }
  return {
    ...(description !== undefined && { description }),
    type: [type, "null"],
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...rest,
  };
}

/** A list as it is read: an array, or its JSON as text. What the text must hold is the same; it is not said here. */
export function readList(
  items: JsonObject,
  range: { readonly min?: number; readonly max: number },
  more: JsonObject = {},
): JsonObject {
  const { min = 0, max } = range;
  return {
    ...more,
    anyOf: [
      listOf(items, { ...(min > 0 && { minItems: min }), maxItems: max }),
      { type: "string", contentMediaType: "application/json", description: "The array as JSON text." },
    ],
  };
}

function schemaWithout({ description: _, ...schema }: JsonObject): JsonObject {
  return schema;
}
