// The names of form fields, and their values. A form that is shown again keeps all values.

import type { Issue } from "../../core/index.js";

/** An id as sent in a form. Encoded, so that it is displayed unchanged and never equals {@link SKIP}. */
export const fieldId: (id: string) => string = encodeURIComponent;

export const FIELD = {
  pick: (question: string): string => `pick:${fieldId(question)}`,
  text: (question: string): string => `text:${fieldId(question)}`,
  note: (question: string): string => `note:${fieldId(question)}`,
  kind: (action: string): string => `kind:${fieldId(action)}`,
  args: (action: string): string => `args:${fieldId(action)}`,
  message: (action: string): string => `message:${fieldId(action)}`,
  remember: (action: string): string => `remember:${fieldId(action)}`,
} as const;

/** Radio values that are not options and only deselect others. No {@link fieldId} contains a slash. */
export const OWN_ANSWER = "/own";
export const SKIP = "/skip";

export interface FormState {
  /** The sent values; empty for a new form. */
  readonly values: URLSearchParams;
  /** What is wrong, by the index of the question or action. */
  readonly issues: ReadonlyMap<number, readonly string[]>;
  /** What is wrong elsewhere. */
  readonly general: readonly string[];
}

export const EMPTY_FORM: FormState = { values: new URLSearchParams(), issues: new Map(), general: [] };

/** The index of the question or action that an issue is about; undefined if none. */
export function indexOf({ path }: Issue): number | undefined {
  const [, index] = path;
  return typeof index === "number" ? index : undefined;
}

/** The text of a field; undefined if blank. Browsers send line ends as CRLF. */
export function textIn(values: URLSearchParams, name: string): string | undefined {
  const text = values.get(name)?.replaceAll("\r\n", "\n");
  return text === undefined || text.trim() === "" ? undefined : text;
}
