import { isRecord } from "../kit/json.js";
import { at, type InputReader, type Path } from "./input-reader.js";

/** How many ids of each kind are made in advance. Most asks need no more. */
const MADE = 50;

export interface Numbering {
  readonly prefix: string;
  readonly made: readonly string[];
}

export const QUESTION_IDS: Numbering = numbering("q");
export const OPTION_IDS: Numbering = numbering("o");
export const ACTION_IDS: Numbering = numbering("a");

/** The id of the item at this index if it has none of its own: `q1` for the first question. */
export function numberedId({ prefix, made }: Numbering, index: number): string {
  return made[index] ?? `${prefix}${index + 1}`;
}

/** By index: the ids that the items have, and unused ones like `q1` for the rest. May be longer than `items`. */
export function giveIds(
  items: readonly unknown[],
  numbering: Numbering,
  path: Path,
  reader: InputReader,
): readonly string[] {
  // Few callers set ids. Without any, there is nothing to compare.
  if (items.length <= MADE && !items.some(bringsId)) return numbering.made;
  const given = items.map((item, index) =>
    bringsId(item) ? reader.id(item.id, at(path, index), undefined, "id") : undefined,
  );
  const taken = new Set<string>();
  given.forEach((id, index) => {
    if (id === undefined) return;
    if (taken.has(id)) reader.add("duplicate_id", at(path, index), `the id "${id}" is used twice`, "id");
    taken.add(id);
  });
  return given.map((id, index) => {
    if (id !== undefined) return id;
    let number = index;
    while (taken.has(numberedId(numbering, number))) number += 1;
    taken.add(numberedId(numbering, number));
    return numberedId(numbering, number);
  });
}

function bringsId(item: unknown): item is { readonly id: unknown } {
  return isRecord(item) && item.id !== undefined && item.id !== null;
}

function numbering(prefix: string): Numbering {
  return { prefix, made: Array.from({ length: MADE }, (_, index) => `${prefix}${index + 1}`) };
}
