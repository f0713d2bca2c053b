// About how many characters an ask is, for what is kept in memory and must not be too much. Follows from the tables of
// the model: a field of text counts as soon as it is in one.

import type { Ask } from "../../core/index.js";
import { ASK } from "../../core/model/ask.js";
import { QUESTION } from "../../core/model/question.js";
import { type AnyModel, entriesOf, type Field } from "../../core/read/field.js";

/** What a question, an option or any other object takes besides its texts. */
const HOLDER = 64;

type Size = (value: unknown) => number;

const sizeOfAsk = sizeOf(ASK);
const sizeOfQuestions = sizeOfItems(sizeOf(QUESTION));

/** All of it, with how it ended. */
export function askSize(ask: Ask): number {
  return sizeOfAsk(ask);
}

/** Its questions and their context. */
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

/** Undefined for what is small whatever it holds. */
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

/** By places, since iterators over frozen lists are slow. */
function sizeOfItems(size: Size): Size {
  return (value) => {
    const items = value as readonly unknown[];
    let total = 0;
    for (let place = 0; place < items.length; place += 1) total += size(items[place]);
    return total;
  };
}

/** Of any JSON. It was parsed by us, so its depth is bounded. */
export function valueSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let size = HOLDER;
  for (const [name, inner] of Object.entries(value)) size += name.length + valueSize(inner);
  return size;
}
