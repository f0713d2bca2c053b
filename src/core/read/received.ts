import { isRecord } from "../kit/json.js";
import { entriesOf, type Field, isAlways, type Model, type Variants } from "./field.js";
import { isStored, storedVariant } from "./stored.js";

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
