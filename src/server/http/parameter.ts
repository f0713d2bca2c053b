// One parameter of a request: what reads it and what tells of it are made together, from the same bounds, so that
// the document cannot promise what the server does not take.

import { AsklineError, type JsonObject } from "../../core/index.js";

export interface Parameter<Value = unknown> {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly schema: JsonObject;
  /** Its value, or the usual one where it is not given. Throws `invalid_request` where it is none. */
  read(given: Pick<URLSearchParams, "get">): Value;
}

interface Told<Usual> {
  readonly name: string;
  readonly description: string;
  readonly in?: "query" | "header";
  /** What holds where it is not given. */
  readonly usual?: Usual;
}

/** C0 and C1 controls, as every dialect of regular expressions can say it. */
export const NO_CONTROLS = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

/** The id of an ask, as a part of a path. */
export const ASK_ID: RegExp = /^[\w.:-]{1,128}$/;

/** As many as a number holds exactly. */
const DIGITS = /^\d{1,15}$/;

export function wholeNumber<Usual extends number | undefined = undefined>(
  told: Told<Usual> & { readonly min: number; readonly max: number },
): Parameter<number | Usual> {
  const { min, max } = told;
  return parameter(told, { type: "integer", minimum: min, maximum: max }, (given) => {
    const value = DIGITS.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max))
      throw refused(told.name, `must be a whole number from ${min} to ${max}`);
    return value;
  });
}

export function choice<const Choice extends string, Usual extends Choice | undefined = undefined>(
  told: Told<Usual> & { readonly choices: readonly Choice[] },
): Parameter<Choice | Usual> {
  const { choices } = told;
  return parameter(told, { type: "string", enum: choices }, (given) => {
    const known = choices.find((one) => one === given);
    if (known === undefined) throw refused(told.name, `must be one of ${choices.join(", ")}`);
    return known;
  });
}

/** A name that somebody chose: bounded, and without control characters. */
export function shortText(told: Told<undefined> & { readonly max: number }): Parameter<string | undefined> {
  const { max } = told;
  const pattern = new RegExp(NO_CONTROLS);
  return parameter(told, { type: "string", maxLength: max, pattern: NO_CONTROLS }, (given) => {
    if (given.length > max || !pattern.test(given)) {
      throw refused(told.name, `must have at most ${max} characters, none of them a control character`);
    }
    return given;
  });
}

/** A text of a certain shape; `must` says which, in words. */
export function matching<Usual extends string | undefined = undefined>(
  told: Told<Usual> & {
    readonly pattern: string;
    readonly must: string;
    /** Whether one that is there but empty counts as not given. */
    readonly emptyIsNone?: true;
  },
): Parameter<string | Usual> {
  const { pattern, must, emptyIsNone } = told;
  const expression = new RegExp(pattern);
  const schema = { type: "string", pattern };
  const known = parameter(told, schema, (given) => {
    if (!expression.test(given)) throw refused(told.name, `must be ${must}`);
    return given;
  });
  if (!emptyIsNone) return known;
  return { ...known, read: (given) => known.read({ get: (name) => given.get(name) || null }) };
}

/** Whatever it says: for those who look it up and find nothing. */
export function anyText(told: Told<undefined>): Parameter<string | undefined> {
  return parameter(told, { type: "string" }, (given) => given);
}

function parameter<Value, Usual>(
  told: Told<Usual>,
  schema: JsonObject,
  parse: (given: string) => Value,
): Parameter<Value | Usual> {
  const { name, description, in: place = "query", usual } = told;
  const isPlain = typeof usual === "string" || typeof usual === "number";
  return {
    ...{ name, in: place, description },
    schema: isPlain ? { ...schema, default: usual } : schema,
    read(given) {
      const text = given.get(name);
      return text === null ? (usual as Usual) : parse(text);
    },
  };
}

function refused(name: string, message: string): AsklineError {
  return new AsklineError("invalid_request", `${name} ${message}`);
}
