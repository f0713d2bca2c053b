// JSON Schemas from the tables of the model: what is sent has the fields of an interface as they are; what is read
// has the parser's bounds, and takes null for a field that is not given.

import type { JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { type Profile, profiles } from "../../core/kit/profiles.js";
import { type EndingType, endingFields } from "../../core/model/ending.js";
import {
  type AnyModel,
  entriesOf,
  type Field,
  isAlways,
  type Model,
  type Table,
  type Variants,
} from "../../core/read/field.js";
import { ISO_WITH_ZONE, LAST_TIME } from "../../core/read/read-fields.js";
import { NO_CONTROLS } from "../http/parameter.js";
import {
  ANY_OBJECT,
  type Fields,
  FLAG,
  idUpTo,
  listOf,
  NOTHING,
  nullable,
  object,
  oneOf,
  readList,
  ref,
  TEXT,
  TIME,
  TRUE,
  textNotBlank,
  textUpTo,
} from "./json-schema.js";
import type { SchemaName } from "./schemas.js";

/** As it is sent. */
export function sent({ fields, variants, about }: Partial<AnyModel>): JsonObject {
  if (variants === undefined) return byNeed(fields ?? {}, isAlways, sentOne);
  const anyOf = Object.values(variants).map((table) => byNeed(table, isAlways, sentOne));
  return { ...(about !== undefined && { description: about }), anyOf };
}

/** An object with the schemas of its fields; it must have those that are needed. */
function byNeed(
  table: object,
  needs: (field: Field) => boolean,
  schemaOf: (field: Field) => JsonObject,
  more: JsonObject = {},
): JsonObject {
  const fields = entriesOf(table);
  const some = (needed: boolean): Fields =>
    Object.fromEntries(
      fields.filter(([, field]) => needs(field) === needed).map(([name, field]) => [name, schemaOf(field)]),
    );
  return object(some(true), some(false), more);
}

function sentOne(field: Field): JsonObject {
  // Without the bounds of input.
  const about = field.kind === "json" ? field.about : aboutOf({ ...field, stored: true }).description;
  return { ...sentField(field), ...(about !== undefined && { description: about }) };
}

function sentField(field: Field): JsonObject {
  switch (field.kind) {
    case "text":
    case "id":
      return TEXT;
    case "flag":
      return FLAG;
    case "mark":
      return TRUE;
    case "integer":
    case "duration":
      return { type: "integer" };
    case "number":
      return { type: "number" };
    case "time":
      return TIME;
    case "choice":
      return oneOf(field.choices, field.open && { "x-extensible": true });
    case "constant":
      return { const: field.value };
    case "json":
      return field.shapes === undefined ? ANY_OBJECT : sent(field.shapes);
    case "texts":
      return { type: "object", additionalProperties: TEXT };
    case "ids":
      return listOf(TEXT);
    case "choices":
      return listOf(oneOf(field.choices));
    case "list":
      return listOf(named(field.of));
    case "object":
      return named(field.of);
  }
}

function named(model: AnyModel): JsonObject {
  return model.name === undefined ? sent(model) : ref(model.name as SchemaName);
}

/** As it is read by a route that corrects nothing: a field is as the table says, or missing. */
export function taken({ fields = {} }: AnyModel, more: JsonObject = {}): JsonObject {
  const schemaOf = (field: Field): JsonObject => ({ ...takenField(field), ...aboutOf(field) });
  return byNeed(fields, ({ required }) => required === true, schemaOf, more);
}

function takenField(field: Field): JsonObject {
  switch (field.kind) {
    case "text": {
      const { max, pattern } = field;
      return {
        ...(Number.isFinite(max) ? textUpTo(max) : TEXT),
        ...(pattern !== undefined && { pattern: pattern.source.replaceAll("\\/", "/") }),
      };
    }
    case "object": {
      const schema = taken(field.of);
      return field.clears ? { anyOf: [schema, NOTHING] } : schema;
    }
    case "ids": {
      const { min, max, length } = field;
      return listOf(length === undefined ? idUpTo(LIMITS.idLength) : textUpTo(length), {
        ...(min !== undefined && { minItems: min }),
        ...(Number.isFinite(max) && { maxItems: max }),
      });
    }
    case "integer":
    case "duration": {
      const schema = readField(field, profiles.open);
      return field.default === undefined ? schema : { ...schema, default: field.default };
    }
    default:
      return readField(field, profiles.open);
  }
}

/** As it is read. Where a text alone stands for the object, that is read too. */
export function read<T>(
  model: Pick<Model<T>, "fields" | "list" | "short">,
  profile: Profile = profiles.open,
  more: JsonObject = {},
): JsonObject {
  const { short } = model;
  if (short === undefined) return readFields(model, profile, more);
  const text = entriesOf(model.fields).flatMap(([name, field]) =>
    name === short ? [{ ...readField(field, profile), ...aboutOf(field), title: "A text" }] : [],
  );
  return { ...more, anyOf: [...text, readFields(model, profile, { title: "Or an object" })] };
}

export function readVariants<T>(
  { variants, about }: Variants<T>,
  profile: Profile = profiles.open,
): JsonObject {
  const tables: readonly Table<object>[] = Object.values(variants);
  return {
    ...(about !== undefined && { description: about }),
    anyOf: tables.map((fields) => read({ fields }, profile)),
  };
}

/** What a person sends to end an ask, with schemas for what is held against the ask. */
export function readEnding(type: EndingType, given: Fields): JsonObject {
  const needed: Record<string, JsonObject> = {};
  const rest: Record<string, Field> = {};
  for (const [name, field] of endingFields(type)) {
    const schema = given[name];
    if (schema === undefined) rest[name] = field;
    else needed[name] = { ...schema, ...aboutOf(field) };
  }
  return readFields<object>({ fields: rest }, profiles.open, {}, needed);
}

function readFields<T>(
  { fields, list }: Pick<Model<T>, "fields" | "list">,
  profile: Profile,
  more: JsonObject,
  needed: Record<string, JsonObject> = {},
): JsonObject {
  const optional: Record<string, JsonObject> = {};
  let either: JsonObject = {};
  for (const [name, field] of entriesOf(fields)) {
    if (field.stored) continue;
    const schema = { ...readField(field, profile, list !== undefined), ...aboutOf(field) };
    // Ids of a list are made where they are not given; a reference into an ask has to be there.
    const isReference = field.known && field.kind !== "ids" && list === undefined;
    if (!isReference && !isNeeded(field, profile)) optional[name] = orNull(field, schema);
    else if (field.aliases === undefined) needed[name] = schema;
    else {
      optional[name] = orNull(field, schema);
      either = eitherName(name, field.aliases, schema);
    }
  }
  return object(needed, optional, { ...either, ...more });
}

/** Whether a request without it is refused. */
function isNeeded(field: Field, profile: Profile): boolean {
  if (field.kind === "text") return field.blank !== undefined && (!field.blankIf || profile[field.blankIf]);
  if (field.kind === "list") return rangeOf(field.of, profile).min > 0;
  return field.required === true;
}

function readField(field: Field, profile: Profile, isListed = false): JsonObject {
  switch (field.kind) {
    case "text":
      return isNeeded(field, profile) ? textNotBlank(field.max) : textUpTo(field.max);
    case "id":
      if (field.known && !isListed) return TEXT;
      return field.default === "" ? textUpTo(field.max, { pattern: NO_CONTROLS }) : idUpTo(field.max);
    case "flag":
    case "mark":
      return FLAG;
    case "number":
    case "texts":
      return sentField(field);
    case "duration":
      return {
        anyOf: [
          { type: "integer", minimum: field.min, maximum: field.max },
          { type: "string", pattern: "^\\d+(\\.\\d+)?(ms|s|m|h|d)$" },
        ],
      };
    case "integer":
      return { type: "integer", minimum: field.min, maximum: field.max };
    case "time":
      return {
        anyOf: [
          { type: "integer", minimum: 0, maximum: LAST_TIME },
          { type: "string", pattern: ISO_WITH_ZONE.source },
        ],
      };
    case "choice":
      return oneOf(field.choices);
    case "constant":
      return { const: field.value };
    case "json":
      return ANY_OBJECT;
    case "ids":
      return readList(field.known ? TEXT : idUpTo(LIMITS.idLength), { max: field.max });
    case "choices":
      return readList(oneOf(field.choices), { min: 1, max: field.choices.length });
    case "list": {
      const { of } = field;
      const name = profile === profiles.chat && of.name === "Question" ? "ChatQuestion" : of.name;
      return readList(ref(`${name}Input` as SchemaName), rangeOf(of, profile));
    }
    case "object": {
      const { type, ...schema } = read(field.of as Model<object>, profile);
      return field.lenient || type === undefined ? schema : { type, ...schema };
    }
  }
}

function rangeOf({ list }: AnyModel, profile: Profile): { readonly min: number; readonly max: number } {
  return list?.range(profile) ?? { min: 0, max: 0 };
}

function orNull(field: Field, schema: JsonObject): JsonObject {
  if (field.kind === "object" && field.lenient) return schema;
  const { anyOf } = schema;
  return field.kind === "object" && Array.isArray(anyOf)
    ? { ...schema, anyOf: [...anyOf, NOTHING] }
    : nullable(schema);
}

/** A needed field that has other names as well: one of them must be there. */
function eitherName(name: string, aliases: readonly string[], schema: JsonObject): JsonObject {
  return {
    anyOf: [
      object({ [name]: TEXT }, {}, { title: `With its ${name}` }),
      ...aliases.map((alias) =>
        object(
          { [alias]: schema },
          {},
          { title: `Or with a ${alias}, which is taken for a missing ${name}` },
        ),
      ),
    ],
  };
}

function aboutOf(field: Field): { readonly description?: string } {
  const { about } = field;
  const bound =
    field.kind === "json"
      ? jsonBound(field.max)
      : field.kind === "time"
        ? field.stored
          ? "Milliseconds since the epoch."
          : "Milliseconds since the epoch, or a date with a time zone such as 2030-01-31T12:00:00Z."
        : undefined;
  const description = [about, bound].filter((text) => text !== undefined).join(" ");
  return description === "" ? {} : { description };
}

export function jsonBound(length: number): string {
  return `At most ${length.toLocaleString("en")} characters as JSON, ${LIMITS.jsonDepth} levels deep.`;
}
