// The approximate size of an ask in characters, used to bound what is kept in memory. Derived from the model tables, so
// a new text field counts without a change here.

import { ASK, type Ask } from "../../core/model/ask.js";
import { QUESTION } from "../../core/model/question.js";
import { type AnyModel, entriesOf, type Field } from "../../core/read/field.js";

/** The overhead of an object, besides its texts. */
const HOLDER = 64;

type Size = (value: unknown) => number;

const sizeOfAsk = sizeOf(ASK);
const sizeOfQuestions = sizeOfItems(sizeOf(QUESTION));

/** The size of the whole ask, including its outcome. */
export function askSize(ask: Ask): number {
  return sizeOfAsk(ask);
}

/** The bytes of an ask as a store keeps it: the JSON of what never changes. Costs far more than `askSize`. */
export function askBytes({ status, deadline, overdue, settledAt, outcome, ...content }: Ask): number {
  return utf8.encode(JSON.stringify(content)).length;
}

const utf8 = new TextEncoder();

/** The size of the questions and the context. */
export function contentSize({ questions, context }: Pick<Ask, "questions" | "context">): number {
  return sizeOfQuestions(questions) + (context?.length ?? 0);
}

function sizeOf({ fields = {}, variants }: AnyModel): Size {
  if (variants === undefined) return sizeOfFields(fields);
  const kinds = new Map<unknown, Size>();
  for (const [kind, table] of Object.entries<object>({ ...variants })) kinds.set(kind, sizeOfFields(table));
  return (value) => kinds.get((value as { readonly kind: string }).kind)?.(value) ?? HOLDER;
}

function sizeOfFields(table: object): Size {
  const steps = entriesOf(table).flatMap(([name, field]) => {
    const size = sizeOfField(field);
    return size === undefined ? [] : [{ name, size }];
  });
  return (value) => {
    let total = HOLDER;
    for (const { name, size } of steps) {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      if (field !== undefined) total += size(field);
    }
    return total;
  };
}

/** Undefined for a field whose value is always small. */
function sizeOfField(field: Field): Size | undefined {
  switch (field.kind) {
    case "text":
    case "id":
    case "ids":
    case "json":
      return valueSize;
    case "list":
      return sizeOfItems(sizeOf(field.of));
    case "object":
      return sizeOf(field.of);
    default:
      return undefined;
  }
}

/** Loops by index, because iterators over frozen arrays are slow. */
function sizeOfItems(size: Size): Size {
  return (value) => {
    const items = value as readonly unknown[];
    let total = 0;
    for (let index = 0; index < items.length; index += 1) total += size(items[index]);
    return total;
  };
}

/** The size of any JSON value. Our parser has already bounded its depth. */
export function valueSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let size = HOLDER;
  for (const [name, inner] of Object.entries(value)) size += name.length + valueSize(inner);
  return size;
}
