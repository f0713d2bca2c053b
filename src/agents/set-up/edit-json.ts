// Edits of JSON files that belong to others, with comments or without: only what is added or removed changes, and every
// other byte stays.

import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
} from "jsonc-parser";
import { isRecord } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";

export type JsonText =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** What must be at a place, such as `hooks.Stop`, if something is there. */
export type JsonShape = Readonly<Record<string, "a list" | "an object">>;

/** The text of a file; `ok` is false for one that cannot be read, does not parse, or has another shape. */
export function readJsonText(path: string, shape: JsonShape): JsonText {
  if (!existsSync(path)) return { ok: true, text: undefined };
  try {
    const text = readFileSync(path, "utf8");
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const isObject =
      value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
    if (errors.length > 0 || !isObject) {
      return { ok: false, problem: `${path} is not a JSON object; fix it, then run this again` };
    }
    for (const [place, kind] of Object.entries(shape)) {
      const found = valueAt(text, place.split("."));
      if (found === undefined || (kind === "a list" ? Array.isArray(found) : isRecord(found))) continue;
      return { ok: false, problem: `${path}: "${place}" is not ${kind}; fix it, then run this again` };
    }
    return { ok: true, text };
  } catch (error) {
    return { ok: false, problem: `${path} cannot be read (${messageOf(error)})` };
  }
}

export function jsonIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = text === undefined ? {} : parse(text, [], { allowTrailingComma: true });
  return (value ?? {}) as Readonly<Record<string, unknown>>;
}

/** Sets a value; undefined removes it. */
export function setValue(text: string, path: JSONPath, value: unknown): string {
  const parent = path.slice(0, -1);
  const isMissing = parent.length > 0 && valueAt(text, parent) === undefined;
  // One level at a time, so that what is inserted is known.
  if (isMissing) return value === undefined ? text : setValue(text, parent, { [String(path.at(-1))]: value });
  if (value === undefined && typeof path.at(-1) === "number") return removeItem(text, path);
  return insert(text, path, value, false);
}

/** Removes an item of a list with the comma that goes with it. */
function removeItem(text: string, path: JSONPath): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const items = (tree && findNodeAtLocation(tree, path.slice(0, -1)))?.children ?? [];
  const index = Number(path.at(-1));
  const [previous, item, next] = [items[index - 1], items[index], items[index + 1]];
  if (item === undefined) return text;
  const end = item.offset + item.length;
  if (previous !== undefined) return text.slice(0, previous.offset + previous.length) + text.slice(end);
  return text.slice(0, item.offset) + text.slice(next?.offset ?? end);
}

/** Adds an item at the end of a list, which is created if it does not exist. */
export function addItem(text: string, path: JSONPath, item: unknown): string {
  const list = valueAt(text, path);
  return Array.isArray(list)
    ? insert(text, [...path, list.length], item, true)
    : setValue(text, path, [item]);
}

/** Removes an object or a list if it is empty. */
export function withoutEmpty(text: string, path: readonly string[]): string {
  const value = path.reduce<unknown>(
    (inner, key) => (isRecord(inner) ? inner[key] : undefined),
    jsonIn(text),
  );
  const isEmpty = Array.isArray(value)
    ? value.length === 0
    : isRecord(value) && Object.keys(value).length === 0;
  return isEmpty ? setValue(text, [...path], undefined) : text;
}

function valueAt(text: string, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
    jsonIn(text),
  );
}

/** jsonc-parser finds the place; it would also format what stands around it, so the text is ours. */
function insert(text: string, path: JSONPath, value: unknown, isArrayInsertion: boolean): string {
  const [edit, ...others] = modify(text, path, value, { isArrayInsertion });
  if (edit === undefined) return text;
  if (value === undefined || edit.length > 0 || others.length > 0) return applyEdits(text, [edit, ...others]);
  const { unit, eol } = formatOf(text);
  const key = path.at(-1);
  const [outer, inner] = [unit.repeat(path.length - 1), unit.repeat(path.length)];
  const json = JSON.stringify(value, undefined, unit).replaceAll("\n", eol + inner);
  const body = typeof key === "string" ? `${JSON.stringify(key)}: ${json}` : json;
  const follows = edit.content.startsWith(",");
  const isInline = follows && typeof value !== "object" && isOnOneLine(text, path.slice(0, -1));
  const content = isInline
    ? `, ${body}`
    : follows
      ? `,${eol}${inner}${body}`
      : `${eol}${inner}${body}${edit.content.endsWith(",") ? "," : eol + outer}`;
  return applyEdits(text, [{ ...edit, content }]);
}

function isOnOneLine(text: string, path: JSONPath): boolean {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree && findNodeAtLocation(tree, path);
  return node !== undefined && !text.slice(node.offset, node.offset + node.length).includes("\n");
}

function formatOf(text: string): { readonly unit: string; readonly eol: string } {
  return {
    unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ",
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** The path of a program, as a shell would find it. */
export function findProgram(
  name: string,
  { PATH = "", PATHEXT = "" }: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  const endings = platform === "win32" ? PATHEXT.split(";").filter(Boolean) : [""];
  return PATH.split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending.toLowerCase())))
    .find((path) => existsSync(path));
}

/** A word of a command line for a shell: everything that is not a plain word or path is quoted. */
export function shellWord(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;
}
