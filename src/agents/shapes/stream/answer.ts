// Answers: `answers` for questions, `decisions` for actions, and the message that carries them.

import { isBlank } from "../../../core/kit/fold.js";
import type { Issue } from "../../../core/kit/issue.js";
import { isRecord } from "../../../core/kit/json.js";
import type { Action, Decision } from "../../../core/model/approval.js";
import type { AskContent } from "../../../core/model/ask.js";
import type { HistoryDecision } from "../../../core/model/history-message.js";
import type { Answer, Outcome } from "../../../core/model/outcome.js";
import type { Question } from "../../../core/model/question.js";
import type { AnswersMap, StreamDecision } from "../../../core/model/stream-event.js";
import { parseJson, typeName } from "../../../core/read/input-reader.js";
import { ownValue } from "../../../core/text/answers-by-text.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";
import { quote } from "../../../core/text/quote.js";
import { decodeTextAnswer } from "../../../core/text/text-answer.js";
import type {
  AnswerableAsk,
  DecodedOutcome,
  DecodeOutcomeOptions,
  EncodedOutcome,
  Refused,
} from "../dialect.js";
import {
  answered,
  answersByText,
  decidedOutcome,
  mapRecords,
  neverThrowing,
  refused,
  repeatedTexts,
  unknownKeys,
} from "../shared.js";
import { type DecodedMessage, NO_PREFERENCE, type StreamAnswer } from "./shapes.js";

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
    if (!isRecord(answer)) return refused("invalid_value", [], `must be an object, not ${typeName(answer)}`);
    const [wanted, other] = ask.approval === undefined ? ["answers", "decisions"] : ["decisions", "answers"];
    if (answer[other] !== undefined && answer[other] !== null) {
      return refused("invalid_value", [other], `is not expected here; send ${wanted}`);
    }
    if (ask.approval !== undefined) {
      const issues = misplacedDecisions(ask.approval.actions, answer.decisions);
      if (issues.length > 0) return { ok: false, issues };
      const submission = { decisions: pickDecisions(ask.approval.actions, answer.decisions) };
      return decidedOutcome(ask, submission, by);
    }
    const read = readAnswers(ask, answer.answers);
    return read.ok ? answered(ask, read.answers, by) : read;
  });
}

export function toAnswers(ask: AskContent, outcome: Extract<Outcome, { kind: "answered" }>): AnswersMap {
  return answersByText(ask, outcome.answers, { skip: skipWord });
}

/** How a skip of this question is written: not with a word that is a label of it. */
function skipWord({ options }: Question): string {
  return options.some(({ label }) => label === NO_PREFERENCE) ? "" : NO_PREFERENCE;
}

/** The outcome of a request as text for the agent. An expired request must not read like a rejection. */
export function endingText(ask: AskContent, outcome: Outcome): string {
  const text = describeOutcome(ask, outcome);
  return outcome.kind === "expired" ? `Not answered in time. ${text}` : text;
}

