// Checks stored data by the tables of the model. It was parsed before it was stored, so nothing is corrected here.

import { isRecord } from "../kit/json.js";
import { entriesOf, type Field, isAlways, type Model, type Variants } from "./field.js";
import { LAST_TIME } from "./read-fields.js";

/** A name: one line of text within its limit, not empty. */
export function isName(value: unknown, max: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= max && !/\p{Cc}/u.test(value);
}

/** Whether a stored value is valid for its field. */
export function isStored(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "id":
      return isName(value, field.max) && (field.pattern?.test(value) ?? true);
    case "text":
      return typeof value === "string" && value.length <= field.max && (field.pattern?.test(value) ?? true);
    case "flag":
      return typeof value === "boolean";
    case "mark":
      return value === true;
    case "number":
      return typeof value === "number";
    case "duration":
    case "integer":
      return isWhole(value, field.min, field.max);
    case "time":
      return isWhole(value, 0, LAST_TIME);
    case "choice":
      return field.choices.some((choice) => choice === value);
    case "constant":
      return value === field.value;
    case "json":
    case "texts":
      return isRecord(value);
    case "ids":
    case "choices":
    case "list":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
  }
}

/** Reads one variant of a union; undefined if a field is not valid. */
export function storedVariant<T extends { readonly kind: string }>(
  { variants }: Variants<T>,
  value: unknown,
): T | undefined {
  if (!isRecord(value) || typeof value.kind !== "string" || !Object.hasOwn(variants, value.kind))
    return undefined;
  const object: Record<string, unknown> = {};
  for (const [name, field] of entriesOf(variants[value.kind as T["kind"]])) {
    if (value[name] === undefined && !isAlways(field)) continue;
    if (!isStored(field, value[name])) return undefined;
    object[name] = value[name];
  }
  return object as T;
}

/** Reads what a server sent, by its table: undefined if a required field is not valid; other invalid fields are dropped. */
export function received<T>({ fields }: Pick<Model<T>, "fields">, value: unknown): T | undefined {
  if (!isRecord(value)) return undefined;
  const object: Record<string, unknown> = {};
  for (const [name, field] of entriesOf(fields)) {
    const read = receivedField(field, value[name]);
    if (read !== undefined) object[name] = read;
    else if (isAlways(field)) return undefined;
  }
  return object as T;
}

function receivedField(field: Field, value: unknown): unknown {
  if (field.kind === "object" && field.of.variants !== undefined) {
    return storedVariant(field.of as Variants<{ readonly kind: string }>, value);
  }
  const isOpen = field.kind === "choice" && field.open && typeof value === "string";
  return isOpen || isStored(field, value) ? value : undefined;
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
}
