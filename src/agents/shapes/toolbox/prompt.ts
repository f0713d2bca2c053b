// Reads the input of the tool into a prompt, with the errors of the original. Does not use the parser in core, because
// an agent starts the `ask_user` command for every call and startup time counts.

import { isBlank } from "../../../core/kit/fold.js";
import type { Issue, IssueCode } from "../../../core/kit/issue.js";
import { isRecord } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import { profiles } from "../../../core/kit/profiles.js";
import { messageOf } from "../../../core/kit/tools.js";
import { quote } from "../../../core/text/quote.js";

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

export interface PromptFailure {
  readonly ok: false;
  readonly error: ToolboxError;
  /** The same problem in our own terms. */
  readonly issue: Issue;
}

export type PromptRead = { readonly ok: true; readonly prompt: ToolboxPrompt } | PromptFailure;

export function readText(text: string): PromptRead {
  const parsed = parse(text);
  if (parsed.ok) return readPrompt(parsed.value);
  const message = "Failed to parse input as JSON";
  return failure("INVALID_JSON", message, "invalid_json", [], parsed.parseError);
}

export function readPrompt(input: unknown): PromptRead {
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
): { readonly ok: true; readonly options: readonly ToolboxOption[] } | PromptFailure {
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

function readOption(
  item: unknown,
  index: number,
  before: readonly ToolboxOption[],
): ToolboxOption | PromptFailure {
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

function tooLong(what: string, most: number, path: Issue["path"]): PromptFailure {
  return failure("INPUT_TOO_LONG", `${what} must be at most ${most} characters`, "too_long", path);
}

function failure(
  code: ToolboxErrorCode,
  message: string,
  issue: IssueCode,
  path: Issue["path"],
  parseError?: string,
): PromptFailure {
  const error = { code, message, ...(parseError !== undefined && { parseError }) };
  return { ok: false, error, issue: { code: issue, path, message } };
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
  return typeof value === "string" && !isBlank(value) ? value.trim() : "";
}
