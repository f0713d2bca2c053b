import { formatIssues, type Issue } from "../kit/issue.js";
import { isRecord } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { isWithin, type Profile, profiles } from "../kit/profiles.js";
import { ASK_REQUEST, type AskInput, type AskRequest } from "../model/ask.js";
import { AsklineError } from "../model/error.js";
import {
  guarded,
  type InputReader,
  inputReader,
  isTooLong,
  type Path,
  parseJson,
  type QuestionShape,
  typeName,
} from "../read/input-reader.js";
import { planOf } from "../read/read-fields.js";
import { createStamp } from "./stamp.js";

export interface ParseOptions {
  /** The limits that apply; `profiles.open` by default. */
  readonly profile?: Profile;
}

export type ParsedAsk =
  | { readonly ok: true; readonly ask: AskRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Parses an ask from a model, a program or a file. Never throws, and reports every problem at once. The ask is frozen
 * and shares nothing with the input. Parsing the result again gives the same ask.
 *
 * @example
 * const parsed = parseAsk({ questions: [{ question: "Which auth?", options: ["OAuth", "API key"] }] });
 * if (parsed.ok) console.log(parsed.ask.questions[0]?.options.length); // 2
 */
export function parseAsk(input: unknown, { profile = profiles.open }: ParseOptions = {}): ParsedAsk {
  const known = typeof input === "object" && input !== null ? parsedWithin.of(input) : undefined;
  // The result of an earlier call is frozen, so parsing it again would give the same.
  if (known !== undefined && isWithin(known, profile)) return { ok: true, ask: input as AskRequest };
  return guarded((reader) => ({ ok: true, ask: readAsk(input, reader) }), profile);
}

/** `parseAsk` for a dialect with another shape of questions. Throws if a getter of the input throws. */
export function parseShaped(input: AskFields, profile: Profile, shape: QuestionShape): ParsedAsk {
  const reader = inputReader(profile, shape);
  const ask = readAsk(input, reader);
  return reader.issues.length === 0 ? { ok: true, ask } : { ok: false, issues: reader.issues };
}

/** The fields that `parseAsk` reads, before they are parsed. */
export type AskFields = { readonly [Field in keyof AskInput]?: unknown };

/** Marks asks from this parser with the limits that they were checked against. */
const parsedWithin = createStamp<Profile>();

/** Like `parseAsk`, but throws `invalid_ask` with the issues. */
export function requireAsk(input: AskInput, options: ParseOptions = {}): AskRequest {
  const parsed = parseAsk(input, options);
  if (parsed.ok) return parsed.ask;
  throw new AsklineError("invalid_ask", `invalid ask:\n${formatIssues(parsed.issues)}`, {
    issues: parsed.issues,
  });
}

/** The ask. Incomplete, and not to be used, if there are issues. */
function readAsk(input: unknown, reader: InputReader): AskRequest {
  const fields = typeof input === "string" ? parseJson(input) : input;
  if (!isRecord(fields)) {
    refuse(input, fields, reader);
    return NO_ASK;
  }
  const ask = read({}, fields, TOP, reader);
  if (reader.issues.length === 0) parsedWithin.put(ask, reader.profile);
  return Object.freeze(ask);
}

function refuse(input: unknown, fields: unknown, reader: InputReader): void {
  const { must } = ASK_REQUEST;
  if (typeof input === "string" && isTooLong(input)) {
    reader.add("too_large", TOP, `must be at most ${LIMITS.askLength} characters as JSON`);
  } else if (typeof input === "string" && fields === undefined) {
    reader.add("invalid_json", TOP, `is not valid JSON; send ${must}`);
  } else {
    reader.add("wrong_type", TOP, `must be ${must}, not ${typeName(fields)}`);
  }
}

const read = planOf(ASK_REQUEST, true);
const TOP: Path = [];
const NO_ASK = {} as AskRequest;
