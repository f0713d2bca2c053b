import { isBlank } from "../../../core/kit/fold.js";
import type { Issue } from "../../../core/kit/issue.js";
import { isRecord } from "../../../core/kit/json.js";
import type { AskContent } from "../../../core/model/ask.js";
import type { Answer, Outcome } from "../../../core/model/outcome.js";
import type { Question } from "../../../core/model/question.js";
import { inputReader, typeName } from "../../../core/read/input-reader.js";
import { ownValue } from "../../../core/text/answers-by-text.js";
import { decodeTextAnswer } from "../../../core/text/text-answer.js";
import type { AnswerableAsk, DecodedOutcome, DecodeOutcomeOptions } from "../dialect.js";
import {
  answered,
  answersByText,
  decidedOutcome,
  neverThrowing,
  refused,
  repeatedTexts,
  unknownKeys,
} from "../shared.js";
import type { GatewayHook, RefusedAsk } from "./decode.js";
import type { GatewayAnswerHook, GatewayAnswers, GatewayApprovalHook } from "./envelopes.js";

export interface GatewayDecodeOptions extends DecodeOutcomeOptions {
  /**
   * Missing answers count as skipped, and unknown keys are ignored. For a plugin, which accepts the first answer it
   * receives and cannot send it back.
   */
  readonly lenient?: boolean;
}

/** Undefined for the endings for which the protocol sends nothing. */
export function encodeOutcome(
  ask: AskContent,
  outcome: Outcome,
  { id }: { readonly id: string },
): GatewayAnswerHook | GatewayApprovalHook | undefined {
  if (outcome.kind === "expired" || outcome.kind === "unavailable") return undefined;
  if (ask.approval !== undefined) {
    return { type: "hook.approval", payload: { executionId: id, ...encodeDecision(outcome) } };
  }
  return { type: "hook.ask_user_answer", payload: { questionId: id, answers: encodeAnswers(ask, outcome) } };
}

/**
 * The hook that answers a refused ask at once: a host that knows only the protocol would wait until its timeout, and
 * then report that nobody answered. The reason stands for the answer to every question.
 */
export function encodeRefusal(asked: RefusedAsk, reason: string): GatewayAnswerHook | GatewayApprovalHook {
  const line = (asked.reason ?? reason).replaceAll(/\s*\n\s*/g, "; ").slice(0, LONGEST_REASON);
  if ("executionId" in asked) {
    return {
      type: "hook.approval",
      payload: { executionId: asked.executionId, approved: false, reason: line },
    };
  }
  // An empty map would say that the person dismissed the questions.
  const texts = asked.questions.length === 0 ? ["questions"] : asked.questions;
  const answers = Object.fromEntries(texts.map((text) => [text, `[not asked: ${line}]`]));
  return { type: "hook.ask_user_answer", payload: { questionId: asked.questionId, answers } };
}

const LONGEST_REASON = 1_000;

/** A skipped question is left out; any ending other than an answer is the empty map. */
export function encodeAnswers(ask: AskContent, outcome: Outcome): GatewayAnswers {
  return outcome.kind === "answered" && repeatedTexts(ask).length === 0
    ? answersByText(ask, outcome.answers)
    : {};
}

/** All or nothing: one rejected action means that the whole ask was not approved. */
function encodeDecision(outcome: Outcome): { readonly approved: boolean; readonly reason?: string } {
  const reject = (reason: string | undefined): { approved: false; reason?: string } => ({
    approved: false,
    ...(reason !== undefined && { reason }),
  });
  switch (outcome.kind) {
    case "decided": {
      const other = outcome.decisions.find(({ kind }) => kind !== "approve");
      if (other !== undefined) return reject(other.kind === "reject" ? other.message : "edited");
      return { approved: true, ...(outcome.note !== undefined && { reason: outcome.note }) };
    }
    case "declined":
    case "withdrawn":
      return reject(outcome.reason);
    case "replied":
      return reject(outcome.text);
    default:
      return reject(undefined);
  }
}

