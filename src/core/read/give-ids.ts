import { isRecord } from "../kit/json.js";
import { at, type InputReader, type Path } from "./input-reader.js";

/** How many ids of a kind are made in advance: those of one ask are mostly among them. */
const MADE = 50;

export interface Numbering {
  readonly prefix: string;
  readonly made: readonly string[];
}

export const QUESTION_IDS: Numbering = numbering("q");
export const OPTION_IDS: Numbering = numbering("o");
export const ACTION_IDS: Numbering = numbering("a");

/** What the item at this index is called where nobody named it: `q1` is the first question. */
export function numberedId({ prefix, made }: Numbering, index: number): string {
  return made[index] ?? `${prefix}${index + 1}`;
}

/** By index, at least as many as there are items: the ids that they bring, and free ones like `q1` for the rest. */
export function giveIds(
  items: readonly unknown[],
  numbering: Numbering,
  path: Path,
  reader: InputReader,
): readonly string[] {
  // Hardly anybody names them, and then there is nothing to compare.
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
