// The canonical form of askuserquestion-go: one to four questions, answers in the order of the questions, each with
// the chosen labels or the typed text (`other`).
//
// Text typed beside picks is one more entry of `selected`, because `other` would hide the picks. Such a text that
// equals a label comes back as that pick, or is refused as picked twice.

import { isBlank } from "../../core/kit/fold.js";
import { formatIssues, type IssueCode } from "../../core/kit/issue.js";
import { isRecord } from "../../core/kit/json.js";
import { profiles } from "../../core/kit/profiles.js";
import type { AskContent } from "../../core/model/ask.js";
import type { Answer, Outcome } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { type InputReader, inputReader, typeName } from "../../core/read/input-reader.js";
import type { ParsedAsk } from "../../core/rules/parse-ask.js";
import { CANONICAL_CODES, canonicalError, formatPairs } from "../../core/text/canonical.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type { AnswerableAsk, DecodedOutcome, DecodeOutcomeOptions, Dialect, EncodedAsk } from "./dialect.js";
import {
  ALL_LOST,
  answered,
  checkEncoded,
  neverThrowing,
  PLAIN_LOSSES,
  type PlainQuestion,
  parsePicked,
  pickQuestions,
  plainQuestions,
  refused,
} from "./shared.js";

export interface CanonicalParams {
  readonly questions: readonly PlainQuestion[];
  /** Shown to the person; not part of the answer. */
  readonly context?: string;
}

/** `other` replaces `selected`, unless it is blank. */
export interface CanonicalAnswer {
  readonly question: string;
  readonly selected: readonly string[];
  readonly other: string;
}

/** What a resolver returns: answers, the error for a cancelled call, or another error. */
export type CanonicalReply =
  | { readonly answers: readonly CanonicalAnswer[] }
  | { readonly cancelled: true }
  | { readonly error: string };

export interface CanonicalError {
  readonly code: IssueCode;
  readonly message: string;
}

export interface CanonicalDialect extends Dialect<CanonicalParams, CanonicalReply> {
  /** The first error, in the order and the words of askuserquestion-go; undefined if the parameters are valid. */
  readonly validate: (params: unknown) => CanonicalError | undefined;
  /** The text for the model: pairs by index, extra answers dropped, ends before the first missing answer. */
  readonly format: typeof format;
}

/**
 * @example
 * canonical.validate({ questions: [] }); // { code: "no_questions", message: "askuserquestion: questions must be …" }
 */
export const canonical: CanonicalDialect = {
  name: "canonical",
  profile: profiles.canonical,
  carries: ["questions", "multiSelect"],
  endings: { ...ALL_LOST, answered: "answered", declined: "declined", replied: "declined" },
  losses: {
    ask: [...PLAIN_LOSSES, "previews", "allowPartial: true", "input"],
    outcome: ["notes", "reasons", "text beside picks", "all skipped"],
  },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
  validate,
  format,
};

function decodeAsk(params: unknown): ParsedAsk {
  return parsePicked(params, profiles.canonical, (fields) => ({
    questions: pickQuestions(fields.questions),
    context: fields.context,
  }));
}

function encodeAsk(ask: AskContent): EncodedAsk<CanonicalParams> {
  const params = {
    questions: plainQuestions(ask),
    ...(ask.context !== undefined && { context: ask.context }),
  };
  return checkEncoded(ask, params, decodeAsk);
}

function validate(params: unknown): CanonicalError | undefined {
  const decoded = decodeAsk(params);
  if (decoded.ok) return undefined;
  // askuserquestion-go decodes before it validates, so a wrong type anywhere comes before its own errors.
  const undecodable = decoded.issues.find(({ code }) => code === "wrong_type" || code === "invalid_json");
  const invalid = decoded.issues.find(({ code }) => CANONICAL_CODES.includes(code));
  if (undecodable === undefined && invalid !== undefined) {
    return { code: invalid.code, message: canonicalError([invalid]) ?? invalid.message };
  }
  const issue = undecodable ?? decoded.issues[0];
  return issue && { code: issue.code, message: `invalid parameters: ${formatIssues([issue])}` };
}