/** A client's message, as far as it can be read without the ask. */
export function decodeMessage(input: unknown): DecodedMessage {
  return neverThrowing((): DecodedMessage => {
    if (!isRecord(input)) {
      return refused("invalid_value", [], `must be an object with a type, not ${typeName(input)}`);
    }
    const { type, text, agent, session_id, approval_key, answers, decisions } = input;
    if (type === "message") {
      if (typeof text === "string" && !isBlank(text)) {
        return { ok: true, message: { type, text, ...(agent !== undefined && { agent }) } };
      }
      const code = typeof text === "string" ? "empty_answer" : "invalid_value";
      return refused(code, ["text"], "must be a string that is not blank");
    }
    if (type !== "approval") return refused("invalid_value", ["type"], `must be "approval" or "message"`);
    if (typeof approval_key !== "string") {
      return refused("invalid_value", ["approval_key"], "must be the key of a request");
    }
    if (session_id !== undefined && typeof session_id !== "string") {
      return refused("invalid_value", ["session_id"], `must be a string, not ${typeName(session_id)}`);
    }
    const address = {
      type: "approval" as const,
      approval_key,
      ...(session_id !== undefined && { session_id }),
    };
    return { ok: true, message: { ...address, answers, decisions } };
  });
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
  ask: AnswerableAsk,
  input: unknown,
): { readonly ok: true; readonly answers: readonly unknown[] } | Refused {
  const repeated = repeatedTexts(ask);
  if (repeated.length > 0) return { ok: false, issues: repeated };
  if (!isRecord(input)) {
    return refused("invalid_value", ["answers"], `must be an object, not ${typeName(input)}`);
  }
  const texts = ask.questions.map(({ question }) => question);
  const issues = unknownKeys(input, texts)
    .slice(0, 10)
    .map((text): Issue => {
      const message = "is not a question of this request; use the exact text of one";
      return { code: "unknown_question", path: ["answers", text], message };
    });
  const answers = ask.questions.flatMap((question) => {
    const text = ownValue(input, question.question);
    const path = ["answers", question.question];
    if (text === undefined && ask.allowPartial) return [];
    if (text === undefined) {
      issues.push({
        code: "missing_answer",
        path,
        message: "is missing; every question of this request needs an answer",
      });
    } else if (typeof text !== "string") {
      issues.push({ code: "wrong_type", path, message: `must be a string, not ${typeName(text)}` });
    } else {
      const answer = readText(question, text);
      const label = untypedLabel(question, answer);
      if (label === undefined) return [answer];
      const skip = ask.allowPartial ? `, or "${skipWord(question)}" to skip the question` : "";
      const message = `"${label}" is the option for typed text, and nothing was typed; send the text in its place${skip}`;
      issues.push({ code: "text_required", path, message });
    }
    return [];
  });
  return issues.length > 0 ? { ok: false, issues } : { ok: true, answers };
}

/** Only the word for it skips a question; blank text leaves it out. */
function readText(question: Question, text: string): Answer {
  const { id } = question;
  if (text === skipWord(question)) return { question: id, selected: [], skipped: true };
  return isBlank(text) ? { question: id, selected: [] } : decodeTextAnswer(question, text);
}

/** The label of the option for typed text, if it was sent where the text should be. */
function untypedLabel({ options }: Question, { text }: Answer): string | undefined {
  const label = text?.trim();
  return options.find((option) => option.input && option.label.trim() === label)?.label;
}

/** Checks count and names here: the later validation knows decisions only by action id. */
function misplacedDecisions(actions: readonly Action[], input: unknown): readonly Issue[] {
  const list = typeof input === "string" ? parseJson(input) : input;
  if (!Array.isArray(list)) return [];
  if (list.length > actions.length) {
    const message = `has ${list.length} decisions for ${actions.length} actions; send one for each, in order`;
    return [{ code: "unknown_action", path: ["decisions"], message }];
  }
  return list.flatMap((item: unknown, index): Issue[] => {
    if (!isRecord(item)) return [];
    const edited = item.edited_action ?? undefined;
    if (item.type !== "edit" && edited !== undefined) {
      const message = 'must be left out; use the type "edit" to run the edited action';
      return [{ code: "conflict", path: ["decisions", index, "edited_action"], message }];
    }
    const name = isRecord(edited) ? (edited.name ?? undefined) : undefined;
    const expected = actions[index]?.name;
    if (name === undefined || name === expected) return [];
    // An edit may change arguments, not the action.
    const message = `must be ${quote(expected ?? "")}; edit its arguments, or reject it`;
    return [{ code: "invalid_value", path: ["decisions", index, "edited_action", "name"], message }];
  });
}

/** The decisions by action id; validation refuses invalid ones later. */
function pickDecisions(actions: readonly Action[], input: unknown): unknown {
  return mapRecords(input, ({ type, message, args, edited_action: edited }, index) => ({
    action: actions[index]?.id,
    kind: type,
    args: isRecord(edited) ? edited.args : args,
    message,
  }));
}
