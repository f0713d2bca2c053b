import { ownValue } from "../../core/answers-by-text.js";
import {
  type Answer,
  type AskContent,
  decodeTextAnswer,
  encodeTextAnswer,
  type Issue,
  isRecord,
  type Outcome,
  type Question,
  validateAnswers,
} from "../../core/index.js";
import { inputReader, typeName } from "../../core/input-reader.js";
import { setOwn } from "../../core/json.js";
import {
  type AnswerableAsk,
  type DecodedOutcome,
  type DecodeOutcomeOptions,
  neverThrowing,
  repeatedTexts,
} from "../answers-map.js";
import type { GatewayAnswerHook, GatewayAnswers, GatewayApprovalHook } from "./envelopes.js";

export interface GatewayDecodeOptions extends DecodeOutcomeOptions {
  /**
   * What is left out counts as skipped and what nobody asked is passed over. For who cannot send an answer
   * back: a plugin takes the first one that comes.
   */
  readonly lenient?: boolean;
}

/** Undefined for the endings of which the document says that nothing is sent. */
export function encodeOutcome(
  ask: AskContent,
  outcome: Outcome,
  id: string,
): GatewayAnswerHook | GatewayApprovalHook | undefined {
  if (outcome.kind === "expired" || outcome.kind === "unavailable") return undefined;
  if (ask.approval !== undefined) {
    return { type: "hook.approval", payload: { executionId: id, ...encodeDecision(outcome) } };
  }
  return { type: "hook.ask_user_answer", payload: { questionId: id, answers: encodeAnswers(ask, outcome) } };
}

/** A skipped question is left out; whatever is no answer is the empty map. */
export function encodeAnswers(ask: AskContent, outcome: Outcome): GatewayAnswers {
  const map: Record<string, string> = {};
  if (outcome.kind !== "answered" || repeatedTexts(ask).length > 0) return map;
  const { questions } = ask;
  for (let place = 0; place < questions.length; place += 1) {
    const question = questions[place];
    if (question === undefined) continue;
    const answer = answerTo(question, outcome.answers, place);
    if (answer === undefined || (answer.selected.length === 0 && answer.text === undefined)) continue;
    setOwn(map, question.question, encodeTextAnswer(question, answer));
  }
  return map;
}

/** Answers stand in the order of their questions; what was made elsewhere is searched. */
function answerTo(question: Question, answers: readonly Answer[], place: number): Answer | undefined {
  const likely = answers[place];
  return likely?.question === question.id
    ? likely
    : answers.find((answer) => answer.question === question.id);
}

/** All or nothing: of several actions, one that was rejected means that the whole was not approved. */
function encodeDecision(outcome: Outcome): { readonly approved: boolean; readonly reason?: string } {
  const refuse = (reason: string | undefined): { approved: false; reason?: string } => ({
    approved: false,
    ...(reason !== undefined && { reason }),
  });
  switch (outcome.kind) {
    case "decided": {
      const refused = outcome.decisions.find(({ kind }) => kind !== "approve");
      if (refused !== undefined) return refuse(refused.kind === "reject" ? refused.message : "edited");
      return { approved: true, ...(outcome.note !== undefined && { reason: outcome.note }) };
    }
    case "declined":
    case "withdrawn":
      return refuse(outcome.reason);
    case "replied":
      return refuse(outcome.text);
    default:
      return refuse(undefined);
  }
}

/** What a map of answers means for the questions that it answers. The empty map is a dismissal. */
export function decodeAnswers(
  ask: AnswerableAsk,
  answers: unknown,
  options: GatewayDecodeOptions,
): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const repeated = repeatedTexts(ask);
    if (repeated.length > 0) return { ok: false, issues: repeated };
    if (!isRecord(answers)) return { ok: false, issues: [notAMap(answers)] };
    const keys = Object.keys(answers);
    if (keys.length === 0) return { ok: true, outcome: { kind: "declined", by: options.by } };
    const whole = readWhole(ask.questions, keys, answers);
    if (whole !== undefined) return validOutcome(ask, whole, options);
    const reader = inputReader();
    const lenient = options.lenient ?? false;
    const mayGap = lenient || ask.allowPartial === true;
    const asked = new Set(ask.questions.map(({ question }) => question));
    const strange = keys.filter((key) => !asked.has(key));
    // A map that answers nothing of what was asked is no answer, however lenient one is.
    if (!lenient || strange.length === keys.length) {
      for (const key of strange)
        reader.add("unknown_question", ["answers", key], "is the text of no question");
    }
    const read = ask.questions.map((question) => {
      const value = ownValue(answers, question.question);
      const path = ["answers", question.question];
      if (value !== undefined && typeof value !== "string") {
        reader.add("wrong_type", path, `must be a string, not ${typeName(value)}`);
      } else if (!mayGap && (value === undefined || value.trim() === "")) {
        reader.add("missing_answer", path, "has no answer; every question needs one");
      }
      return decodeTextAnswer(question, typeof value === "string" ? value : "");
    });
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    return validOutcome(ask, read, options);
  });
}

/**
 * The answers of a map that has a text for every question and nothing else, as nearly every map has: of such a
 * one there is nothing to complain. Undefined for any other.
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
  const validated = validateAnswers(ask, answers, lenient ? { partial: true } : undefined);
  return validated.ok
    ? { ok: true, outcome: { kind: "answered", answers: validated.answers, by } }
    : { ok: false, issues: validated.issues.map((issue) => byText(ask, issue)) };
}

/** What `approved` means for every action of the ask. */
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

function notAMap(value: unknown): Issue {
  const message = `must be a map from question text to answer, not ${typeName(value)}`;
  return { code: "wrong_type", path: ["answers"], message };
}

/** `answers[1].text` is no path in a map: the question's text is. */
function byText({ questions }: AskContent, issue: Issue): Issue {
  const [first, index, ...rest] = issue.path;
  const question = typeof index === "number" ? questions[index] : undefined;
  if (first !== "answers" || question === undefined) return issue;
  return { ...issue, path: ["answers", question.question, ...rest] };
}
