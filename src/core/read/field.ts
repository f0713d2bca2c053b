// The table of an interface: one entry for each field. A missing entry, one of the wrong kind, or one that is optional
// where the field is not, does not compile. The parser, the JSON Schemas, the ask tool's schema, the copy into a stored
// ask, the estimate of its size and the archive's checks are all derived from the tables.

import type { IssueCode } from "../kit/issue.js";
import type { JsonObject } from "../kit/json.js";
import type { Profile, Range } from "../kit/profiles.js";
import type { NameRule, Numbering } from "./give-ids.js";
import type { InputReader, Path, QuestionShape } from "./input-reader.js";

interface FieldBase {
  /** The field's description in the OpenAPI document. */
  readonly about?: string;
  /** Other names that models write for it. */
  readonly aliases?: readonly string[];
  /** Set for the fields that a model may write through the ask tool. */
  readonly tool?: ToolField;
  /** Every object has the field. Not needed for a field with a default or with `blank`. */
  readonly required?: true;
  /** Determined before the fields are read (ids in a list, references into an ask) and passed in. */
  readonly known?: true;
  /** Written by the hub only; a request cannot set it. */
  readonly stored?: true;
  /** Completes "must …" for a value that a body may not have. */
  readonly must?: string;
}

/** How the ask tool's schema presents a field to a model. */
export interface ToolField {
  readonly about: string | ((range: Range) => string);
  readonly required?: true;
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly max: number;
  readonly pattern?: RegExp;
  /** The issue for a missing or blank text. Without it, the field is omitted. */
  readonly blank?: readonly [IssueCode, string];
  /** `blank` applies only to profiles with this flag. */
  readonly blankIf?: "headerRequired";
  /** An object without this field is omitted as a whole. */
  readonly essential?: true;
}

/** One line without control characters. */
export interface IdField extends FieldBase {
  readonly kind: "id";
  readonly max: number;
  readonly pattern?: RegExp;
  readonly default?: string;
}

export interface FlagField extends FieldBase {
  readonly kind: "flag";
  /** A flag of the profile, or the value. */
  readonly default?: boolean | "allowPartial";
}

/** `true`, or absent. */
export interface MarkField extends FieldBase {
  readonly kind: "mark";
  /** Whether the fields before it imply the mark. */
  readonly impliedBy?: (soFar: Fields) => boolean;
}

