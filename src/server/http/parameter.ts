// One parameter of a request. Its reader and its schema come from the same bounds, so that the document cannot
// promise what the server refuses.

import type { JsonObject } from "../../core/kit/json.js";
import { AsklineError } from "../../core/model/error.js";

export interface Parameter<Value = unknown> {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly schema: JsonObject;
  /** Its value, or the default if absent. Throws `invalid_request` if invalid. */
  read(given: Pick<URLSearchParams, "get">): Value;
}

interface ParameterOptions<Default> {
  readonly name: string;
  readonly description: string;
  readonly in?: "query" | "header";
  readonly defaultValue?: Default;
}

/** No C0 or C1 controls, in syntax that every regular expression dialect understands. */
export const NO_CONTROLS = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

/** As many digits as a number holds exactly. */
const DIGITS = /^\d{1,15}$/;

export function wholeNumber<Default extends number | undefined = undefined>(
  options: ParameterOptions<Default> & { readonly min: number; readonly max: number },
): Parameter<number | Default> {
  const { min, max } = options;
  return parameter(options, { type: "integer", minimum: min, maximum: max }, (given) => {
    const value = DIGITS.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max))
      throw refused(options.name, `must be a whole number from ${min} to ${max}`);
    return value;
  });
}

export function choice<const Choice extends string, Default extends Choice | undefined = undefined>(
  options: ParameterOptions<Default> & { readonly choices: readonly Choice[] },
): Parameter<Choice | Default> {
  const { choices } = options;
  return parameter(options, { type: "string", enum: choices }, (given) => {
    const known = choices.find((candidate) => candidate === given);
    if (known === undefined) throw refused(options.name, `must be one of ${choices.join(", ")}`);
    return known;
  });
}

/** A name: bounded, without control characters. */
export function shortText(
  options: ParameterOptions<undefined> & { readonly max: number },
): Parameter<string | undefined> {
  const { max } = options;
  const pattern = new RegExp(NO_CONTROLS);
  return parameter(options, { type: "string", maxLength: max, pattern: NO_CONTROLS }, (given) => {
    if (given.length > max || !pattern.test(given)) {
      throw refused(options.name, `must have at most ${max} characters, none of them a control character`);
    }
    return given;
  });
}

/** A text that matches a pattern; `must` describes the pattern in words. */
export function matching<Default extends string | undefined = undefined>(
  options: ParameterOptions<Default> & {
    readonly pattern: string;
    readonly must: string;
    /** Whether an empty value counts as absent. */
    readonly emptyIsNone?: true;
  },
): Parameter<string | Default> {
  const { pattern, must, emptyIsNone } = options;
  const expression = new RegExp(pattern);
  const schema = { type: "string", pattern };
  const known = parameter(options, schema, (given) => {
    if (!expression.test(given)) throw refused(options.name, `must be ${must}`);
    return given;
  });
  if (!emptyIsNone) return known;
  return { ...known, read: (given) => known.read({ get: (name) => given.get(name) || null }) };
}

/** Any text, for values that are looked up. */
export function anyText(options: ParameterOptions<undefined>): Parameter<string | undefined> {
  return parameter(options, { type: "string" }, (given) => given);
}

function parameter<Value, Default>(
  options: ParameterOptions<Default>,
  schema: JsonObject,
  parse: (given: string) => Value,
): Parameter<Value | Default> {
  const { name, description, in: place = "query", defaultValue } = options;
  const isPlain = typeof defaultValue === "string" || typeof defaultValue === "number";
  return {
    ...{ name, in: place, description },
    schema: isPlain ? { ...schema, default: defaultValue } : schema,
    read(given) {
      const text = given.get(name);
      return text === null ? (defaultValue as Default) : parse(text);
    },
  };
}

function refused(name: string, message: string): AsklineError {
  return new AsklineError("invalid_request", `${name} ${message}`);
}
