// Reads fields of unknown data and gathers every problem on the way, so that one pass tells
// the sender all that is wrong. A reader method that finds a problem notes it and returns undefined.

import type { Issue, IssueCode } from "./issue.js";
import { isRecord, type Json, type JsonObject } from "./json.js";
import { LIMITS } from "./limits.js";

/** Where a field is: its whole path, or its name in something whose place is known. See {@link at}. */
export type Path = Issue["path"] | Place;

interface Place {
  readonly parent: Path;
  readonly name: string | number;
}

/** A field of what is at `parent`. The whole path is written out only for a field that has a problem. */
export function at(parent: Path, name: string | number): Path {
  return { parent, name };
}

// A thousand broken fields teach no more than a hundred.
const MOST_ISSUES = 100;

// C0 and C1 controls and halves of a character: in an id they are a mistake or an attack, and no database
// keeps them as they are.
const NOT_IN_IDS = /[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u;

export interface TextRule {
  readonly max: number;
  /** Code and message for a text that is missing or only white space; without it such a text is left out. */
  readonly blank?: readonly [IssueCode, string];
}

export interface InputReader {
  readonly issues: readonly Issue[];
  add(code: IssueCode, path: Path, message: string): void;
  text(value: unknown, path: Path, rule: TextRule): string | undefined;
  id(value: unknown, path: Path, max?: number): string | undefined;
  flag(value: unknown, path: Path): boolean | undefined;
  integer(
    value: unknown,
    path: Path,
    range: { readonly min: number; readonly max: number },
  ): number | undefined;
  choice<T extends string>(value: unknown, path: Path, choices: readonly T[]): T | undefined;
  list(value: unknown, path: Path): readonly unknown[] | undefined;
  object(value: unknown, path: Path, maxLength: number): JsonObject | undefined;
}

export function inputReader(): InputReader {
  const issues: Issue[] = [];
  let total = 0;

  const add: InputReader["add"] = (code, path, message) => {
    if (issues.length < MOST_ISSUES) issues.push({ code, path: written(path), message });
  };

  /** Keeps the sum of all texts within bounds; says so once. */
  const count = (length: number, path: Path): void => {
    const before = total;
    total += length;
    if (before <= LIMITS.askLength && total > LIMITS.askLength) {
      add("too_large", path, `the whole is larger than ${LIMITS.askLength} characters; send less`);
    }
  };

  const text: InputReader["text"] = (value, path, { max, blank }) => {
    if (value !== undefined && value !== null && typeof value !== "string") {
      add("wrong_type", path, `must be a string, not ${typeName(value)}`);
      return undefined;
    }
    // Before anything else: what is over its bound is refused, blank or not.
    if (typeof value === "string" && value.length > max) {
      add("too_long", path, `must be at most ${max} characters, not ${value.length}`);
      return undefined;
    }
    if (value === undefined || value === null || value.trim() === "") {
      if (blank !== undefined) add(blank[0], path, blank[1]);
      return undefined;
    }
    count(value.length, path);
    return value;
  };

  return {
    issues,
    add,
    text,
    id(value, path, max = LIMITS.idLength) {
      const id = text(value, path, { max, blank: ["invalid_value", "must not be blank"] });
      if (id === undefined) return undefined;
      if (NOT_IN_IDS.test(id)) {
        add("invalid_value", path, "must not contain control characters or broken ones");
        return undefined;
      }
      return id;
    },
    flag(value, path) {
      if (value === undefined || value === null || typeof value === "boolean") return value ?? undefined;
      add("wrong_type", path, `must be true or false, not ${typeName(value)}`);
      return undefined;
    },
    integer(value, path, { min, max }) {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "number") {
        add("wrong_type", path, `must be a whole number, not ${typeName(value)}`);
        return undefined;
      }
      if (!Number.isInteger(value) || value < min || value > max) {
        add("invalid_value", path, `must be a whole number from ${min} to ${max}`);
        return undefined;
      }
      return value;
    },
    choice(value, path, choices) {
      if (value === undefined || value === null) return undefined;
      const chosen = choices.find((choice) => choice === value);
      if (chosen === undefined) add("invalid_value", path, `must be one of ${choices.join(", ")}`);
      return chosen;
    },
    list(value, path) {
      const list = typeof value === "string" ? parseJson(value) : value;
      if (Array.isArray(list)) return list;
      if (typeof value === "string" && list === undefined) {
        add("invalid_json", path, "is a string that does not hold valid JSON; send an array");
      } else {
        add("wrong_type", path, `must be an array, not ${typeName(list)}`);
      }
      return undefined;
    },
    object(value, path, maxLength) {
      if (!isRecord(value)) {
        add("wrong_type", path, `must be an object, not ${typeName(value)}`);
        return undefined;
      }
      const room = { left: maxLength };
      const copy = copyJson(value, room, 0);
      if (copy !== undefined) {
        count(maxLength - room.left, path);
        return copy as JsonObject;
      }
      if (room.left < 0) add("too_large", path, `must be at most ${maxLength} characters as JSON`);
      else add("wrong_type", path, `must be plain JSON, at most ${LIMITS.jsonDepth} levels deep`);
      return undefined;
    },
  };
}

function written(path: Path): Issue["path"] {
  if (!("parent" in path)) return path;
  return [...written(path.parent), path.name];
}

/** The value that the JSON text holds; undefined where it is none, or too large to look at. */
export function parseJson(text: string): unknown {
  if (text.length > LIMITS.askLength) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** A copy that shares nothing with the input; undefined where the value is no JSON, too deep or too large. */
function copyJson(value: unknown, room: { left: number }, depth: number): Json | undefined {
  if (depth > LIMITS.jsonDepth) return undefined;
  if (value === null || typeof value === "boolean") room.left -= 5;
  else if (typeof value === "number" && Number.isFinite(value)) room.left -= String(value).length;
  else if (typeof value === "string") room.left -= value.length + 2;
  else if (Array.isArray(value)) {
    const items: Json[] = [];
    for (let index = 0; index < value.length; index += 1) {
      room.left -= 1;
      if (room.left < 0) return undefined;
      const item = copyJson(value[index], room, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  } else if (isRecord(value)) {
    const entries: [string, Json][] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      room.left -= key.length + 3;
      const copy = copyJson(inner, room, depth + 1);
      if (copy === undefined) return undefined;
      entries.push([key, copy]);
    }
    return Object.fromEntries(entries);
  } else return undefined;
  // JSON has no negative zero.
  return room.left < 0 ? undefined : Object.is(value, -0) ? 0 : value;
}