export interface IntegerField extends FieldBase {
  readonly kind: "integer";
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

/** Any number; only in what is sent. */
export interface NumberField extends FieldBase {
  readonly kind: "number";
}

/** Milliseconds. Input may also be a time such as `1h`. */
export interface DurationField extends FieldBase {
  readonly kind: "duration";
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

/** Milliseconds since the epoch. Input may also be an ISO 8601 date with a time zone. */
export interface TimeField extends FieldBase {
  readonly kind: "time";
}

export interface ChoiceField<Choice extends string = string> extends FieldBase {
  readonly kind: "choice";
  readonly choices: readonly Choice[];
  readonly default?: Choice;
  /** The same API version may add choices later. */
  readonly open?: true;
}

export interface JsonField extends FieldBase {
  readonly kind: "json";
  /** Characters of JSON text. */
  readonly max: number;
  readonly default?: JsonObject;
  /** Refuse whole numbers that a double cannot hold exactly. */
  readonly exact?: true;
  /** The objects that it may be. */
  readonly shapes?: Variants;
}

/** Texts by any names; only in what is sent. */
export interface TextsField extends FieldBase {
  readonly kind: "texts";
}

export interface IdsField extends FieldBase {
  readonly kind: "ids";
  readonly min?: number;
  readonly max: number;
  /** The characters of each, which may then be empty; by default, an id. */
  readonly length?: number;
  /** Repeated ids are dropped. */
  readonly unique?: true;
  readonly default?: readonly [];
}

export interface ChoicesField<Choice extends string = string> extends FieldBase {
  readonly kind: "choices";
  readonly choices: readonly Choice[];
  readonly default: readonly Choice[];
}

export interface ListField<Item = unknown> extends FieldBase {
  readonly kind: "list";
  readonly of: unknown extends Item ? AnyModel : ModelOf<Item>;
  /** The list is empty if the field of this name is present. */
  readonly unless?: string;
}

export interface ObjectField<Value = unknown> extends FieldBase {
  readonly kind: "object";
  /** In changes, null removes it. */
  readonly clears?: true;
  /** What is not an object is passed over. */
  readonly lenient?: true;
  readonly of: unknown extends Value ? AnyModel : ModelOf<Value>;
}

/** The discriminating field of a union. */
export interface ConstantField<Value extends string = string> extends FieldBase {
  readonly kind: "constant";
  readonly value: Value;
}

export type Field =
  | TextField
  | IdField
  | FlagField
  | MarkField
  | IntegerField
  | NumberField
  | DurationField
  | TimeField
  | ChoiceField
  | JsonField
  | TextsField
  | IdsField
  | ChoicesField
  | ListField
  | ObjectField
  | ConstantField;

/** The field of one variant that tells it from the others. */
export function is<Value extends string>(value: Value): ConstantField<Value> & { readonly known: true } {
  return { kind: "constant", value, known: true };
}

/** The fields of unparsed input. */
export type Fields = Readonly<Record<string, unknown>>;

/** An interface of the model: its table, and the rules that a table cannot express. */
export interface Model<T> {
  /** Its name in the OpenAPI document; without one, the schema is written inline. */
  readonly name?: string;
  /** Its description in the ask tool's schema. */
  readonly tool?: string;
  /** Completes the message "must be …" for input of another type. */
  readonly must: string;
  readonly fields: Table<T>;
  /** A bare string is read as an object with this field. */
  readonly short?: keyof T & string;
  readonly list?: ListRules<T>;
  /** Checks rules between fields. */
  check?(value: Unfinished<T>, given: Fields, path: Path, reader: InputReader): void;
}

/** The rules for a list of them. */
export interface ListRules<T> {
  /** Ids for items that have none. */
  readonly ids: Numbering;
  /** An id must not equal the name of another item. */
  readonly names?: NameRule<T>;
  /** The part of a dialect's {@link QuestionShape} that applies to them. */
  readonly shape?: keyof QuestionShape;
  range(profile: Profile): Range;
  wrongCount(count: number, range: Range): readonly [IssueCode, string];
  /** Checks one item against the items before it. */
  checkItem?(items: readonly T[], index: number, path: Path, reader: InputReader): void;
  /** Checks all items before they are frozen; `given` is the unparsed parent. */
  checkAll?(items: T[], given: Fields, path: Path, reader: InputReader): void;
}

/** A union of the model: one table per `kind`, or per `type` or `role`. */
export interface Variants<T = unknown> {
  readonly name?: string;
  readonly about?: string;
  readonly variants: unknown extends T
    ? Readonly<Record<string, object>>
    : { readonly [Kind in KindIn<T>]: Table<VariantOf<T, Kind>> };
}

/** The names of the variants of a union. */
export type KindIn<T> = T extends { readonly kind: infer Kind extends string }
  ? Kind
  : T extends { readonly type: infer Type extends string }
    ? Type
    : T extends { readonly role: infer Role extends string }
      ? Role
      : never;
export type VariantOf<T, Kind extends string> = Extract<
  T,
  { readonly kind: Kind } | { readonly type: Kind } | { readonly role: Kind }
>;

/** A model or a union of any type, for code that walks over tables. */
export interface AnyModel {
  readonly name?: string;
  readonly about?: string;
  readonly tool?: string;
  readonly fields?: object;
  readonly variants?: object;
  readonly list?: Pick<ListRules<object>, "range">;
}

type ModelOf<T> = [T] extends [
  { readonly kind: string } | { readonly type: string } | { readonly role: string },
]
  ? Variants<T>
  : Model<T>;

export type Table<T> = { readonly [Name in keyof T]-?: FieldOf<T, Name> };

type FieldOf<T, Name extends keyof T> = KindOf<Exclude<T[Name], undefined>, Name> &
  (undefined extends T[Name] ? Optional : Always);

/** A field that is not optional is required, has a default, or is known. */
type Always =
  | { readonly required: true }
  | { readonly known: true }
  | { readonly default: unknown }
  | { readonly blank: TextField["blank"]; readonly blankIf?: never }
  | { readonly essential: true };

interface Optional {
  readonly required?: never;
  readonly known?: never;
  readonly default?: never;
  readonly essential?: never;
}

type KindOf<Value, Name> = [Value] extends [true]
  ? MarkField
  : [Value] extends [boolean]
    ? FlagField
    : [Value] extends [number]
      ? IntegerField | NumberField | DurationField | TimeField
      : [Value] extends [string]
        ? TextKind<Value, Name>
        : [Value] extends [readonly (infer Item)[]]
          ? ListKind<Item>
          : [JsonObject] extends [Value]
            ? JsonField | ObjectField<Value>
            : [Value] extends [Readonly<Record<string, string>>]
              ? TextsField | ObjectField<Value>
              : ObjectField<Value>;

type TextKind<Value extends string, Name> = string extends Value
  ? TextField | IdField
  : Name extends "kind"
    ? ConstantField<Value>
    : ChoiceField<Value> | ConstantField<Value>;

type ListKind<Item> = [Item] extends [string]
  ? string extends Item
    ? IdsField
    : ChoicesField<Item>
  : ListField<Item>;

/** Whether every parsed object has the field, as its type says. */
export function isAlways(field: Field): boolean {
  if (field.required || field.known) return true;
  if (field.kind === "text") return (field.blank !== undefined && !field.blankIf) || field.essential === true;
  return "default" in field && field.default !== undefined;
}

/** The entries of a table, in its order. */
export function entriesOf(table: object): readonly (readonly [string, Field])[] {
  return Object.entries(table);
}

/** Whether an earlier item has the same text in this field. A set would be slower: it hashes every text. */
export function isRepeated<T>(items: readonly T[], index: number, name: keyof T): boolean {
  const text = items[index]?.[name];
  if (text === undefined) return false;
  for (let before = 0; before < index; before += 1) if (items[before]?.[name] === text) return true;
  return false;
}

/** An object under construction. Filling in fields is far cheaper than conditional spreads. */
export type Unfinished<T> = { -readonly [Name in keyof T]: T[Name] };

/** What a caller may write for a `T`: only `Needed` is required, and `Other` replaces fields that take more types. */
export type InputOf<T, Needed extends keyof T, Other = unknown> = OptionalFields<
  T,
  Exclude<keyof T, Needed | keyof Other>
> &
  Pick<T, Needed> &
  Other;

// Without an `as` clause, so that editors show the comments of the fields.
type OptionalFields<T, Name extends keyof T> = {
  readonly [Field in Name]?: Exclude<T[Field], undefined> extends true
    ? boolean | undefined
    : T[Field] | undefined;
};
