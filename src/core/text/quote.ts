// Characters that JSON does not escape, but that can break or reorder a line.
const ALSO_ESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The value as JSON on exactly one line; `JSON.parse` restores it. */
export function quote(value: unknown): string {
  return JSON.stringify(value).replace(
    ALSO_ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
