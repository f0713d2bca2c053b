// The Amp toolbox tool `ask_user`: one question with 2 to 20 options as JSON on stdin, one line of JSON on stdout, and
// the number of an option as the answer.

import { foldName } from "../../core/kit/fold.js";
import { isRecord } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { AskContent } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { type ParsedAsk, parseAsk } from "../../core/rules/parse-ask.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type {
  AnswerableAsk,
  DecodedOutcome,
  DecodeOutcomeOptions,
  Dialect,
  EncodedAsk,
  EncodedOutcome,
  Refused,
} from "./dialect.js";
import { ALL_LOST, answered, checkEncoded, neverThrowing, refused } from "./shared.js";
import { describeToolbox, executeToolbox, runToolbox } from "./toolbox/command.js";
import { readPrompt, readText, type ToolboxAnswerFormat } from "./toolbox/prompt.js";

export interface ToolboxInput {
  readonly question: string;
  readonly context?: string;
  readonly options: readonly (string | { readonly label: string; readonly description?: string })[];
}

export type DecodedReply = { readonly ok: true; readonly number: number } | Refused;

export interface ToolboxDialect extends Dialect<ToolboxInput, EncodedOutcome<number>> {
  readonly run: typeof runToolbox;
  readonly describe: typeof describeToolbox;
  readonly execute: typeof executeToolbox;
  readonly decodeReply: typeof decodeReply;
  /** Accepts the input of the tool, or the document that the tool printed for it. */
  readonly decodeAsk: (input: unknown) => ParsedAsk;
}

/**
 * @example
 * toolbox.execute('{"question":"Pick one","options":["A","B"]}'); // { output: '{"tool":"ask_user",…}', exitCode: 0 }
 * toolbox.decodeReply(prompt.answer_format, " 2 "); // { ok: true, number: 2 }
 */
export const toolbox: ToolboxDialect = {
  name: "toolbox",
  profile: profiles.toolbox,
  carries: ["questions"],
  endings: { ...ALL_LOST, answered: "answered" },
  losses: {
    ask: [
      "address",
      "header",
      "ids",
      "previews",
      "freeText: true",
      "allowPartial: true",
      "recommended",
      "input",
      "white space",
    ],
    outcome: ["notes", "typed text", "skips"],
  },
  run: runToolbox,
  describe: describeToolbox,
  execute: executeToolbox,
  decodeReply,
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
};

/** Reads a reply such as `2` or `" 2 "`; refuses anything but a whole number in range. */
function decodeReply(format: Pick<ToolboxAnswerFormat, "min" | "max">, reply: unknown): DecodedReply {
  const text = typeof reply === "number" ? String(reply) : typeof reply === "string" ? reply.trim() : "";
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= format.min && number <= format.max) return { ok: true, number };
  const message = `reply with the number of one option, ${format.min}-${format.max}`;
  return refused(Number.isNaN(number) ? "wrong_type" : "unknown_option", [], message);
}

function decodeAsk(input: unknown): ParsedAsk {
  return neverThrowing((): ParsedAsk => {
    const document = isRecord(input) && isRecord(input.prompt) ? input.prompt : input;
    const read = typeof document === "string" ? readText(document) : readPrompt(document);
    if (!read.ok) return { ok: false, issues: [read.issue] };
    const { question, context, options } = read.prompt;
    const numbered = options.map(({ id, ...option }) =>
      // A label such as "2" may be another option's number; that option gets an id that is not a label.
      options.some(({ id: own, label }) => own !== id && foldName(label) === id) ? option : { id, ...option },
    );
    const questions = [{ question, options: numbered, freeText: false }];
    return parseAsk({ questions, context }, { profile: profiles.toolbox });
  });
}

function encodeAsk(ask: AskContent): EncodedAsk<ToolboxInput> {
  const [question, ...more] = ask.questions;
  if (more.length > 0) return refused("too_many_questions", ["questions"], "this tool asks one question");
  if (question?.multiSelect) {
    return refused("invalid_value", ["questions", 0, "multiSelect"], "this tool takes one option only");
  }
  const input: ToolboxInput = {
    question: question?.question ?? "",
    ...(ask.context !== undefined && { context: ask.context }),
    options: (question?.options ?? []).map(({ label, description }) => ({
      label,
      ...(description !== undefined && { description }),
    })),
  };
  return checkEncoded(ask, input, decodeAsk);
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
  if (question === undefined)
    return refused("no_questions", ["questions"], "this ask has no question to answer");
  const decoded = decodeReply({ min: 1, max: question.options.length }, reply);
  if (!decoded.ok) return decoded;
  const selected = question.options.slice(decoded.number - 1, decoded.number).map(({ id }) => id);
  return answered(ask, [{ question: question.id, selected }], by);
}
