// Source 002 (the Amp toolbox tool `ask_user`): one question with 2 to 20 options as JSON on stdin, one line
// of JSON on stdout. The tool does not wait for an answer: the host shows the prompt and reads back the
// number of an option. `executeToolbox` is all that the `ask_user` command needs, so it reads the input by
// hand and pulls in no parser.
//
// Lost from an ask in encode and decode: everything but its question, option labels and descriptions, and
// context, each of them trimmed; the header, ids (they become q1, 1…), previews, `allowPartial: true`;
// `recommended` where the label does not say so; `input` and free text: only a listed option answers here.
// A multi-select question cannot be encoded.
// Lost from an outcome: everything but the option that was chosen.

import { describeOutcome } from "../core/describe-outcome.js";
import type { AskContent, Issue, IssueCode, Outcome, ParsedAsk } from "../core/index.js";
import { isRecord } from "../core/json.js";
import { LIMITS, profiles } from "../core/limits.js";
import { parseAsk } from "../core/parse-ask.js";
import { quote } from "../core/quote.js";
import { validateAnswers } from "../core/validate-answers.js";
import type {
  AnswerableAsk,
  DecodedOutcome,
  DecodeOutcomeOptions,
  EncodedAsk,
  EncodedOutcome,
} from "./answers-map.js";

export interface ToolboxInput {
  readonly question: string;
  readonly context?: string;
  readonly options: readonly (string | { readonly label: string; readonly description?: string })[];
}

export interface ToolboxOption {
  readonly id: string;
  readonly label: string;
  readonly description: string;
}

export interface ToolboxPrompt {
  readonly question: string;
  readonly context?: string;
  readonly kind: "single_select";
  readonly options: readonly ToolboxOption[];
  readonly answer_instructions: string;
  readonly answer_format: ToolboxAnswerFormat;
}

export interface ToolboxAnswerFormat {
  readonly type: "integer";
  readonly min: number;
  readonly max: number;
}

export type ToolboxErrorCode =
  | "INVALID_JSON"
  | "MISSING_QUESTION"
  | "MISSING_OPTIONS"
  | "INVALID_OPTIONS_JSON"
  | "INVALID_OPTIONS"
  | "INPUT_TOO_LONG"
  | "UNKNOWN_ACTION"
  | "INTERNAL_ERROR";

export interface ToolboxError {
  readonly code: ToolboxErrorCode;
  readonly message: string;
  readonly parseError?: string;
}

export type ToolboxOutput =
  | {
      readonly tool: "ask_user";
      readonly version: 1;
      readonly status: "ok";
      readonly prompt: ToolboxPrompt;
      readonly rendered_markdown: string;
    }
  | {
      readonly tool: "ask_user";
      readonly version: 1;
      readonly status: "error";
      readonly error: ToolboxError;
    };

/** `output` is exactly one line of JSON, without its line break. */
export interface ToolboxRun {
  readonly output: string;
  readonly exitCode: 0 | 1;
}

export type DecodedReply =
  | { readonly ok: true; readonly number: number }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What the command does for a `TOOLBOX_ACTION`. Standard input is only read where the action needs it. */
export function runToolbox(action: string | undefined, readStdin: () => string): ToolboxRun {
  try {
    if (action === "describe") return { output: quote(describeToolbox()), exitCode: 0 };
    if (action === "execute") return executeToolbox(readStdin());
    const found = action === undefined || action === "" ? "it is not set" : `not ${quote(action)}`;
    return failed({
      code: "UNKNOWN_ACTION",
      message: `TOOLBOX_ACTION must be describe or execute; ${found}`,
    });
  } catch (error) {
    return failed({ code: "INTERNAL_ERROR", message: messageOf(error) });
  }
}

export function executeToolbox(stdin: string): ToolboxRun {
  const read = readText(stdin);
  if (!read.ok) return failed(read.error);
  const { prompt } = read;
  const output: ToolboxOutput = {
    tool: "ask_user",
    version: 1,
    status: "ok",
    prompt,
    rendered_markdown: renderMarkdown(prompt),
  };
  return { output: quote(output), exitCode: 0 };
}

export interface ToolboxDescription {
  readonly name: "ask_user";
  readonly description: string;
  /** Name to type and meaning. */
  readonly args: Readonly<Record<"question" | "options" | "context", readonly [string, string]>>;
  readonly output: Readonly<Record<string, string>>;
}

export function describeToolbox(): ToolboxDescription {
  return {
    name: "ask_user",
    description:
      "Puts one decision with 2 to 20 options before the person. Show rendered_markdown to them, then check their reply against prompt.answer_format.",
    args: {
      question: ["string", "What the person is to decide; not blank"],
      options: ["array", "2 to 20 distinct options: strings, or objects with label and description"],
      context: ["string", "Optional: what the person should know to decide"],
    },
    output: {
      status: "ok or error",
      prompt: "The question, its numbered options, and answer_format: the range of valid replies",
      rendered_markdown: "The prompt as text for the person",
      error: "code and message, where status is error",
    },
  };
}

