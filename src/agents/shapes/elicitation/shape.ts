// The form and what comes back, and the names of its properties.

import type { Issue } from "../../../core/kit/issue.js";
import type { JsonObject } from "../../../core/kit/json.js";
import type { AskContent } from "../../../core/model/ask.js";
import type { Option } from "../../../core/model/option.js";
import type { Question } from "../../../core/model/question.js";

export type ElicitationRevision = "2025-06-18" | "2025-11-25" | "2026-07-28";

export interface ElicitationChoice {
  readonly const: string;
  readonly title: string;
}

// Lists are mutable here, because a readonly list is not assignable to the mutable ones of the SDK's types.

export type ElicitationProperty = { readonly title: string; readonly description?: string } & (
  | { readonly type: "string"; readonly maxLength?: number }
  | { readonly type: "string"; readonly oneOf: ElicitationChoice[] }
  | { readonly type: "string"; readonly enum: string[]; readonly enumNames: string[] }
  | { readonly type: "array"; readonly items: { readonly anyOf: ElicitationChoice[] } }
  | { readonly type: "boolean" }
);

/** The parameters of `elicitation/create`. */
export interface ElicitationInput {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Record<string, ElicitationProperty>;
    readonly required?: string[];
  };
  readonly _meta: { readonly [ELICITATION_META_KEY]: JsonObject };
}

export interface ElicitationOutput {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
}

export interface ElicitationOptions {
  /** The client's protocol revision; the newest by default. */
  readonly revision?: ElicitationRevision;
  /** What was wrong with the content that came back: the form is shown again, and says so. */
  readonly issues?: readonly Issue[];
}

/** Where the whole request is, for a client that can show more than a form. */
export const ELICITATION_META_KEY = "askline/ask";

/** The names of the properties of one question or action. */
export interface Names {
  /** The choice, or the text of a question without options. */
  readonly own: string;
  /** Typed text beside the choices; the reason of a rejection. */
  readonly text: string;
  /** Each option of a multi-select, in the oldest revision. */
  readonly options: ReadonlyMap<string, string>;
}

/** Names that do not depend on the revision, and that cannot be taken for one another. */
export function namesOf({ questions, approval }: AskContent): readonly Names[] {
  const items: readonly { readonly id: string; readonly options?: readonly Option[] }[] =
    approval?.actions ?? questions;
  const taken = new Set(items.map(({ id }) => id));
  const free = (name: string): string => {
    let each = name;
    while (taken.has(each)) each = `${each}_`;
    taken.add(each);
    return each;
  };
  return items.map(({ id, options = [] }) => ({
    own: id,
    text: free(approval === undefined ? `${id}_other` : `${id}_reason`),
    options: new Map(options.map((option) => [option.id, free(`${id}_${option.id}`)])),
  }));
}

/** Such a question has one field, for the text. */
export function isTextOnly(question: Question | undefined): boolean {
  return question?.options.every(({ input }) => input === true) === true;
}
