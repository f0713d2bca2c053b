// Source 000 (askuserquestion-go): one to four questions, answers in the order of the questions, each with
// the chosen labels or the typed text (`other`).
//
// Lost from an ask in encode and decode: everything but its questions and context; ids (they become q1…,
// o1…), previews, minPicks, maxPicks, `freeText: false`, `allowPartial: true`; `recommended` and `input`
// where the label does not say so.
// Lost from an outcome: notes, who answered (the decoder is told), and the text of a reply: `declined` and
// `replied` are both `cancelled`, and come back as `declined` without a reason. `expired`, `withdrawn` and
// `unavailable` are an error here and do not come back. Text typed beside picks is one more entry of
// `selected`, because here `other` would hide the picks; where it equals a label it comes back as that pick
// (or is refused as picked twice).

import { CANONICAL_CODES, canonicalError } from "../core/canonical-error.js";
import {
  type Answer,
  type AskContent,
  describeOutcome,
  formatIssues,
  formatPairs,
  type IssueCode,
  isRecord,
  type Outcome,
  type ParsedAsk,
  profiles,
  type Question,
  validateAnswers,
} from "../core/index.js";
import { type InputReader, inputReader, typeName } from "../core/input-reader.js";
import {
  type AnswerableAsk,
  checkEncoded,
  type DecodedOutcome,
  type DecodeOutcomeOptions,
  type EncodedAsk,
  neverThrowing,
  parsePicked,
  pickQuestions,
} from "./answers-map.js";

export interface CanonicalOption {
  readonly label: string;
  readonly description: string;
}

export interface CanonicalQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly CanonicalOption[];
  readonly multiSelect: boolean;
}

export interface CanonicalParams {
  readonly questions: readonly CanonicalQuestion[];
  /** Shown to the person, no part of the answer. */
  readonly context?: string;
}

/** `other`, where it is not blank, stands instead of `selected`. */
export interface CanonicalAnswer {
  readonly question: string;
  readonly selected: readonly string[];
  readonly other: string;
}

/** What source 000's resolver returns: answers, its cancelled error, or another error. */
export type CanonicalReply =
  | { readonly answers: readonly CanonicalAnswer[] }
  | { readonly cancelled: true }
  | { readonly error: string };

export interface CanonicalError {
  readonly code: IssueCode;
  readonly message: string;
}

/**
 * @example
 * canonical.validate({ questions: [] }); // { code: "no_questions", message: "askuserquestion: questions must be …" }
 */
export const canonical: {
  readonly decodeAsk: (params: unknown) => ParsedAsk;
  readonly encodeAsk: (ask: AskContent) => EncodedAsk<CanonicalParams>;
  /** The first error in source 000's order and words; undefined where there is none. */
  readonly validate: (params: unknown) => CanonicalError | undefined;
  /** Source 000's text: pairs by index, extra answers dropped, the first missing answer ends it. */
  readonly format: (
    params: { readonly questions: readonly Pick<CanonicalQuestion, "question" | "multiSelect">[] },
    answers: readonly Partial<CanonicalAnswer>[],
  ) => string;
  readonly encodeOutcome: (ask: AskContent, outcome: Outcome) => CanonicalReply;
  readonly decodeOutcome: (
    ask: AnswerableAsk,
    reply: unknown,
    options: DecodeOutcomeOptions,
  ) => DecodedOutcome;
} = { decodeAsk, encodeAsk, validate, format, encodeOutcome, decodeOutcome };

function decodeAsk(params: unknown): ParsedAsk {
  return parsePicked(params, profiles.canonical, (fields) => ({
    questions: pickQuestions(fields.questions),
    context: fields.context,
  }));
}

function encodeAsk(ask: AskContent): EncodedAsk<CanonicalParams> {
  const questions = ask.questions.map(({ question, header, options, multiSelect }) => ({
    question,
    header: header ?? "",
    options: options.map(({ label, description }) => ({ label, description: description ?? "" })),
    multiSelect,
  }));
  const params = { questions, ...(ask.context !== undefined && { context: ask.context }) };
  return checkEncoded(ask, params, decodeAsk);
}

function validate(params: unknown): CanonicalError | undefined {
  const decoded = decodeAsk(params);
  if (decoded.ok) return undefined;
  // Source 000 decodes before it validates, so a wrong type anywhere comes before its own errors.
  const undecodable = decoded.issues.find(({ code }) => code === "wrong_type" || code === "invalid_json");
  const ofItsOwn = decoded.issues.find(({ code }) => CANONICAL_CODES.includes(code));
  if (undecodable === undefined && ofItsOwn !== undefined) {
    return { code: ofItsOwn.code, message: canonicalError([ofItsOwn]) ?? ofItsOwn.message };
  }
  const issue = undecodable ?? decoded.issues[0];
  return issue && { code: issue.code, message: `invalid parameters: ${formatIssues([issue])}` };
}

function format(
  params: { readonly questions: readonly Pick<CanonicalQuestion, "question" | "multiSelect">[] },
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
    const reader = inputReader();
    const fields = Array.isArray(reply) ? { answers: reply } : reply;
    if (!isRecord(fields)) {
      reader.add("wrong_type", [], `must be an object with answers or cancelled, not ${typeName(reply)}`);
      return { ok: false, issues: reader.issues };
    }
    if (fields.cancelled === true) return { ok: true, outcome: { kind: "declined", by } };
    const items = reader.list(fields.answers, ["answers"]) ?? [];
    // Source 000 drops answers beyond the questions.
    const submitted = items
      .slice(0, ask.questions.length)
      .map((item, index) => decodeAnswer(ask, item, index, reader));
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    const validated = validateAnswers(ask, submitted);
    if (!validated.ok) return validated;
    return { ok: true, outcome: { kind: "answered", answers: validated.answers, by } };
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
  const other = typeof item.other === "string" && item.other.trim() === "" ? undefined : item.other;
  if (other !== undefined && other !== null) return { question: question.id, selected: [], text: other };
  const selected = Array.isArray(item.selected) ? item.selected : undefined;
  const last: unknown = selected?.at(-1);
  const beside =
    selected !== undefined &&
    selected.length > 1 &&
    question.multiSelect &&
    !question.options.some(({ label }) => label === last);
  // An id of ours must not pass for a label of theirs.
  const labels = mapLabels(question, beside ? selected.slice(0, -1) : item.selected);
  return { question: question.id, selected: labels, ...(beside && { text: last }) };
}

/** By index; where the answer names another question, by that, if it names exactly one. */
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