/** Reads a reply such as `2` or `" 2 "`; anything but a whole number in range is refused. */
export function decodeReply(format: Pick<ToolboxAnswerFormat, "min" | "max">, reply: unknown): DecodedReply {
  const text = typeof reply === "number" ? String(reply) : typeof reply === "string" ? reply.trim() : "";
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= format.min && number <= format.max) return { ok: true, number };
  const message = `reply with the number of one option, ${format.min}-${format.max}`;
  return {
    ok: false,
    issues: [{ code: Number.isNaN(number) ? "wrong_type" : "unknown_option", path: [], message }],
  };
}

/**
 * @example
 * toolbox.execute('{"question":"Pick one","options":["A","B"]}'); // { output: '{"tool":"ask_user",…}', exitCode: 0 }
 * toolbox.decodeReply(prompt.answer_format, " 2 "); // { ok: true, number: 2 }
 */
export const toolbox: {
  readonly run: (action: string | undefined, readStdin: () => string) => ToolboxRun;
  readonly describe: () => ToolboxDescription;
  readonly execute: (stdin: string) => ToolboxRun;
  readonly decodeReply: (format: Pick<ToolboxAnswerFormat, "min" | "max">, reply: unknown) => DecodedReply;
  /** Takes the tool's input, or the document that it printed for one. */
  readonly decodeAsk: (input: unknown) => ParsedAsk;
  readonly encodeAsk: (ask: AskContent) => EncodedAsk<ToolboxInput>;
  readonly encodeOutcome: (ask: AskContent, outcome: Outcome) => EncodedOutcome<number>;
  readonly decodeOutcome: (
    ask: AnswerableAsk,
    reply: unknown,
    options: DecodeOutcomeOptions,
  ) => DecodedOutcome;
} = {
  run: runToolbox,
  describe: describeToolbox,
  execute: executeToolbox,
  decodeReply,
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
};

function decodeAsk(input: unknown): ParsedAsk {
  let read: Read;
  try {
    const document = isRecord(input) && isRecord(input.prompt) ? input.prompt : input;
    read = typeof document === "string" ? readText(document) : readPrompt(document);
  } catch {
    // Only an object with a hostile getter or proxy comes here: JSON cannot.
    return { ok: false, issues: [{ code: "wrong_type", path: [], message: "could not be read" }] };
  }
  if (!read.ok) return { ok: false, issues: [read.issue] };
  const { question, context, options } = read.prompt;
  return parseAsk(
    { questions: [{ question, options, freeText: false }], ...(context !== undefined && { context }) },
    { profile: profiles.toolbox },
  );
}

function encodeAsk(ask: AskContent): EncodedAsk<ToolboxInput> {
  const [question, ...more] = ask.questions;
  if (question === undefined) return refused("no_questions", ["questions"], "this tool asks one question");
  if (more.length > 0) return refused("too_many_questions", ["questions"], "this tool asks one question");
  if (question.multiSelect) {
    return refused("invalid_value", ["questions", 0, "multiSelect"], "this tool takes one option only");
  }
  const input: ToolboxInput = {
    question: question.question,
    ...(ask.context !== undefined && { context: ask.context }),
    options: question.options.map(({ label, description }) => ({
      label,
      ...(description !== undefined && { description }),
    })),
  };
  const decoded = decodeAsk(input);
  return decoded.ok ? { ok: true, input } : decoded;
}

function refused(code: IssueCode, path: Issue["path"], message: string): Refused {
  return { ok: false, issues: [{ code, path, message }] };
}

function encodeOutcome(ask: AskContent, outcome: Outcome): EncodedOutcome<number> {
  const [question, ...more] = ask.questions;
  const [answer] = outcome.kind === "answered" ? outcome.answers : [];
  const index = question?.options.findIndex(({ id }) => answer?.selected.includes(id)) ?? -1;
  const isOneOption = answer?.selected.length === 1 && answer.text === undefined && more.length === 0;
  if (!isOneOption || index < 0) return { ok: false, message: describeOutcome(ask, outcome) };
  return { ok: true, output: index + 1 };
}

function decodeOutcome(ask: AnswerableAsk, reply: unknown, { by }: DecodeOutcomeOptions): DecodedOutcome {
  const [question] = ask.questions;
  if (question === undefined) return refused("no_questions", ["questions"], "there is no question to answer");
  const decoded = decodeReply({ min: 1, max: question.options.length }, reply);
  if (!decoded.ok) return decoded;
  const selected = question.options.slice(decoded.number - 1, decoded.number).map(({ id }) => id);
  const validated = validateAnswers(ask, [{ question: question.id, selected }]);
  if (!validated.ok) return validated;
  return { ok: true, outcome: { kind: "answered", answers: validated.answers, by } };
}

interface Refused {
  readonly ok: false;
  readonly issues: readonly Issue[];
}

