// A form that an MCP server requests (elicitation): a flat JSON schema as questions, and an outcome as its content.
//
//   enum, oneOf, boolean -> one choice        array of enum, anyOf -> several choices
//   string, number, integer -> typed text
//
// The id of a question is the name of its property.

import type { Ask, Json, JsonObject, Outcome, QuestionInput } from "../../core/index.js";
import { isRecord, LIMITS, profiles } from "../../core/index.js";

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for a form that questions cannot express; the client then shows its own. */
export function decodeElicitation(schema: JsonObject): readonly QuestionInput[] | undefined {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length === 0 || properties.length > profiles.open.questions.max) return undefined;
  const questions = properties.map(([name, property]) =>
    isRecord(property) && /^[\w.:-]{1,128}$/.test(name) ? questionOf(name, property) : undefined,
  );
  return questions.every((question) => question !== undefined) ? questions : undefined;
}

function questionOf(name: string, property: Fields): QuestionInput | undefined {
  const title = textIn(property.title) ?? name;
  const question = textIn(property.description) ?? title;
  const header = title.slice(0, LIMITS.headerLength);
  const choices = choicesOf(property);
  if (choices !== undefined) {
    if (choices.length === 0 || choices.length > profiles.open.options.max) return undefined;
    const options = choices.map(({ label }, index) => ({ id: `o${index + 1}`, label }));
    if (new Set(choices.map(({ label }) => label)).size < choices.length) return undefined;
    return { id: name, question, header, options, multiSelect: property.type === "array", freeText: false };
  }
  return isTyped(property.type) ? { id: name, question, header } : undefined;
}

function isTyped(type: unknown): boolean {
  return type === "string" || type === "number" || type === "integer";
}

interface FormChoice {
  readonly value: Json;
  readonly label: string;
}

/** Undefined for a property whose value is typed. */
function choicesOf(property: Fields): readonly FormChoice[] | undefined {
  if (property.type === "boolean") {
    return [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
  }
  const source = property.type === "array" ? (isRecord(property.items) ? property.items : {}) : property;
  const titled = [source.oneOf, source.anyOf].find(Array.isArray);
  if (titled !== undefined) {
    return titled
      .filter(isRecord)
      .flatMap(({ const: value, title }) =>
        typeof value === "string" ? [{ value, label: textIn(title) ?? value }] : [],
      );
  }
  if (Array.isArray(source.enum)) {
    const names: readonly unknown[] = Array.isArray(source.enumNames) ? source.enumNames : [];
    return source.enum.flatMap((value: unknown, index) =>
      typeof value === "string" ? [{ value, label: textIn(names[index]) ?? value }] : [],
    );
  }
  return property.type === "array" ? [] : undefined;
}

/** `{ action, content? }`. Undefined for an outcome that decides nothing. */
export function encodeElicitation(schema: JsonObject, ask: Ask, outcome: Outcome): JsonObject | undefined {
  switch (outcome.kind) {
    case "declined":
    case "replied":
      return { action: "decline" };
    case "answered": {
      const content: Record<string, Json> = {};
      const properties = isRecord(schema.properties) ? schema.properties : {};
      for (const { question, selected, text } of outcome.answers) {
        const property = properties[question];
        if (!isRecord(property)) continue;
        const asked = ask.questions.find(({ id }) => id === question);
        const places = selected.map((id) => asked?.options.findIndex((option) => option.id === id) ?? -1);
        const values = places.flatMap((place) => choicesOf(property)?.[place]?.value ?? []);
        const value = values.length === 0 ? typedValue(property, text) : values;
        if (value === undefined) continue;
        content[question] = Array.isArray(value) && property.type !== "array" ? (value[0] as Json) : value;
      }
      return { action: "accept", content };
    }
    default:
      return undefined;
  }
}

/** A number where the form wants one; what is no number is sent as it is, and the server refuses it in its own words. */
function typedValue(property: Fields, text: string | undefined): Json | undefined {
  if (text === undefined || property.type === "array" || property.type === "boolean") return undefined;
  const number = Number(text.trim());
  const wantsNumber = property.type === "number" || property.type === "integer";
  return wantsNumber && text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.slice(0, LIMITS.labelLength) : undefined;
}
