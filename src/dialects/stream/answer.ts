// What is answered: `answers` for questions, `decisions` for actions.

import { ownValue } from "../../core/answers-by-text.js";
import {
  type Action,
  type AskContent,
  type Decision,
  decodeTextAnswer,
  describeOutcome,
  encodeTextAnswer,
  type Issue,
  isRecord,
  type Outcome,
  validateAnswers,
  validateDecisions,
} from "../../core/index.js";
import { parseJson, typeName } from "../../core/input-reader.js";
import { quote } from "../../core/quote.js";
import {
  type AnswerableAsk,
  type AnswersMap,
  type DecodedOutcome,
  type DecodeOutcomeOptions,
  type EncodedOutcome,
  mapList,
  neverThrowing,
  repeatedTexts,
} from "../answers-map.js";
import { refused } from "./refused.js";
import { type HistoryDecision, NO_PREFERENCE, type StreamAnswer, type StreamDecision } from "./shapes.js";

export function encodeOutcome(ask: AskContent, outcome: Outcome): EncodedOutcome<StreamAnswer> {
  if (outcome.kind === "answered" && repeatedTexts(ask).length === 0) {
    return { ok: true, output: { answers: toAnswers(ask, outcome) } };
  }
  if (outcome.kind === "decided") {
    const decisions = decided(ask, outcome).map(([action, decision]): StreamDecision => {
      if (decision.kind !== "edit") return plainDecision(decision);
      return { type: "edit", edited_action: { name: action.name, args: decision.args } };
    });
    return { ok: true, output: { decisions } };
  }
  return { ok: false, message: describeOutcome(ask, outcome) };
}

export function decodeOutcome(
  ask: AnswerableAsk,
  answer: unknown,
  { by }: DecodeOutcomeOptions,
): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    if (!isRecord(answer)) return refused("", `must be an object, not ${typeName(answer)}`);
    const [wanted, other] = ask.approval === undefined ? ["answers", "decisions"] : ["decisions", "answers"];
    if (answer[other] !== undefined && answer[other] !== null) {
      return refused(other, `does not belong here: this takes ${wanted}`);
    }
    if (ask.approval !== undefined) {
      const issues = strangeDecisions(ask.approval.actions, answer.decisions);
      if (issues.length > 0) return { ok: false, issues };
      const submission = { decisions: pickDecisions(ask.approval.actions, answer.decisions) };
      const checked = validateDecisions(ask, submission);
      return checked.ok
        ? { ok: true, outcome: { kind: "decided", decisions: checked.decisions, by } }
        : checked;
    }
    const read = readAnswers(ask, answer.answers);
    if (!read.ok) return read;
    const checked = validateAnswers(ask, read.answers);
    return checked.ok ? { ok: true, outcome: { kind: "answered", answers: checked.answers, by } } : checked;
  });
}

export function toAnswers(ask: AskContent, outcome: Extract<Outcome, { kind: "answered" }>): AnswersMap {
  const entries = ask.questions.map((question) => {
    const answer = outcome.answers.find((candidate) => candidate.question === question.id);
    const text = answer === undefined ? "" : encodeTextAnswer(question, answer);
    return [question.question, text === "" ? NO_PREFERENCE : text] as const;
  });
  // Object.fromEntries defines own properties, so that a question called `__proto__` stays in the map.
  return Object.fromEntries(entries);
}

export function decided(
  { approval }: AskContent,
  { decisions }: Extract<Outcome, { kind: "decided" }>,
): readonly (readonly [Action, Decision])[] {
  return (approval?.actions ?? []).flatMap((action) => {
    const decision = decisions.find((candidate) => candidate.action === action.id);
    return decision === undefined ? [] : [[action, decision] as const];
  });
}

export function plainDecision(
  decision: Exclude<Decision, { kind: "edit" }>,
): Exclude<HistoryDecision & StreamDecision, { type: "edit" }> {
  if (decision.kind === "approve") return { type: "approve" };
  return { type: "reject", ...(decision.message !== undefined && { message: decision.message }) };
}

function readAnswers(
  ask: AskContent,
  given: unknown,
):
  | { readonly ok: true; readonly answers: readonly unknown[] }
  | { readonly ok: false; readonly issues: readonly Issue[] } {
  const repeated = repeatedTexts(ask);
  if (repeated.length > 0) return { ok: false, issues: repeated };
  if (!isRecord(given)) return refused("answers", `must be an object, not ${typeName(given)}`);
  const asked = new Set(ask.questions.map(({ question }) => question));
  const issues = Object.keys(given)
    .filter((text) => !asked.has(text))
    .slice(0, 10)
    .map((text): Issue => {
      const message = "is no question of this request; use the exact text of one";
      return { code: "unknown_question", path: ["answers", text], message };
    });
  const answers = ask.questions.flatMap((question) => {
    const text = ownValue(given, question.question);
    const path = ["answers", question.question];
    if (text === undefined) {
      issues.push({
        code: "missing_answer",
        path,
        message: `is missing; to skip it, send "${NO_PREFERENCE}"`,
      });
    } else if (typeof text !== "string") {
      issues.push({ code: "wrong_type", path, message: `must be a string, not ${typeName(text)}` });
    } else return [decodeTextAnswer(question, text === NO_PREFERENCE ? "" : text)];
    return [];
  });
  return issues.length > 0 ? { ok: false, issues } : { ok: true, answers };
}

/** What the validation, which knows decisions by their actions, could not tell in the words of the sender. */
function strangeDecisions(actions: readonly Action[], given: unknown): readonly Issue[] {
  const list = typeof given === "string" ? parseJson(given) : given;
  if (!Array.isArray(list)) return [];
  if (list.length > actions.length) {
    const message = `there are ${list.length}, but the actions are ${actions.length}: send one for each, in their order`;
    return [{ code: "unknown_action", path: ["decisions"], message }];
  }
  return list.flatMap((item: unknown, index): Issue[] => {
    const edited = isRecord(item) && item.type === "edit" ? item.edited_action : undefined;
    const name = isRecord(edited) ? (edited.name ?? undefined) : undefined;
    const expected = actions[index]?.name;
    if (name === undefined || name === expected) return [];
    // To run the action that was asked about with the arguments of another would be nobody's decision.
    const message = `must be ${quote(expected ?? "")}: edit its arguments, or reject it`;
    return [{ code: "invalid_value", path: ["decisions", index, "edited_action", "name"], message }];
  });
}

/** The decisions by action id; what is not one of the three is left for the validation to complain of. */
function pickDecisions(actions: readonly Action[], given: unknown): unknown {
  let index = -1;
  return mapList(given, (item) => {
    index += 1;
    if (!isRecord(item)) return item;
    const edited = isRecord(item.edited_action) ? item.edited_action : item;
    return { action: actions[index]?.id, kind: item.type, args: edited.args, message: item.message };
  });
}