function format(
  params: { readonly questions: readonly Pick<PlainQuestion, "question" | "multiSelect">[] },
  answers: readonly Partial<CanonicalAnswer>[],
): string {
  return formatPairs(
    answers.slice(0, params.questions.length).map(({ selected, other }, index) => ({
      question: params.questions[index]?.question ?? "",
      multiSelect: params.questions[index]?.multiSelect ?? false,
      selected: selected ?? [],
      other: other ?? "",
    })),
  );
}

function encodeOutcome(ask: AskContent, outcome: Outcome): CanonicalReply {
  if (outcome.kind === "declined" || outcome.kind === "replied") return { cancelled: true };
  if (outcome.kind !== "answered") return { error: describeOutcome(ask, outcome) };
  return {
    answers: ask.questions.map((question) =>
      encodeAnswer(
        question,
        outcome.answers.find((answer) => answer.question === question.id),
      ),
    ),
  };
}

function encodeAnswer(question: Question, answer: Answer | undefined): CanonicalAnswer {
  const labels = question.options.filter(({ id }) => answer?.selected.includes(id)).map(({ label }) => label);
  const text = answer?.text;
  const beside = text !== undefined && labels.length > 0;
  return {
    question: question.question,
    selected: beside ? [...labels, text] : labels,
    other: beside ? "" : (text ?? ""),
  };
}

function decodeOutcome(ask: AnswerableAsk, reply: unknown, { by }: DecodeOutcomeOptions): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const fields = Array.isArray(reply) ? { answers: reply } : reply;
    if (!isRecord(fields)) {
      const message = `must be an object with answers or cancelled, not ${typeName(reply)}`;
      return refused("wrong_type", [], message);
    }
    if (fields.cancelled === true) return { ok: true, outcome: { kind: "declined", by } };
    const reader = inputReader();
    const items = reader.list(fields.answers, ["answers"]) ?? [];
    // askuserquestion-go drops answers beyond the questions.
    const submitted = items
      .slice(0, ask.questions.length)
      .map((item, index) => decodeAnswer(ask, item, index, reader));
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    return answered(ask, submitted, by);
  });
}

function decodeAnswer(ask: AskContent, item: unknown, index: number, reader: InputReader): unknown {
  const path = ["answers", index];
  if (!isRecord(item)) {
    reader.add("wrong_type", path, `must be an object with selected and other, not ${typeName(item)}`);
    return undefined;
  }
  const question = questionOf(ask, item.question, index);
  if (question === undefined) {
    reader.add("unknown_question", [...path, "question"], "is not the text of one of the questions");
    return undefined;
  }
  const other = typeof item.other === "string" && isBlank(item.other) ? undefined : item.other;
  if (other !== undefined && other !== null) return { question: question.id, selected: [], text: other };
  const selected = Array.isArray(item.selected) ? item.selected : undefined;
  const last: unknown = selected?.at(-1);
  const beside =
    selected !== undefined &&
    selected.length > 1 &&
    question.multiSelect &&
    !question.options.some(({ label }) => label === last);
  // One of our ids must not pass for one of their labels.
  const labels = mapLabels(question, beside ? selected.slice(0, -1) : item.selected);
  return { question: question.id, selected: labels, ...(beside && { text: last }) };
}

/** By index, unless the answer names exactly one other question. */
function questionOf(ask: AskContent, text: unknown, index: number): Question | undefined {
  const atIndex = ask.questions[index];
  if (text === undefined || text === null || text === "" || text === atIndex?.question) return atIndex;
  const named = ask.questions.filter(({ question }) => question === text);
  return named.length === 1 ? named[0] : undefined;
}

function mapLabels(question: Question, selected: unknown): unknown {
  if (!Array.isArray(selected)) return selected;
  return selected.map(
    (label: unknown) => question.options.find((option) => option.label === label)?.id ?? null,
  );
}
