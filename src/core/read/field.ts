// What a table says about the fields of an interface. Every field has an entry: a missing one, one of the wrong
// kind, or one that is optional where the interface is not, does not compile. The parser, the JSON Schemas, the
// ask tool's schema, the copy into a stored ask, the estimate of its size and the archive's checks follow from it.

import type { IssueCode } from "../kit/issue.js";
import type { JsonObject } from "../kit/json.js";
import type { Profile, Range } from "../kit/limits.js";
import type { Numbering } from "./give-ids.js";
import type { InputReader, Path, QuestionShape } from "./input-reader.js";

interface FieldBase {
  /** What the field means, in the words of the API's document. */
  readonly about?: string;
  /** Other names that models write for it. */
  readonly aliases?: readonly string[];
  /** Set for the fields that a model may write through the ask tool. */
  readonly tool?: ToolField;
  /** Every object has it. What has a default, or must not be blank, says so by that. */
  readonly required?: true;
  /** Worked out before the fields are read (ids of a list, references into an ask) and passed in. */
  readonly known?: true;
  /** Written by the hub alone; nothing in a request can set it. */
  readonly stored?: true;
}

/** How the ask tool's schema presents a field to a model. */
export interface ToolField {
  readonly about: string | ((range: Range) => string);
  readonly required?: true;
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly max: number;
  /** The issue for a text that is missing or blank. Without it, such a text is left out. */
  readonly blank?: readonly [IssueCode, string];
  /** `blank` holds only for profiles with this flag. */
  readonly blankIf?: "headerRequired";
  /** Without it, the object that it belongs to is left out as a whole. */
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
  /** Whether what was read so far says the same as the mark. */
  readonly impliedBy?: (soFar: Fields) => boolean;
}

export interface IntegerField extends FieldBase {
  readonly kind: "integer";
  readonly min: number;
  readonly max: number;
}

/** Milliseconds since the epoch; an ISO 8601 date with a time zone is read too. */
export interface TimeField extends FieldBase {
  readonly kind: "time";
}

export interface ChoiceField<Choice extends string = string> extends FieldBase {
  readonly kind: "choice";
  readonly choices: readonly Choice[];
  readonly default?: Choice;
  /** More choices may come in the same version of the API. */
  readonly open?: true;
}

export interface JsonField extends FieldBase {
  readonly kind: "json";
  /** As text. */
  readonly max: number;
  readonly default?: JsonObject;
}

export interface IdsField extends FieldBase {
  readonly kind: "ids";
  readonly max: number;
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
  /** Empty where the field of this name is given. */
  readonly unless?: string;
}

export interface ObjectField<Value = unknown> extends FieldBase {
  readonly kind: "object";
  readonly of: unknown extends Value ? AnyModel : ModelOf<Value>;
}

/** The field that says which variant of a union it is. */
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
  | TimeField
  | ChoiceField
  | JsonField
  | IdsField
  | ChoicesField
  | ListField
  | ObjectField
  | ConstantField;

/** The `kind` of one variant. */
export function is<Value extends string>(value: Value): ConstantField<Value> & { readonly known: true } {
  return { kind: "constant", value, known: true };
}

/** The fields of something that was sent, whatever is in them. */
export type Fields = Readonly<Record<string, unknown>>;

/** An interface of the model, and what a table cannot say about it. */
export interface Model<T> {
  /** In the API's document; one without a name is written out where it is used. */
  readonly name?: string;
  /** What the ask tool calls one of them. */
  readonly tool?: string;
  /** What it has to be, for the message about something else. */
  readonly must: string;
  readonly fields: Table<T>;
  /** A text alone stands for an object with this field. */
  readonly short?: keyof T & string;
  readonly list?: ListRules<T>;
  /** What holds between its fields. */
  check?(value: Unfinished<T>, given: Fields, path: Path, reader: InputReader): void;
}

/** What holds for a list of them. */
export interface ListRules<T> {
  /** What they are called where they bring no ids of their own. */
  readonly ids: Numbering;
  /** How a dialect may write them. */
  readonly shape?: keyof QuestionShape;
  range(profile: Profile): Range;
  wrongCount(count: number, range: Range): readonly [IssueCode, string];
  /** One of them, beside the ones before it. */
  checkItem?(items: readonly T[], index: number, path: Path, reader: InputReader): void;
  /** All of them, before they are frozen; `given` are the fields of what they belong to. */
  checkAll?(items: T[], given: Fields, path: Path, reader: InputReader): void;
}

/** A union of the model: one table for each `kind`. */
export interface Variants<T extends { readonly kind: string }> {
  readonly name: string;
  readonly about?: string;
  readonly variants: { readonly [Kind in T["kind"]]: Table<Extract<T, { readonly kind: Kind }>> };
}

/** A model or a union of any type, for what walks over its table. */
export interface AnyModel {
  readonly name?: string;
  readonly tool?: string;
  readonly fields?: object;
  readonly variants?: object;
  readonly list?: Pick<ListRules<object>, "range">;
}

type ModelOf<T> = [T] extends [{ readonly kind: string }] ? Variants<T> : Model<T>;

export type Table<T> = { readonly [Name in keyof T]-?: FieldOf<T, Name> };

type FieldOf<T, Name extends keyof T> = KindOf<Exclude<T[Name], undefined>, Name> &
  (undefined extends T[Name] ? Optional : Always);

/** What an interface always has is demanded, has a default, or is known. */
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
      ? IntegerField | TimeField
      : [Value] extends [string]
        ? TextKind<Value, Name>
        : [Value] extends [readonly (infer Item)[]]
          ? ListKind<Item>
          : [JsonObject] extends [Value]
            ? JsonField
            : ObjectField<Value>;

type TextKind<Value extends string, Name> = string extends Value
  ? TextField | IdField
  : Name extends "kind"
    ? ConstantField<Value>
    : ChoiceField<Value>;

type ListKind<Item> = [Item] extends [string]
  ? string extends Item
    ? IdsField
    : ChoicesField<Item>
  : ListField<Item>;

/** Whether every finished object has the field: what its type says, for programs. */
export function isAlways(field: Field): boolean {
  if (field.required || field.known) return true;
  if (field.kind === "text") return (field.blank !== undefined && !field.blankIf) || field.essential === true;
  return "default" in field && field.default !== undefined;
}

/** The entries of a table, in its order. */
export function entriesOf(table: object): readonly (readonly [string, Field])[] {
  return Object.entries(table);
}

/** Whether one before it has the same text there. Compared one by one: a set would have to hash every text. */
export function isRepeated<T>(items: readonly T[], index: number, name: keyof T): boolean {
  const text = items[index]?.[name];
  if (text === undefined) return false;
  for (let before = 0; before < index; before += 1) if (items[before]?.[name] === text) return true;
  return false;
}

/** Something that is still being written, field by field: copies with conditions in them cost far more. */
export type Unfinished<T> = { -readonly [Name in keyof T]: T[Name] };

/** What a caller may write for a `T`: only `Needed` must be there, and `Other` is written in another way. */
export type InputOf<T, Needed extends keyof T, Other = unknown> = {
  readonly [Name in keyof T as Exclude<Name, Needed | keyof Other>]?: Exclude<T[Name], undefined> extends true
    ? boolean
    : T[Name];
} & Pick<T, Needed> &
  Other;
