// Reads unknown data by the tables of the model. Each table is turned into a plan once, when its parser is loaded.
// Reading an object runs the steps of its plan, so that its fields have the order of the table.

import { isNearly } from "../kit/fold.js";
import { isRecord, type Json } from "../kit/json.js";
import {
  type ChoicesField,
  entriesOf,
  type Field,
  type Fields,
  type IdsField,
  type KindIn,
  type ListField,
  type Model,
  type ObjectField,
  type Table,
  type TextField,
  type VariantOf,
  type Variants,
} from "./field.js";
import { avoidNames, bringsId, giveIds } from "./give-ids.js";
import { at, type InputReader, isAbsent, type Path, type TextRule, typeName } from "./input-reader.js";

/** Adds the fields of the input at `path` to an object that already has the known ones. Does not freeze it. */
export type Plan<T> = (object: Fields, given: Fields, path: Path, reader: InputReader) => T;

interface Step {
  readonly name: string;
  readonly aliases: readonly string[] | undefined;
  readonly read: ReadField;
  /** Nothing to do if it is missing. */
  readonly optional: boolean;
}

/** With `isExact`, a field that is probably a misspelt one is an issue. Other unknown fields are passed over. */
export function planOf<T>({ fields, check }: Pick<Model<T>, "fields" | "check">, isExact = false): Plan<T> {
  const names = entriesOf(fields).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
  const steps = entriesOf(fields)
    .filter(([, { stored, known }]) => !stored && !known)
    .map(
      ([name, field]): Step => ({
        name,
        aliases: field.aliases,
        read: fieldReader(name, field, isExact),
        optional: isOptional(field),
      }),
    );
  return (into, given, path, reader) => {
    const object = into as Record<string, unknown>;
    if (isExact) refuseMisspelt(given, names, path, reader);
    for (let place = 0; place < steps.length; place += 1) {
      const { name, aliases, read, optional } = steps[place] as Step;
      let value = given[name];
      if (aliases !== undefined && isAbsent(value)) value = firstOf(given, aliases);
      if (value === undefined && optional) continue;
      const field = read(value, path, reader, given, object);
      if (field !== undefined) object[name] = field;
    }
    // A required field that is missing has an issue by now, and then the object is not used.
    check?.(object as T, given, path, reader);
    return object as T;
  };
}

/** The plans of a union, by kind. */
export function plansOf<T>({ variants }: Variants<T>): {
  readonly [Kind in KindIn<T>]: Plan<VariantOf<T, Kind>>;
} {
  const plans: Record<string, unknown> = {};
  for (const [kind, fields] of Object.entries(variants)) plans[kind] = planOf({ fields: fields as Table<T> });
  return plans as ReturnType<typeof plansOf<T>>;
}

/** Nobody misspells more of them in one object. */
const MOST_MISSPELT = 16;

function refuseMisspelt(given: Fields, names: readonly string[], path: Path, reader: InputReader): void {
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  for (const name of unknown.slice(0, MOST_MISSPELT)) {
    const meant = names.find((known) => isAbsent(given[known]) && isNearly(name, known));
    if (meant) reader.add("invalid_value", path, `unknown field; did you mean "${meant}"?`, name);
  }
}

function isOptional(field: Field): boolean {
  return !(
    ("default" in field && field.default !== undefined) ||
    field.required ||
    ("blank" in field && field.blank) ||
    ("impliedBy" in field && field.impliedBy)
  );
}

type ReadField = (value: unknown, path: Path, reader: InputReader, given: Fields, soFar: Fields) => unknown;

// Each entry is unpacked once, here: entries have many shapes, and looking into one for every value would take longer
// than reading the value.
function fieldReader(name: string, field: Field, isExact: boolean): ReadField {
  switch (field.kind) {
    case "text":
      return textReader(name, field);
    case "id": {
      const { max, required, default: usual } = field;
      return (value, path, reader) =>
        !required && (isAbsent(value) || value === usual) ? usual : reader.id(value, path, max, name);
    }
    case "flag": {
      const { default: usual } = field;
      return (value, path, reader) =>
        reader.flag(value, path, name) ?? (usual === "allowPartial" ? reader.profile.allowPartial : usual);
    }
    case "mark": {
      const { impliedBy } = field;
      return (value, path, reader, _given, soFar) =>
        reader.flag(value, path, name) || impliedBy?.(soFar) ? true : undefined;
    }
    case "integer": {
      const range = { min: field.min, max: field.max };
      return (value, path, reader) => reader.integer(value, path, range, name);
    }
    case "time":
      return (value, path, reader) => readTime(value, path, name, reader);
    case "choice": {
      const { choices, default: usual } = field;
      return (value, path, reader) => reader.choice(value, path, choices, name) ?? usual;
    }
    case "json":
      return (value, path, reader) => {
        if (isAbsent(value) && !field.required) {
          return field.default && reader.object(field.default, path, field.max, name);
        }
        const object = reader.object(value, path, field.max, name);
        if (field.exact && object !== undefined) refuseRounded(object, at(path, name), reader);
        return object;
      };
    case "ids":
      return (value, path, reader) =>
        isAbsent(value) ? field.default && NONE : readIds(value, at(path, name), field, reader);
    case "choices":
      return (value, path, reader) =>
        isAbsent(value)
          ? Object.freeze([...field.default])
          : readChoices(value, at(path, name), field, reader);
    case "list":
      return listReader(name, field, isExact);
    case "object":
      return objectReader(name, field, isExact);
    case "constant":
      return () => field.value;
    case "number":
    case "texts":
    case "duration":
      throw new TypeError(`${name} is not read from the input of an ask`);
  }
}

function firstOf(given: Fields, names: readonly string[]): unknown {
  return names.map((name) => given[name]).find((value) => !isAbsent(value));
}

