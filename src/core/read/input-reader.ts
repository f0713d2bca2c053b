// Reads fields of unknown data and collects every problem, so that the sender learns of all of them at once. A method
// that finds a problem adds an issue and returns undefined.

import { isBlank } from "../kit/fold.js";
import type { Issue, IssueCode } from "../kit/issue.js";
import { isRecord, type Json, type JsonObject, parseDocument, setOwn } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { type Profile, profiles, type Range } from "../kit/profiles.js";

/** Where a field is: its whole path, or its name below another path. See {@link at}. */
export type Path = Issue["path"] | Place;

interface Place {
  readonly parent: Path;
  readonly name: string | number;
}

/** The path of a field below `parent`. The whole path is built only for a field with a problem. */
export function at(parent: Path, name: string | number): Path {
  return { parent, name };
}

// A hundred issues are enough to fix the input.
const MOST_ISSUES = 100;

// C0 and C1 controls and unpaired surrogates. In an id they are a mistake or an attack, and databases do not store them
// unchanged.
const NOT_IN_IDS = /[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u;

const BLANK_ID = ["invalid_value", "must not be blank"] as const;

export interface TextRule {
  readonly max: number;
  /** Code and message for a missing or blank text; without it, such a text is omitted. */
  readonly blank?: readonly [IssueCode, string];
}

/**
 * A method reads the value at `path`, or with `name` the value of that field below `path`. Nearly all fields are valid,
 * and for those no path is built.
 */
export interface InputReader {
  readonly issues: readonly Issue[];
  /** The limits for questions and options. */
  readonly profile: Profile;
  /** How a dialect writes questions; undefined for our own shape. */
  readonly shape: QuestionShape | undefined;
  add(code: IssueCode, path: Path, message: string, name?: string | number): void;
  text(value: unknown, path: Path, rule: TextRule, name?: string | number): string | undefined;
  id(value: unknown, path: Path, max?: number, name?: string | number): string | undefined;
  flag(value: unknown, path: Path, name?: string | number): boolean | undefined;
  integer(value: unknown, path: Path, range: Range, name?: string | number): number | undefined;
  choice<T extends string>(
    value: unknown,
    path: Path,
    choices: readonly T[],
    name?: string | number,
  ): T | undefined;
  list(value: unknown, path: Path, name?: string | number): readonly unknown[] | undefined;
  /** Returns a frozen copy. */
  object(value: unknown, path: Path, maxLength: number, name?: string | number): JsonObject | undefined;
}

export function inputReader(profile: Profile = profiles.open, shape?: QuestionShape): InputReader {
  return new Reader(profile, shape);
}

/** Runs `read` and returns its value or its issues. Input with a getter that throws becomes an issue too. */
export function guarded<T extends { readonly ok: true }>(
  read: (reader: InputReader) => T,
  profile?: Profile,
): T | { readonly ok: false; readonly issues: readonly Issue[] } {
  const reader = inputReader(profile);
  try {
    const value = read(reader);
    if (reader.issues.length === 0) return value;
  } catch {
    reader.add("wrong_type", [], "cannot be read: one of its getters throws");
  }
  return { ok: false, issues: reader.issues };
}

// A class, because every request creates readers: the methods of an object literal would be created each time.
class Reader implements InputReader {
  readonly issues: Issue[] = [];
  readonly profile: Profile;
  readonly shape: QuestionShape | undefined;
  private total = 0;

  constructor(profile: Profile, shape: QuestionShape | undefined) {
    this.profile = profile;
    this.shape = shape;
  }

  add(code: IssueCode, path: Path, message: string, name?: string | number): void {
    if (this.issues.length < MOST_ISSUES) this.issues.push({ code, path: written(path, name), message });
  }

  text(value: unknown, path: Path, { max, blank }: TextRule, name?: string | number): string | undefined {
    return this.bounded(value, path, max, blank, name);
  }

  id(value: unknown, path: Path, max: number = LIMITS.idLength, name?: string | number): string | undefined {
    const id = this.bounded(value, path, max, BLANK_ID, name);
    if (id === undefined) return undefined;
    if (NOT_IN_IDS.test(id)) {
      this.add("invalid_value", path, "must not contain control characters or unpaired surrogates", name);
      return undefined;
    }
    return id;
  }

  flag(value: unknown, path: Path, name?: string | number): boolean | undefined {
    if (value === undefined || value === null || typeof value === "boolean") return value ?? undefined;
    this.add("wrong_type", path, `must be true or false, not ${typeName(value)}`, name);
    return undefined;
  }

  integer(value: unknown, path: Path, { min, max }: Range, name?: string | number): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "number") {
      this.add("wrong_type", path, `must be a whole number, not ${typeName(value)}`, name);
      return undefined;
    }
    if (!Number.isInteger(value) || value < min || value > max) {
      this.add("invalid_value", path, `must be a whole number from ${min} to ${max}`, name);
      return undefined;
    }
    return value;
  }

  choice<T extends string>(
    value: unknown,
    path: Path,
    choices: readonly T[],
    name?: string | number,
  ): T | undefined {
    if (value === undefined || value === null) return undefined;
    if (choices.includes(value as T)) return value as T;
    this.add("invalid_value", path, `must be one of ${choices.join(", ")}`, name);
    return undefined;
  }

  list(value: unknown, path: Path, name?: string | number): readonly unknown[] | undefined {
    const list = typeof value === "string" ? parseJson(value) : value;
    if (Array.isArray(list)) return list;
    if (typeof value === "string" && list === undefined) {
      this.add("invalid_json", path, "is a string, but not valid JSON; send an array", name);
    } else {
      this.add("wrong_type", path, `must be an array, not ${typeName(list)}`, name);
    }
    return undefined;
  }

  object(value: unknown, path: Path, maxLength: number, name?: string | number): JsonObject | undefined {
    if (!isRecord(value)) {
      this.add("wrong_type", path, `must be an object, not ${typeName(value)}`, name);
      return undefined;
    }
    const { copy, length, code } = boundedJson(value, maxLength);
    if (copy !== undefined) {
      this.count(length, path, name);
      return copy;
    }
    if (code === "too_large") this.add(code, path, `must be at most ${maxLength} characters as JSON`, name);
    else this.add("wrong_type", path, `must be plain JSON, at most ${LIMITS.jsonDepth} levels deep`, name);
    return undefined;
  }

  /** A text within its limit that is not blank. `refuse` reports everything else. */
  private bounded(
    value: unknown,
    path: Path,
    max: number,
    blank: TextRule["blank"],
    name: string | number | undefined,
  ): string | undefined {
    if (typeof value !== "string" || value.length > max || isBlank(value)) {
      this.refuse(value, path, max, blank, name);
      return undefined;
    }
    this.count(value.length, path, name);
    return value;
  }

  private refuse(
    value: unknown,
    path: Path,
    max: number,
    blank: TextRule["blank"],
    name: string | number | undefined,
  ): void {
    if (value !== undefined && value !== null && typeof value !== "string") {
      this.add("wrong_type", path, `must be a string, not ${typeName(value)}`, name);
    } else if (typeof value === "string" && value.length > max) {
      // First, because a text over its limit is refused even if it is blank.
      this.add("too_long", path, `must be at most ${max} characters, not ${value.length}`, name);
    } else if (blank !== undefined) this.add(blank[0], path, blank[1], name);
  }

  /** Limits the total length of all texts; adds one issue when it is exceeded. */
  private count(length: number, path: Path, name: string | number | undefined): void {
    const before = this.total;
    this.total += length;
    if (before <= LIMITS.askLength && this.total > LIMITS.askLength) {
      const message = `the input has more than ${LIMITS.askLength} characters in total; send less`;
      this.add("too_large", path, message, name);
    }
  }
}

