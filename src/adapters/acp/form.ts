// A form of the Agent Client Protocol, which is that of MCP: a flat JSON schema as questions, and answers as its content.
//
//   enum, oneOf, boolean   -> one choice         array of enum, anyOf -> several choices
//   string, number, integer -> typed text

import type { ElicitationContentValue, ElicitationSchema } from "@agentclientprotocol/sdk";
import {
  type Answer,
  isRecord,
  LIMITS,
  profiles,
  type Question,
  type QuestionInput,
} from "../../core/index.js";
import { setOwn } from "../../core/kit/json.js";

type Fields = Readonly<Record<string, unknown>>;

export type Form =
  | { readonly ok: true; readonly questions: readonly QuestionInput[]; readonly allowPartial: boolean }
  | { readonly ok: false; readonly message: string };

export function formQuestions(schema: ElicitationSchema): Form {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return { ok: false, message: "requestedSchema must have properties" };
  const most = profiles.open.questions.max;
  if (fields.length > most)
    return { ok: false, message: `requestedSchema must have at most ${most} properties` };
  const questions: QuestionInput[] = [];
  for (const [index, { name, property }] of fields.entries()) {
    const choices = choicesOf(property);
    const typed = ["string", "number", "integer"].includes(String(property.type));
    if (choices === undefined && !typed) {
      return { ok: false, message: `the property ${JSON.stringify(name)} has a type that cannot be asked` };
    }
    const title = titleOf(name, property);
    const least = Number(property.minItems ?? 0);
    questions.push({
      // By position: the name of a property may be longer than an id.
      id: questionId(index),
      question: [textOf(property.description) ?? title, ...boundsText(property)]
        .join("\n")
        .slice(0, LIMITS.questionLength),
      header: title.slice(0, LIMITS.headerLength),
      options: (choices ?? []).map(({ label, description }, at) => ({
        id: `o${at + 1}`,
        label: label.slice(0, LIMITS.labelLength),
        ...(description !== undefined && { description: description.slice(0, LIMITS.descriptionLength) }),
      })),
      ...(choices !== undefined && { freeText: false }),
      ...(property.type === "array" && {
        multiSelect: true,
        ...(least >= 1 && { minPicks: least }),
        ...(typeof property.maxItems === "number" &&
          property.maxItems >= 1 && { maxPicks: property.maxItems }),
      }),
    });
  }
  return { ok: true, questions, allowPartial: !fields.every(({ required }) => required) };
}

export interface FormProblem {
  readonly title: string;
  readonly problem: string;
}

/** The content of the form, and what is wrong with it. A question that was skipped is left out. */
export function formContent(
  schema: ElicitationSchema,
  questions: readonly Question[],
  answers: readonly Answer[],
): { readonly content: Record<string, ElicitationContentValue>; readonly problems: readonly FormProblem[] } {
  const content: Record<string, ElicitationContentValue> = {};
  const problems: FormProblem[] = [];
  for (const [index, { name, property, required }] of fieldsOf(schema).entries()) {
    const answer = answers.find(({ question }) => question === questionId(index));
    const title = titleOf(name, property);
    const options = questions.find(({ id }) => id === questionId(index))?.options ?? [];
    const values = (answer?.selected ?? []).flatMap((id) => {
      const value = choicesOf(property)?.[options.findIndex((option) => option.id === id)]?.value;
      return value === undefined ? [] : [value];
    });
    const [value] = values;
    if (property.type === "array" && values.length > 0) setOwn(content, name, values as string[]);
    else if (value !== undefined) setOwn(content, name, value);
    else if (answer?.text !== undefined) {
      const read = typedValue(property, answer.text);
      if ("problem" in read) problems.push({ title, problem: read.problem });
      else setOwn(content, name, read.value);
    } else if (required) problems.push({ title, problem: "needs an answer" });
  }
  return { content, problems };
}

interface Field {
  readonly name: string;
  readonly property: Fields;
  readonly required: boolean;
}

function fieldsOf({ properties, required }: ElicitationSchema): readonly Field[] {
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    property: isRecord(property) ? property : {},
    required: required?.includes(name) === true,
  }));
}

function questionId(index: number): string {
  return `q${index + 1}`;
}

interface Choice {
  readonly value: string | boolean;
  readonly label: string;
  readonly description?: string;
}

/** Undefined for a property whose value is typed. */
function choicesOf(property: Fields): readonly Choice[] | undefined {
  if (property.type === "boolean") {
    return [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
  }
  const source = property.type === "array" && isRecord(property.items) ? property.items : property;
  const titled = [source.oneOf, source.anyOf].find(Array.isArray);
  if (titled !== undefined) {
    return titled.filter(isRecord).map(({ const: value, title, description }) => {
      const about = textOf(description);
      return {
        value: String(value),
        label: textOf(title) ?? String(value),
        ...(about !== undefined && { description: about }),
      };
    });
  }
  if (Array.isArray(source.enum))
    return source.enum.map((value) => ({ value: String(value), label: String(value) }));
  return undefined;
}

function typedValue(
  property: Fields,
  text: string,
): { readonly value: string | number } | { readonly problem: string } {
  if (property.type === "string") {
    const { minLength, maxLength } = property;
    if (typeof minLength === "number" && text.length < minLength) {
      return { problem: `needs at least ${minLength} characters` };
    }
    if (typeof maxLength === "number" && text.length > maxLength) {
      return { problem: `may have at most ${maxLength} characters, not ${text.length}` };
    }
    return { value: text };
  }
  const value = Number(text.trim());
  const whole = property.type === "integer";
  if (text.trim() === "" || !Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) {
    return { problem: `${JSON.stringify(text)} is not a ${whole ? "whole number" : "number"}` };
  }
  const { minimum, maximum } = property;
  if (typeof minimum === "number" && value < minimum) return { problem: `must be at least ${minimum}` };
  if (typeof maximum === "number" && value > maximum) return { problem: `must be at most ${maximum}` };
  return { value };
}

/** What a typed value must be, for the person. */
function boundsText({
  type,
  minimum,
  maximum,
  minLength,
  maxLength,
  format,
  pattern,
}: Fields): readonly string[] {
  if (type === "number" || type === "integer") {
    const range = [
      ...(typeof minimum === "number" ? [`at least ${minimum}`] : []),
      ...(typeof maximum === "number" ? [`at most ${maximum}`] : []),
    ];
    return [
      `A ${type === "integer" ? "whole number" : "number"}${range.length > 0 ? `, ${range.join(", ")}` : ""}.`,
    ];
  }
  const lengths = [
    ...(typeof minLength === "number" ? [`at least ${minLength} characters`] : []),
    ...(typeof maxLength === "number" ? [`at most ${maxLength} characters`] : []),
    ...(typeof format === "string" ? [`as ${format}`] : []),
    ...(typeof pattern === "string" ? [`matching ${pattern}`] : []),
  ];
  return lengths.length > 0 ? [`Text, ${lengths.join(", ")}.`] : [];
}

function titleOf(name: string, property: Fields): string {
  return textOf(property.title) ?? (name.trim() === "" ? "(no name)" : name);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
