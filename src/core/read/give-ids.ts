import { foldName } from "../kit/fold.js";
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
export const NOTIFY_IDS: Numbering = numbering("n");

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

interface Identified {
  readonly id: string;
}

/** The texts that people use for the items instead of ids. */
export interface NameRule<T = object> {
  of(item: T): string | undefined;
  /** Completes the message "is the … of another …". */
  readonly what: string;
}

/**
 * Makes sure that no id equals the name of another item: replaces a generated id, and refuses one that the asker chose.
 * `chosen` says which ids the asker chose; undefined for none.
 */
export function avoidNames(
  list: object[],
  chosen: readonly boolean[] | undefined,
  numbering: Numbering,
  { of, what }: NameRule,
  path: Path,
  reader: InputReader,
): void {
  const items = list as Identified[];
  if (!mayClash(items, chosen !== undefined, numbering, of)) return;
  const names = items.map((item) => foldName(of(item) ?? ""));
  let free = items.length;
  for (const [index, item] of items.entries()) {
    const id = foldName(item.id);
    if (!names.some((name, other) => name === id && other !== index)) continue;
    if (chosen?.[index]) {
      const message = `the id "${item.id}" is the ${what}; choose another id`;
      reader.add("conflict", at(path, index), message, "id");
      continue;
    }
    while (isTaken(numberedId(numbering, free), items, names)) free += 1;
    list[index] = Object.freeze({ ...item, id: numberedId(numbering, free) });
    free += 1;
  }
}

function isTaken(id: string, items: readonly Identified[], names: readonly string[]): boolean {
  return names.includes(id) || items.some((item) => item.id === id);
}

/** Whether an id is not the numbered one of its place, or a name may fold to a numbered id. Rarely true. */
function mayClash(
  items: readonly Identified[],
  anyChosen: boolean,
  { prefix, made }: Numbering,
  nameOf: NameRule["of"],
): boolean {
  const letter = prefix.charCodeAt(0);
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined) continue;
    if (anyChosen && item.id !== made[index]) return true;
    const name = nameOf(item);
    if (name === undefined) continue;
    // The first and the last character are enough for nearly every name.
    const last = name.charCodeAt(name.length - 1);
    const isNumber = isUnusual(last) || (last >= 0x30 && last <= 0x39);
    const first = name.charCodeAt(0);
    if (isNumber && (isUnusual(first) || (first | 0x20) === letter)) return true;
  }
  return false;
}

/** Space or not ASCII: may fold to something else. */
function isUnusual(code: number): boolean {
  return !(code > 0x20 && code < 0x7f);
}

export function bringsId(item: unknown): item is { readonly id: unknown } {
  return isRecord(item) && item.id !== undefined && item.id !== null;
}

function numbering(prefix: string): Numbering {
  return { prefix, made: Array.from({ length: MADE }, (_, index) => `${prefix}${index + 1}`) };
}
