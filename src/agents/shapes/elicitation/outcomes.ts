// What a client returns from a form.

import { isBlank } from "../../../core/kit/fold.js";
import { isRecord, setOwn } from "../../../core/kit/json.js";
import type { AskContent } from "../../../core/model/ask.js";
import type { Answer, Outcome } from "../../../core/model/outcome.js";
import type { Question } from "../../../core/model/question.js";
import { inputReader, typeName } from "../../../core/read/input-reader.js";
import { ownValue } from "../../../core/text/answers-by-text.js";
import type { AnswerableAsk, DecodedOutcome, DecodeOutcomeOptions } from "../dialect.js";
import { CONFIRM } from "../shared/schema-form.js";
import {
  answered,
  decidedOutcome,
  type Fields,
  isGap,
  neverThrowing,
  refused,
  unknownKeys,
} from "../shared.js";
import { type ElicitationOutput, isTextOnly, type Names, namesOf } from "./shape.js";

export function encodeOutcome(ask: AskContent, outcome: Outcome): ElicitationOutput {
  if (outcome.kind === "declined") return { action: "decline" };
  const content: Record<string, string | string[]> = {};
  const names = namesOf(ask);
  if (outcome.kind === "decided" && ask.approval !== undefined) {
    const isConfirm = ask.approval.actions.every(({ id }) => id === CONFIRM.id);
    if (isConfirm && outcome.decisions.some(({ kind }) => kind !== "approve")) return { action: "decline" };
    if (isConfirm) return { action: "accept", content };
    for (const [index, { id }] of ask.approval.actions.entries()) {
      const decision = outcome.decisions.find(({ action }) => action === id);
      const own = names[index];
      if (own === undefined) continue;
      setOwn(content, own.own, decision?.kind === "approve" ? "approve" : "reject");
      const message = decision?.kind === "reject" ? decision.message : undefined;
      if (message !== undefined) setOwn(content, own.text, message);
    }
    return { action: "accept", content };
  }
  if (outcome.kind !== "answered") return { action: "cancel" };
  // A form that comes back empty reads as a yes.
  if (outcome.answers.every(isGap)) return { action: "decline" };
  for (const [index, question] of ask.questions.entries()) {
    const answer = outcome.answers.find(({ question: id }) => id === question.id);
    const own = names[index];
    if (own !== undefined && answer !== undefined) writeAnswer(content, question, answer, own);
  }
  return { action: "accept", content };
}

function writeAnswer(
  content: Record<string, string | string[]>,
  question: Question,
  answer: Answer,
  { own, text }: Names,
): void {
  if (isGap(answer)) return;
  if (answer.text !== undefined) setOwn(content, isTextOnly(question) ? own : text, answer.text);
  const [first] = answer.selected;
  if (first !== undefined) setOwn(content, own, question.multiSelect ? [...answer.selected] : first);
}

const ACTIONS = ["accept", "decline", "cancel"] as const;

export function decodeOutcome(
  ask: AnswerableAsk,
  output: unknown,
  { by }: DecodeOutcomeOptions,
): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const reader = inputReader();
    const { action: given, content = {} } = isRecord(output) ? output : {};
    const action = reader.choice(given ?? "", ["action"], ACTIONS);
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    if (action === "decline") return { ok: true, outcome: { kind: "declined", by } };
    if (action === "cancel") return { ok: true, outcome: { kind: "withdrawn", reason: "dismissed" } };
    if (!isRecord(content)) {
      return refused("wrong_type", ["content"], `must be an object, not ${typeName(content)}`);
    }
    const names = namesOf(ask);
    const known = names.flatMap(({ own, text, options }, index) => [
      own,
      ...(isTextOnly(ask.questions[index]) ? [] : [text, ...options.values()]),
    ]);
    for (const name of unknownKeys(content, known)) {
      reader.add("unknown_question", ["content", name], "is not a field of the form");
    }
    for (const name of names.flatMap(({ options }) => [...options.values()])) {
      if (isFlag(ownValue(content, name))) continue;
      reader.add("wrong_type", ["content", name], "must be true or false");
    }
    if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
    return ask.approval === undefined
      ? checked(ask, readAnswers(ask, content, names), by)
      : readDecisions(ask, content, names, by);
  });
}

/** Issues name the field of the form, because a person corrects them there. */
function checked(
  ask: AnswerableAsk,
  submitted: readonly { readonly question: string }[],
  by: DecodeOutcomeOptions["by"],
): DecodedOutcome {
  const whole = answered(ask, submitted, by);
  if (whole.ok) return whole;
  const issues = ask.questions.flatMap((question) => {
    const own = submitted.filter(({ question: id }) => id === question.id);
    if (own.length === 0 && ask.allowPartial) return [];
    const alone = answered({ ...ask, questions: [question] }, own, by);
    return alone.ok ? [] : alone.issues.map((issue) => ({ ...issue, path: ["content", question.id] }));
  });
  return { ok: false, issues: issues.length > 0 ? issues : whole.issues };
}

/** Clients return an empty text for a field that was left alone. */
function isLeft(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && isBlank(value));
}

function readAnswers(
  { questions }: AskContent,
  content: Fields,
  names: readonly Names[],
): readonly { readonly question: string }[] {
  return questions.flatMap((question, index) => {
    const own = names[index];
    if (own === undefined) return [];
    const { id, multiSelect } = question;
    const isText = isTextOnly(question);
    const chosen = ownValue(content, own.own);
    const beside = ownValue(content, own.text);
    const flags = [...own.options]
      .filter(([, name]) => isTrue(ownValue(content, name)))
      .map(([each]) => each);
    const typed = isText && !isLeft(chosen) ? chosen : isLeft(beside) ? undefined : beside;
    const picks = isText || isLeft(chosen) ? [] : multiSelect ? chosen : [chosen];
    const selected = flags.length > 0 && Array.isArray(picks) ? [...picks, ...flags] : picks;
    const isEmpty = typed === undefined && Array.isArray(selected) && selected.length === 0;
    return isEmpty ? [] : [{ question: id, selected, ...(typed !== undefined && { text: typed }) }];
  });
}

/** Some clients return text for every field. */
function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

function isFlag(value: unknown): boolean {
  return isLeft(value) || typeof value === "boolean" || value === "true" || value === "false";
}

function readDecisions(
  ask: AnswerableAsk,
  content: Fields,
  names: readonly Names[],
  by: DecodeOutcomeOptions["by"],
): DecodedOutcome {
  const notes: string[] = [];
  const decisions = (ask.approval?.actions ?? []).flatMap(({ id, name }, index) => {
    const own = names[index];
    const kind = own === undefined ? undefined : ownValue(content, own.own);
    if (own === undefined || isLeft(kind)) return [];
    const message = ownValue(content, own.text);
    if (isLeft(message)) return [{ action: id, kind }];
    if (kind === "reject") return [{ action: id, kind, message }];
    // What was typed beside an approval is kept as a note.
    notes.push(`${name}: ${String(message)}`);
    return [{ action: id, kind }];
  });
  return decidedOutcome(ask, { decisions, ...(notes.length > 0 && { note: notes.join("\n") }) }, by);
}
