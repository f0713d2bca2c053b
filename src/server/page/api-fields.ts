// A schema of the API's document as lines to read: its fields, and what they may be. Null for a field that is not
// given and a list as JSON text are left out: the page says once that both are taken.

import { isRecord, type Json, type JsonObject } from "../../core/index.js";
import { type Html, html } from "./html.js";

export type Line =
  | {
      readonly kind: "field";
      readonly name: string;
      readonly required: boolean;
      readonly type: Html;
      readonly says?: string;
    }
  /** The lines after it hold where this does. */
  | { readonly kind: "where"; readonly text: string };

export function linesOf(schema: JsonObject, prefix = ""): readonly Line[] {
  const known = plain(schema);
  const required = Array.isArray(known.required) ? known.required : [];
  const own = fieldsOf(known).flatMap(([name, field]) =>
    isForbidden(field) ? [] : fieldLines(field, `${prefix}${name}`, required.includes(name)),
  );
  const several = choices(known).flatMap((choice) => choiceLines(choice, prefix));
  // Where it must be one of several things, that comes first.
  return prefix === "" && several.length > 0 && own.length > 0
    ? [...several, { kind: "where", text: "And in any case" }, ...own]
    : [...own, ...several];
}

function choiceLines(choice: JsonObject, prefix: string): readonly Line[] {
  const { title } = choice;
  const [name, field] = fieldsOf(choice).find(([, one]) => one.const !== undefined) ?? [];
  const lines = linesOf(choice, prefix).filter(
    (line) => line.kind === "where" || line.name !== `${prefix}${name}`,
  );
  const fixed = field && `Where ${prefix}${name} is ${JSON.stringify(field.const)}`;
  if (lines.length === 0 && fixed === undefined && title === undefined) return [];
  const told = lines.length > 0 || fixed !== undefined ? [] : [bareLine(choice)];
  return [{ kind: "where", text: fixed ?? (typeof title === "string" ? title : "Or") }, ...told, ...lines];
}

/** Of what is no object: what it is, without a name. */
function bareLine(schema: JsonObject): Line {
  const { description } = schema;
  return {
    ...{ kind: "field", name: "", required: false, type: typeOf(schema) },
    ...(typeof description === "string" && { says: description }),
  };
}

function fieldsOf({ properties }: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(isRecord(properties) ? properties : {}) as [string, JsonObject][];
}

/** Whether it can only be left away, or be as empty as if it were. */
function isForbidden(field: JsonObject): boolean {
  const several = choices(field);
  const [only] = several;
  if (field.anyOf !== undefined) return several.length === 1 && only !== undefined && only.maxItems === 0;
  return field.type === "null";
}

function fieldLines(field: JsonObject, name: string, required: boolean): readonly Line[] {
  const known = plain(field);
  const { description } = { ...known, ...field };
  const inside = isRecord(known.items)
    ? linesOf(known.items as JsonObject, `${name}[].`)
    : linesOf(known, `${name}.`);
  return [
    {
      ...{ kind: "field", name, required, type: typeOf(field) },
      ...(typeof description === "string" && { says: description }),
    },
    ...inside,
  ];
}

/** In a word or two, with its bounds. */
export function typeOf(schema: JsonObject): Html {
  const known = plain(schema);
  const { $ref, items, enum: values } = known;
  if (typeof $ref === "string") return refLink($ref);
  if (known.const !== undefined) return html`<code>${JSON.stringify(known.const)}</code>`;
  if (Array.isArray(values)) {
    const shown = values.filter((value) => value !== null);
    return html`${joined(shown.map((value) => html`<code>${String(value)}</code>`))}${bounds(known)}`;
  }
  if (isRecord(items)) {
    return html`list of ${typeOf(items as JsonObject)}${rangeText(known.minItems, known.maxItems)}`;
  }
  const several = choices(known);
  if (several.length > 0 && known.properties === undefined) return joined(uniqueTypes(several));
  return html`${typeName(known.type)}${bounds(known)}`;
}

function refLink($ref: string): Html {
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  return html`<a href="#${name}">${name}</a>`;
}

function uniqueTypes(schemas: readonly JsonObject[]): readonly Html[] {
  const types = schemas.map(typeOf);
  return types.filter(({ markup }, index) => types.findIndex((other) => other.markup === markup) === index);
}

function joined(parts: readonly Html[]): Html {
  return html`${parts.map((part, index) => [index > 0 && " or ", part])}`;
}

function typeName(type: Json | undefined): string {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => name !== "null" && name !== undefined);
  return names.length === 0
    ? "anything"
    : names.map((name) => (name === "string" ? "text" : name)).join(" or ");
}

function bounds(schema: JsonObject): string {
  const { maxLength, minimum, maximum, default: usual } = schema;
  const length = typeof maxLength === "number" ? `, up to ${count(maxLength)} characters` : "";
  const range =
    typeof minimum === "number" && typeof maximum === "number"
      ? `, ${count(minimum)} to ${count(maximum)}`
      : "";
  return `${length}${range}${usual === undefined ? "" : `, usually ${String(usual)}`}`;
}

function rangeText(min: Json | undefined, max: Json | undefined): string {
  if (typeof max !== "number") return "";
  return typeof min === "number" ? `, ${min} to ${count(max)} of them` : `, up to ${count(max)} of them`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

/** The one schema behind what only adds null or JSON text to it. */
function plain(schema: JsonObject): JsonObject {
  const several = choices(schema);
  const [only] = several;
  return several.length === 1 && only !== undefined && schema.properties === undefined ? plain(only) : schema;
}

function choices({ anyOf }: JsonObject): readonly JsonObject[] {
  const all = Array.isArray(anyOf) ? (anyOf as readonly Json[]).filter(isRecord) : [];
  return (all as readonly JsonObject[]).filter(
    (one) => one.type !== "null" && one.contentMediaType === undefined,
  );
}