function textReader(name: string, { max, blank, blankIf }: TextField): ReadField {
  const optional: TextRule = { max };
  const rule: TextRule = blank === undefined ? optional : { max, blank };
  if (blankIf === undefined) return (value, path, reader) => reader.text(value, path, rule, name);
  return (value, path, reader) => reader.text(value, path, reader.profile[blankIf] ? rule : optional, name);
}

/** The latest time that a Date can represent. */
export const LAST_TIME = 8_640_000_000_000_000;
const TIME = { min: 0, max: LAST_TIME } as const;
export const ISO_WITH_ZONE: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function readTime(value: unknown, path: Path, name: string, reader: InputReader): number | undefined {
  if (typeof value !== "string") return reader.integer(value, path, TIME, name);
  const time = ISO_WITH_ZONE.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const message = "must be milliseconds since 1970 or a date like 2030-01-31T12:00:00Z";
  reader.add("invalid_value", path, message, name);
  return undefined;
}

/** `JSON.parse` rounds whole numbers beyond 2^53 to ones that are not safe, so they are found after parsing. */
function refuseRounded(value: Json, path: Path, reader: InputReader): void {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = `is a whole number beyond ${Number.MAX_SAFE_INTEGER}, which may be rounded; send it as a string`;
    reader.add("invalid_value", path, message);
  } else if (Array.isArray(value)) {
    value.forEach((item: Json, index) => {
      refuseRounded(item, at(path, index), reader);
    });
  } else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) refuseRounded(inner as Json, at(path, key), reader);
  }
}

const NONE: readonly never[] = Object.freeze([]);

function readIds(
  value: unknown,
  path: Path,
  { max, unique }: IdsField,
  reader: InputReader,
): readonly string[] {
  const items = reader.list(value, path);
  if (items === undefined) return NONE;
  if (items.length > max) {
    reader.add("too_large", path, `must have at most ${max} entries`);
    return NONE;
  }
  const ids = items.map((item, index) => reader.id(item, at(path, index))).filter((id) => id !== undefined);
  return Object.freeze(unique ? [...new Set(ids)] : ids);
}

function readChoices(
  value: unknown,
  path: Path,
  { choices }: ChoicesField,
  reader: InputReader,
): readonly string[] {
  const items = reader.list(value, path);
  if (items === undefined) return NONE;
  const chosen = items
    .slice(0, choices.length)
    .map((item, index) => reader.choice(item ?? "null", at(path, index), choices));
  if (items.length === 0 || items.length > choices.length) {
    reader.add("invalid_value", path, `must name one to three of ${choices.join(", ")}`);
  }
  return Object.freeze(choices.filter((choice) => chosen.includes(choice)));
}

function objectReader(name: string, { of, lenient }: ObjectField, isExact: boolean): ReadField {
  const model = of as Model<object>;
  const read = planOf<object>(model, isExact);
  const { must, short } = model;
  const essential = entriesOf(model.fields).find(([, field]) => isEssential(field))?.[0];
  return (value, parent, reader) => {
    if (isAbsent(value)) return undefined;
    const path = at(parent, name);
    const given = short !== undefined && typeof value === "string" ? { [short]: value } : value;
    if (!isRecord(given)) {
      if (!lenient) reader.add("wrong_type", path, `must be ${must}, not ${typeName(value)}`);
      return undefined;
    }
    const object = read({}, given, path, reader);
    return essential !== undefined && !(essential in object) ? undefined : Object.freeze(object);
  };
}

function isEssential(field: Field): boolean {
  return field.kind === "text" && field.essential === true;
}

function listReader(name: string, { of, unless }: ListField, isExact: boolean): ReadField {
  const model = of as Model<object>;
  const { list: rules, must, short } = model;
  if (rules === undefined) throw new TypeError(`the model ${model.name} has no list rules`);
  const { shape } = rules;
  const read = planOf(model, isExact);

  const readItem = (item: unknown, id: string, path: Path, reader: InputReader): object => {
    // V8 reserves room for four fields in an empty literal, but only for one in `{ id }`.
    const object: { id?: string } = {};
    object.id = id;
    if (short !== undefined && typeof item === "string") read(object, { [short]: item }, path, reader);
    else if (isRecord(item)) {
      const foreign = shape === undefined ? undefined : reader.shape?.[shape];
      read(object, foreign === undefined ? item : foreign(item), path, reader);
    } else reader.add("wrong_type", path, `must be ${must}, not ${typeName(item)}`);
    return Object.freeze(object);
  };

  return (value, parent, reader, given) => {
    if (unless !== undefined && !isAbsent(given[unless])) return NONE;
    const items = isAbsent(value) ? NONE : reader.list(value, parent, name);
    if (items === undefined) return NONE;
    const path = at(parent, name);
    const range = rules.range(reader.profile);
    if (items.length < range.min || items.length > range.max) {
      const [code, message] = rules.wrongCount(items.length, range);
      reader.add(code, path, message);
    }
    // Items over the limit are not read: ten thousand of them cost no more than ten.
    const looked = items.slice(0, range.max);
    const ids = giveIds(looked, rules.ids, path, reader);
    const chosen = ids === rules.ids.made ? undefined : looked.map(bringsId);
    // Parsed items replace their input in place: a second list would cost as much as the items.
    const list = looked as object[];
    for (let index = 0; index < list.length; index += 1) {
      list[index] = readItem(list[index], ids[index] ?? "", at(path, index), reader);
      rules.checkItem?.(list, index, path, reader);
    }
    if (rules.names !== undefined) avoidNames(list, chosen, rules.ids, rules.names, path, reader);
    rules.checkAll?.(list, given, path, reader);
    return Object.freeze(list);
  };
}