/** The outcome of a map of answers. The empty map, and the null of an empty Go map, are a dismissal. */
export function decodeAnswers(
  ask: AnswerableAsk,
  given: unknown,
  options: GatewayDecodeOptions,
): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const repeated = repeatedTexts(ask);
    if (repeated.length > 0) return { ok: false, issues: repeated };
    const answers = given ?? {};
    if (given === undefined || !isRecord(answers)) {
      const message = `must be a map from question text to answer, not ${typeName(given)}`;
      return refused("wrong_type", ["answers"], message);
    }
    const keys = Object.keys(answers);
    if (keys.length === 0) return { ok: true, outcome: { kind: "declined", by: options.by } };
    const whole = readWhole(ask.questions, keys, answers);
    if (whole !== undefined) return validOutcome(ask, whole, options);
    const reader = inputReader();
    const lenient = options.lenient ?? false;
    const mayGap = lenient || ask.allowPartial === true;
    const texts = ask.questions.map(({ question }) => question);
    const unknown = unknownKeys(answers, texts);
    // A map that answers none of the questions is refused even if `lenient`.
    if (!lenient || unknown.length === keys.length) {
      for (const key of unknown)
        reader.add("unknown_question", ["answers", key], "is not the text of any question");
    }
    const read = ask.questions.map((question) => {
      const value = ownValue(answers, question.question);
      const path = ["answers", question.question];
      if (value !== undefined && typeof value !== "string") {
        reader.add("wrong_type", path, `must be a string, not ${typeName(value)}`);
      } else if (!mayGap && (value === undefined || isBlank(value))) {
        reader.add("missing_answer", path, "has no answer; every question needs one");
      }
      // Blank text leaves a question out; it does not say that the person skipped it.
      return typeof value === "string" && !isBlank(value)
        ? decodeTextAnswer(question, value)
        : { question: question.id, selected: [] };
    });
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    return validOutcome(ask, read, options);
  });
}

/**
 * The answers of a map that has a text for every question and nothing else, as nearly every map does: a fast path
 * without anything to report. Undefined for any other map.
 */
function readWhole(
  questions: readonly Question[],
  keys: readonly string[],
  map: Readonly<Record<string, unknown>>,
): readonly Answer[] | undefined {
  if (keys.length !== questions.length) return undefined;
  const values = Object.values(map);
  const answers: Answer[] = [];
  for (let place = 0; place < questions.length; place += 1) {
    const question = questions[place];
    if (question === undefined) return undefined;
    const value = values[keys[place] === question.question ? place : keys.indexOf(question.question)];
    if (typeof value !== "string") return undefined;
    const answer = decodeTextAnswer(question, value);
    if (answer.skipped) return undefined;
    answers.push(answer);
  }
  return answers;
}

function validOutcome(
  ask: AnswerableAsk,
  answers: readonly Answer[],
  { by, lenient }: GatewayDecodeOptions,
): DecodedOutcome {
  const decoded = answered(ask, answers, by, lenient ? { partial: true } : undefined);
  return decoded.ok ? decoded : { ok: false, issues: decoded.issues.map((issue) => byText(ask, issue)) };
}

/** One decision for all actions of the ask. */
export function decodeApproved(
  ask: AskContent,
  { approved, reason }: { readonly approved: boolean; readonly reason?: string },
  { by }: DecodeOutcomeOptions,
): Extract<Outcome, { kind: "decided" }> {
  const actions = ask.approval?.actions ?? [];
  return {
    kind: "decided",
    decisions: actions.map(({ id: action }) =>
      approved
        ? { action, kind: "approve" as const }
        : { action, kind: "reject" as const, ...(reason !== undefined && { message: reason }) },
    ),
    ...(approved && reason !== undefined && { note: reason }),
    by,
  };
}

/** The outcome of a message that answers an ask. */
export function decodeHook(
  ask: AnswerableAsk,
  message: GatewayHook,
  options: GatewayDecodeOptions,
): DecodedOutcome {
  if (message.asks === "questions") return decodeAnswers(ask, message.answers, options);
  return decidedOutcome(ask, decodeApproved(ask, message, options), options.by);
}

/** A map has no `answers[1].text`: the path is the question's text. */
function byText({ questions }: AskContent, issue: Issue): Issue {
  const [first, index, ...rest] = issue.path;
  const question = typeof index === "number" ? questions[index] : undefined;
  if (first !== "answers" || question === undefined) return issue;
  return { ...issue, path: ["answers", question.question, ...rest] };
}
