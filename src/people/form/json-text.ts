// An action's arguments as text that a person edits. Engines word the errors of `JSON.parse` differently and
// some give no position, so the place of an error is found here.

import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { displayJson } from "../../core/text/display.js";

/**
 * The arguments as indented JSON. Characters that are unsafe or impossible to see are written as escapes, so
 * the text shows all that is there and reads back as the same arguments.
 */
export function argsText(args: JsonObject): string {
  return displayJson(JSON.stringify(args, undefined, 2));
}

export type ReadArgs =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly code: "invalid_json"; readonly line: number; readonly column: number }
  | { readonly ok: false; readonly code: "wrong_type" };

/**
 * The object that a text holds, or where the text stops being JSON; lines and columns count from 1. Other JSON,
 * and objects that are nested too deeply, are of the wrong type.
 */
export function readArgs(text: string): ReadArgs {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const lines = text.slice(0, errorIndex(text)).split("\n");
    return { ok: false, code: "invalid_json", line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  }
  if (!isRecord(value) || !isWithinDepth(value, LIMITS.jsonDepth)) return { ok: false, code: "wrong_type" };
  return { ok: true, args: value as JsonObject };
}

/** Whether a whole number is beyond what JSON.parse reads exactly: the agent would get another one. */
export function hasRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasRounded);
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels >= 0 && Object.values(value).every((inner) => isWithinDepth(inner, levels - 1));
}

const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

type Expected = "value" | "item or ]" | "key or }" | "key" | ":" | ", or end" | "nothing";

/** Where the first token starts that does not fit. */
function errorIndex(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let index = 0;
  for (;;) {
    SPACE.lastIndex = index;
    index += SPACE.exec(text)?.[0].length ?? 0;
    TOKEN.lastIndex = index;
    const token = TOKEN.exec(text)?.[0];
    const after: Expected | undefined = token === undefined ? undefined : follow(expected, token, open);
    if (token === undefined || after === undefined) return index;
    expected = after;
    index += token.length;
  }
}

/** What may come after a token, or undefined where the token may not come. Keeps account of what is open. */
function follow(expected: Expected, token: string, open: ("{" | "[")[]): Expected | undefined {
  const inside = open.at(-1);
  const closes = token === "}" || token === "]";
  if (closes) {
    const fits = inside === (token === "}" ? "{" : "[");
    if (!fits || !(expected === ", or end" || expected.endsWith(token))) return undefined;
    open.pop();
    return open.length === 0 ? "nothing" : ", or end";
  }
  switch (expected) {
    case "nothing":
      return undefined;
    case ":":
      return token === ":" ? "value" : undefined;
    case ", or end":
      return token !== "," ? undefined : inside === "{" ? "key" : "value";
    case "key":
    case "key or }":
      return token.startsWith('"') ? ":" : undefined;
    case "value":
    case "item or ]":
      if (token === "{" || token === "[") {
        open.push(token);
        return token === "{" ? "key or }" : "item or ]";
      }
      if (token === "," || token === ":") return undefined;
      return inside === undefined ? "nothing" : ", or end";
  }
}
