// What a form's fields are called, and what was typed into them. A form that is shown again, because
// something is missing, keeps all of it.

import type { Issue } from "../../core/index.js";

/** An id as a form sends it: what a page would show otherwise than it is, or take for {@link SKIP}, is encoded. */
export const fieldId: (id: string) => string = encodeURIComponent;

export const FIELD = {
  pick: (question: string): string => `pick:${fieldId(question)}`,
  text: (question: string): string => `text:${fieldId(question)}`,
  note: (question: string): string => `note:${fieldId(question)}`,
  kind: (action: string): string => `kind:${fieldId(action)}`,
  args: (action: string): string => `args:${fieldId(action)}`,
  message: (action: string): string => `message:${fieldId(action)}`,
} as const;

/** Picks that are no option: they only take another pick back. No {@link fieldId} holds a slash. */
export const OWN_ANSWER = "/own";
export const SKIP = "/skip";

export interface FormState {
  /** What was sent; nothing where the form is new. */
  readonly values: URLSearchParams;
  /** What is wrong, by the number of the question or action. */
  readonly issues: ReadonlyMap<number, readonly string[]>;
  /** What is wrong elsewhere. */
  readonly general: readonly string[];
}

export const EMPTY_FORM: FormState = { values: new URLSearchParams(), issues: new Map(), general: [] };

/** Which question or action an issue is about; undefined where it is about none. */
export function indexOf({ path }: Issue): number | undefined {
  const [, index] = path;
  return typeof index === "number" ? index : undefined;
}

/** The text of a field; blank is nothing. Browsers send line ends as CRLF. */
export function textIn(values: URLSearchParams, name: string): string | undefined {
  const text = values.get(name)?.replaceAll("\r\n", "\n");
  return text === undefined || text.trim() === "" ? undefined : text;
}
