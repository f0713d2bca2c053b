// A form as a flat JSON schema (the elicitation of MCP, and of the protocols that took it over): its properties as
// questions, and answers as its content.
//
//   enum, oneOf, boolean -> one choice        array of enum, anyOf -> several choices
//   string, number, integer -> typed text
//
// A form without properties is an approval: it has OK and Cancel, and only an approval is an OK.
//
// Questions and properties are in the same order, so a host may give the questions other ids.

import { isBlank } from "../../../core/kit/fold.js";
import { isRecord, setOwn } from "../../../core/kit/json.js";
import { profiles } from "../../../core/kit/profiles.js";
import type { ActionInput } from "../../../core/model/approval.js";
import type { AskInput } from "../../../core/model/ask.js";
import type { Answer, Outcome } from "../../../core/model/outcome.js";
import type { Question, QuestionInput } from "../../../core/model/question.js";
import { type Fields, isGap } from "../shared.js";

export type Form =
  | { readonly ok: true; readonly questions: readonly QuestionInput[]; readonly allowPartial: boolean }
  | { readonly ok: false; readonly message: string };

/** What a form asks a person. */
export type AskOfForm =
  | { readonly ok: true; readonly content: Pick<AskInput, "questions" | "approval" | "allowPartial"> }
  | { readonly ok: false; readonly message: string };

/** The questions of a form, or the approval that a form without properties is. */
export function askOfForm(schema: unknown): AskOfForm {
  if (isWithoutFields(schema)) return { ok: true, content: { approval: { actions: [CONFIRM] } } };
  const form = formQuestions(schema);
  if (!form.ok) return form;
  return { ok: true, content: { questions: form.questions, allowPartial: form.allowPartial } };
}

/** The action of a form without properties. */
export const CONFIRM: ActionInput & { readonly id: string } = {
  id: "askline/confirm",
  name: "confirm",
  description: "This form has no fields: approve it, or reject it.",
  args: {},
  allow: ["approve", "reject"],
  once: true,
};

/** `{}` is no schema of a form. */
function isWithoutFields(schema: unknown): boolean {
  const { type, properties, required = [] } = isRecord(schema) ? schema : {};
  const isForm = type === "object" || (type === undefined && isRecord(properties));
  const isEmpty = properties === undefined || isRecord(properties);
  return isForm && isEmpty && formFields(schema).length === 0 && Array.isArray(required) && !required.length;
}

export type FormReply =
  | ({ readonly action: "accept" } & ReturnType<typeof formContent>)
  | { readonly action: "decline" };

/** What the sender of a form is told: an answer that skips every field accepts nothing. Undefined if nobody decided. */
export function replyToForm(
  schema: unknown,
  questions: readonly Question[],
  outcome: Outcome,
): FormReply | undefined {
  switch (outcome.kind) {
    case "answered":
      return outcome.answers.every(isGap)
        ? { action: "decline" }
        : { action: "accept", ...formContent(schema, questions, outcome.answers) };
    case "decided":
      return outcome.decisions.every(({ kind }) => kind === "approve")
        ? { action: "accept", content: {}, problems: [] }
        : { action: "decline" };
    case "declined":
    case "replied":
      return { action: "decline" };
    case "expired":
    case "withdrawn":
    case "unavailable":
      return undefined;
  }
}

/**
 * A question for each property, with the ids `q1`, `q2` and so on: the name of a property may be longer than an id.
 * Parse the ask before you show it: labels may be equal, and bounds contradict each other.
 */
export function formQuestions(schema: unknown): Form {
  const fields = formFields(schema);
  if (fields.length === 0) return { ok: false, message: "requestedSchema must have properties" };
  const most = profiles.open.questions.max;
  if (fields.length > most) {
    return { ok: false, message: `requestedSchema must have at most ${most} properties` };
  }
  const questions: QuestionInput[] = [];
  for (const [index, field] of fields.entries()) {
    const question = questionOf(field, `q${index + 1}`);
    if (question === undefined) {
      const name = JSON.stringify(field.name);
      return { ok: false, message: `the property ${name} has a type that cannot be asked` };
    }
    questions.push(question);
  }
  return { ok: true, questions, allowPartial: !fields.every(({ required }) => required) };
}

export type FormValue = string | number | boolean | string[];

export interface FormProblem {
  readonly title: string;
  readonly problem: string;
}

/**
 * The content of the form, and what is wrong with it. A question that was skipped is left out, and text that does not
 * fit stays as it was typed.
 */
export function formContent(
  schema: unknown,
  questions: readonly Question[],
  answers: readonly Answer[],
): { readonly content: Record<string, FormValue>; readonly problems: readonly FormProblem[] } {
  const content: Record<string, FormValue> = {};
  const problems: FormProblem[] = [];
  for (const [index, { name, title, property, required }] of formFields(schema).entries()) {
    const question = questions[index];
    const answer = answers.find(({ question: id }) => id === question?.id);
    const choices = choicesOf(property) ?? [];
    const values = (answer?.selected ?? []).flatMap((id) => {
      const place = question?.options.findIndex((option) => option.id === id) ?? -1;
      return choices[place]?.value ?? [];
    });
    const [value] = values;
    if (value !== undefined) {
      // The lists of a form hold text only.
      setOwn(content, name, property.type === "array" ? (values as string[]) : value);
    } else if (answer?.text !== undefined) {
      const read = typedValue(property, answer.text);
      setOwn(content, name, read.value);
      if (read.problem !== undefined) problems.push({ title, problem: read.problem });
    } else if (required) problems.push({ title, problem: "needs an answer" });
  }
  return { content, problems };
}