interface Failure {
  readonly ok: false;
  readonly error: ToolboxError;
  /** The same problem in our own terms. */
  readonly issue: Issue;
}

type Read = { readonly ok: true; readonly prompt: ToolboxPrompt } | Failure;

function readText(text: string): Read {
  const parsed = parse(text);
  if (parsed.ok) return readPrompt(parsed.value);
  const message = "Failed to parse input as JSON";
  return failure("INVALID_JSON", message, "invalid_json", [], parsed.parseError);
}

function readPrompt(input: unknown): Read {
  const fields = isRecord(input) ? input : {};
  const question = trimmed(fields.question);
  const context = trimmed(fields.context);
  if (question === "") {
    const message = "question is required and must be a non-empty string";
    return failure("MISSING_QUESTION", message, "blank_question", ["question"]);
  }
  if (question.length > LIMITS.questionLength)
    return tooLong("question", LIMITS.questionLength, ["question"]);
  if (context.length > LIMITS.contextLength) return tooLong("context", LIMITS.contextLength, ["context"]);
  const read = readOptions(fields.options);
  if (!read.ok) return read;
  const { options } = read;
  return {
    ok: true,
    prompt: {
      question,
      ...(context !== "" && { context }),
      kind: "single_select",
      options,
      answer_instructions: `Reply with the option number (1-${options.length}).`,
      answer_format: { type: "integer", min: 1, max: options.length },
    },
  };
}

function readOptions(
  value: unknown,
): { readonly ok: true; readonly options: readonly ToolboxOption[] } | Failure {
  const path = ["options"];
  if (value === undefined || value === null || value === "") {
    return failure("MISSING_OPTIONS", "options is required", "option_count", path);
  }
  const parsed = typeof value === "string" ? parse(value) : { ok: true as const, value };
  if (!parsed.ok) {
    const message = "Failed to parse options as JSON";
    return failure("INVALID_OPTIONS_JSON", message, "invalid_json", path, parsed.parseError);
  }
  const items = parsed.value;
  const { min, max } = profiles.toolbox.options;
  if (!Array.isArray(items))
    return failure("INVALID_OPTIONS", "options must be an array", "wrong_type", path);
  if (items.length < min) {
    return failure("INVALID_OPTIONS", `options must have at least ${min} items`, "option_count", path);
  }
  if (items.length > max) {
    return failure("INVALID_OPTIONS", `options cannot exceed ${max} items`, "option_count", path);
  }
  const options: ToolboxOption[] = [];
  for (const [index, item] of items.entries()) {
    const option = readOption(item, index, options);
    if ("ok" in option) return option;
    options.push(option);
  }
  return { ok: true, options };
}

function readOption(item: unknown, index: number, before: readonly ToolboxOption[]): ToolboxOption | Failure {
  const where = `option at index ${index}`;
  const path = ["options", index];
  if (typeof item !== "string" && (typeof item !== "object" || item === null)) {
    return failure("INVALID_OPTIONS", `${where} invalid type: ${typeof item}`, "wrong_type", path);
  }
  const fields = isRecord(item) ? item : { label: item };
  const label = trimmed(fields.label ?? fields.name);
  const description = trimmed(fields.description);
  if (label === "") {
    return failure("INVALID_OPTIONS", `${where} missing or empty label`, "blank_label", path);
  }
  if (before.some((other) => other.label === label)) {
    return failure("INVALID_OPTIONS", `${where} duplicates label ${quote(label)}`, "duplicate_label", path);
  }
  if (label.length > LIMITS.labelLength) return tooLong(`${where} label`, LIMITS.labelLength, path);
  if (description.length > LIMITS.descriptionLength) {
    return tooLong(`${where} description`, LIMITS.descriptionLength, path);
  }
  return { id: String(index + 1), label, description };
}

function renderMarkdown({ question, context, options }: ToolboxPrompt): string {
  const list = options.map(({ id, label, description }) =>
    description === "" ? `${id}. ${label}` : `${id}. ${label} — ${description}`,
  );
  return [
    ...(context === undefined ? [] : [`**Context:** ${context}`]),
    `**Question:** ${question}`,
    list.join("\n"),
    "_Reply with the option number._",
  ].join("\n\n");
}

function tooLong(what: string, most: number, path: Issue["path"]): Failure {
  return failure("INPUT_TOO_LONG", `${what} must be at most ${most} characters`, "too_long", path);
}

function failure(
  code: ToolboxErrorCode,
  message: string,
  issue: IssueCode,
  path: Issue["path"],
  parseError?: string,
): Failure {
  const error = { code, message, ...(parseError !== undefined && { parseError }) };
  return { ok: false, error, issue: { code: issue, path, message } };
}

function failed(error: ToolboxError): ToolboxRun {
  const output: ToolboxOutput = { tool: "ask_user", version: 1, status: "error", error };
  return { output: quote(output), exitCode: 1 };
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly parseError: string };

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, parseError: messageOf(error) };
  }
}

function trimmed(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