function written(path: Path, name?: string | number): Issue["path"] {
  if (name !== undefined) return [...written(path), name];
  return "parent" in path ? written(path.parent, path.name) : path;
}

/** The parsed JSON; undefined if the text is not valid JSON or is too long. */
export function parseJson(text: string): unknown {
  if (isTooLong(text)) return undefined;
  try {
    return parseDocument(text);
  } catch {
    return undefined;
  }
}

/** Whether {@link parseJson} refuses the text for its length alone. */
export function isTooLong(text: string): boolean {
  return text.length > LIMITS.askLength;
}

/** Null counts as a missing field. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** A frozen deep copy of an object and the length of its text; or why there is none. */
export function boundedJson(
  value: Readonly<Record<string, unknown>>,
  maxLength: number,
): {
  readonly copy?: JsonObject;
  readonly length: number;
  readonly code?: "too_large" | "wrong_type";
} {
  const room = { left: maxLength };
  const copy = copyJson(value, room, 0);
  const length = maxLength - room.left;
  if (copy !== undefined) return { copy: copy as JsonObject, length };
  return { length, code: room.left < 0 ? "too_large" : "wrong_type" };
}

/**
 * A frozen deep copy; undefined if the value is not JSON, too deep or too large. Subtracts the length of its text from
 * `room`.
 */
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
    return Object.freeze(items);
  } else if (isRecord(value)) {
    const object: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      room.left -= key.length + 3;
      if (room.left < 0) return undefined;
      const copy = copyJson(inner, room, depth + 1);
      if (copy === undefined) return undefined;
      setOwn(object, key, copy);
    }
    return Object.freeze(object);
  } else return undefined;
  // JSON has no negative zero.
  return room.left < 0 ? undefined : Object.is(value, -0) ? 0 : value;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * How a foreign system writes questions: maps the fields of a question and of an option to those of `QuestionInput`
 * and `OptionInput`. Only `id` is read without being mapped.
 */
export interface QuestionShape {
  readonly question: (fields: Fields) => Fields;
  readonly option: (fields: Fields) => Fields;
}