/** The message of a form that is shown again, with what is wrong. */
export function correctedMessage(message: string, problems: readonly FormProblem[]): string {
  if (problems.length === 0) return message;
  const list = problems.map(({ title, problem }) => `- **${title}**: ${problem}`).join("\n");
  return `${message}\n\nPlease correct:\n\n${list}`;
}

export interface FormField {
  readonly name: string;
  /** What a person reads; the name, if the property has no title. */
  readonly title: string;
  readonly property: Fields;
  readonly required: boolean;
}

/** The properties of a schema; none if it is not one. */
export function formFields(schema: unknown): readonly FormField[] {
  const { properties, required } = isRecord(schema) ? schema : {};
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, given]) => {
    const property = isRecord(given) ? given : {};
    return {
      name,
      title: textOf(property.title) ?? (isBlank(name) ? "(no name)" : name),
      property,
      required: Array.isArray(required) && required.includes(name),
    };
  });
}

export interface FormChoice {
  readonly value: string | number | boolean;
  readonly label: string;
  readonly description?: string | undefined;
}

/** Undefined for a property whose value is typed, or cannot be asked. */
export function choicesOf({ type, items, ...property }: Fields): readonly FormChoice[] | undefined {
  if (type === "boolean") {
    return [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
  }
  const source: Fields = type !== "array" ? property : isRecord(items) ? items : {};
  const titled = [source.oneOf, source.anyOf].find(Array.isArray);
  if (titled !== undefined) {
    return titled
      .filter(isRecord)
      .map(({ const: value, title, description }) => choiceOf(value, title, description));
  }
  if (!Array.isArray(source.enum)) return undefined;
  const names: readonly unknown[] = Array.isArray(source.enumNames) ? source.enumNames : [];
  return source.enum.map((value: unknown, index) => choiceOf(value, names[index]));
}

function choiceOf(given: unknown, title: unknown, description?: unknown): FormChoice {
  const value = typeof given === "number" || typeof given === "boolean" ? given : String(given);
  return { value, label: textOf(title) ?? String(value), description: textOf(description) };
}

/** Undefined for a type that cannot be asked. */
function questionOf({ title, property }: FormField, id: string): QuestionInput | undefined {
  const { type, description, minItems, maxItems } = property;
  const choices = choicesOf(property);
  const isAskable = choices === undefined ? isTyped(type) : choices.length > 0;
  if (!isAskable) return undefined;
  const text = [textOf(description) ?? title, ...(choices === undefined ? boundsText(property) : [])];
  return {
    id,
    question: text.join("\n"),
    header: title,
    options: (choices ?? []).map(({ label, description: about }, index) => ({
      id: `o${index + 1}`,
      label,
      description: about,
    })),
    freeText: choices === undefined ? undefined : false,
    ...(type === "array" && {
      multiSelect: true,
      ...(typeof minItems === "number" && minItems >= 1 && { minPicks: minItems }),
      ...(typeof maxItems === "number" && maxItems >= 1 && { maxPicks: maxItems }),
    }),
  };
}

function isTyped(type: unknown): boolean {
  return type === "string" || type === "number" || type === "integer";
}

interface TypedValue {
  readonly value: string | number;
  readonly problem?: string;
}

function typedValue({ type, minLength, maxLength, minimum, maximum }: Fields, text: string): TypedValue {
  if (type === "string") {
    if (typeof minLength === "number" && text.length < minLength) {
      return { value: text, problem: `needs at least ${minLength} characters` };
    }
    if (typeof maxLength === "number" && text.length > maxLength) {
      return { value: text, problem: `may have at most ${maxLength} characters, not ${text.length}` };
    }
    return { value: text };
  }
  const value = Number(text.trim());
  const whole = type === "integer";
  if (text.trim() === "" || !Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) {
    const problem = `${JSON.stringify(text)} is not a ${whole ? "whole number" : "number"}`;
    return { value: text, problem };
  }
  if (typeof minimum === "number" && value < minimum)
    return { value, problem: `must be at least ${minimum}` };
  if (typeof maximum === "number" && value > maximum) return { value, problem: `must be at most ${maximum}` };
  return { value };
}

/** What a typed value must be, for the person. */
function boundsText(property: Fields): readonly string[] {
  const { type, minimum, maximum, minLength, maxLength, format, pattern } = property;
  if (type === "number" || type === "integer") {
    const range = [
      type === "integer" ? "A whole number" : "A number",
      ...(typeof minimum === "number" ? [`at least ${minimum}`] : []),
      ...(typeof maximum === "number" ? [`at most ${maximum}`] : []),
    ];
    return [`${range.join(", ")}.`];
  }
  const bounds = [
    ...(typeof minLength === "number" ? [`at least ${minLength} characters`] : []),
    ...(typeof maxLength === "number" ? [`at most ${maxLength} characters`] : []),
    ...(typeof format === "string" ? [`as ${format}`] : []),
    ...(typeof pattern === "string" ? [`matching ${pattern}`] : []),
  ];
  return bounds.length > 0 ? [`Text, ${bounds.join(", ")}.`] : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && !isBlank(value) ? value : undefined;
}
