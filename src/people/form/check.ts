// What a form would send, and what is wrong with it, each problem at its field. The rules are those of core's
// validation, whose reader of unknown data a form does not need: a page would have to load it. A property test
// compares the two.

import { isBlank } from "../../core/kit/fold.js";
import type { Issue } from "../../core/kit/issue.js";
import { canonicalJson } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import type { Action, Decision } from "../../core/model/approval.js";
import type { ValidEnding } from "../../core/model/ending.js";
import type { Answer } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { boundedJson } from "../../core/read/input-reader.js";
import { isRuleDuration } from "../../core/rules/remembering.js";
import { argsText, hasRounded, readArgs } from "./json-text.js";
import {
  type AnswerPart,
  type DecisionPart,
  type FormAsk,
  type FormIssue,
  type FormState,
  hasChoices,
  type Panel,
  type Part,
  remembersOf,
  type TextField,
  type TextPart,
  takesText,
} from "./state.js";

export type CheckedForm =
  | { readonly ok: true; readonly ending: ValidEnding }
  | { readonly ok: false; readonly issues: readonly FormIssue[] };

/**
 * What the form sends from where the person is: the answers or decisions, in a panel the reply or the decline.
 * Or else it is every problem, in the order of the steps.
 */
export function checkForm(state: FormState, panel: Panel = state.panel): CheckedForm {
  const { ask, parts } = state;
  const issues = panelIssues(state, panel);
  if (issues.length > 0) return { ok: false, issues };
  const text = (kind: TextPart["kind"]): string =>
    parts.find((part): part is TextPart => part.kind === kind)?.text ?? "";
  if (panel === "reply") return { ok: true, ending: { type: "reply", text: text("reply") } };
  if (panel === "decline") {
    const reason = text("reason");
    return { ok: true, ending: { type: "decline", ...(!isBlank(reason) && { reason }) } };
  }
  const note = isBlank(text("note")) ? {} : { note: text("note") };
  return ask.approval === undefined ? answers(ask, parts, note) : decisions(state, note);
}

/** Every problem of what is sent from a panel, or from the steps. */
export function panelIssues(state: FormState, panel: Panel = state.panel): readonly FormIssue[] {
  const parts = panelParts(state.parts, panel);
  const issues = issuesOf(state, parts);
  return issues.length > 0 || panel !== "steps" || parts.some((part) => isSaid(state.ask, part))
    ? issues
    : nothingSaid(state.ask);
}

/** A question left blank may stay so only beside something that was said. */
function isSaid(ask: FormAsk, part: Part): boolean {
  return isDone(ask, part) || (part.kind === "answer" && !isBlank(part.note));
}

function nothingSaid({ questions: [first] }: FormAsk): readonly FormIssue[] {
  if (first === undefined) return [];
  const values = { options: hasChoices(first), text: takesText(first), skip: true };
  return [{ code: "empty_answer", id: first.id, field: "choice", values }];
}

/** Every problem of these parts. */
export function issuesOf(state: FormState, parts: readonly Part[]): readonly FormIssue[] {
  return parts.flatMap((part) => [
    ...partIssues(state.ask, part),
    ...ruleIssues(state, part),
    ...unreadIssues(state, part),
  ]);
}

/** Nobody approves what was not on their screen. Rejecting needs no reading. */
function unreadIssues({ ask, reportsShown, shown }: FormState, part: Part): readonly FormIssue[] {
  if (!reportsShown || part.kind !== "decision") return [];
  if (part.decision === null || part.decision === "reject") return [];
  const action = actionOf(ask, part.id);
  const args = part.decision === "edit" || action === undefined ? part.args : argsText(action.args);
  if (shown.some((one) => one.id === part.id && one.args === args)) return [];
  return [{ code: "not_shown", id: part.id, field: "choice", values: {} }];
}

/** The agent's own rules allow: a rejection cannot make one. */
function ruleIssues(state: FormState, part: Part): readonly FormIssue[] {
  if (part.kind !== "decision" || part.decision !== "reject") return [];
  if (isRuleDuration(part.remember) || !remembersOf(state).includes(part.remember)) return [];
  return [{ code: "rule_unused", id: part.id, field: "choice", values: {} }];
}

/** The parts that are sent from a panel, or from the steps. */
function panelParts(parts: readonly Part[], panel: Panel): readonly Part[] {
  const wanted = { steps: "note", reply: "reply", decline: "reason" } as const;
  return parts.filter(
    ({ kind }) => kind === wanted[panel] || (panel === "steps" && (kind === "answer" || kind === "decision")),
  );
}

/** Whether the part holds a whole answer or decision as it stands; a question left blank does not. */
export function isDone(ask: FormAsk, part: Part): boolean {
  if (partIssues(ask, part).length > 0) return false;
  switch (part.kind) {
    case "answer": {
      const answer = answerOf(ask, part);
      return answer !== undefined && (part.skipped || answer.skipped !== true);
    }
    case "decision":
      return part.decision !== null;
    default:
      return !isBlank(part.text);
  }
}

/** How far a question or an action is: `blank` may stay so, `open` may not. */
export type Mark = "done" | "skipped" | "open" | "blank";

export function markOf(ask: FormAsk, part: Part): Mark {
  if (partIssues(ask, part).length > 0) return "open";
  if (!isDone(ask, part)) return "blank";
  return part.kind === "answer" && part.skipped ? "skipped" : "done";
}

/** Whether a text field's content would be sent as things stand. */
export function isUsed(ask: FormAsk, part: Part, field: TextField): boolean {
  if (part.kind === "answer" && field === "text") {
    const question = questionOf(ask, part.id);
    return question !== undefined && !part.skipped && usesText(question, part);
  }
  if (part.kind === "decision") {
    return field === "args" ? part.decision === "edit" : part.decision === "reject";
  }
  return true;
}

/** Whether the text of an action's arguments means other arguments than the agent's, or none at all. */
export function isEdited(action: Action, part: DecisionPart): boolean {
  const read = readArgs(part.args);
  return !read.ok || canonicalJson(read.args) !== canonicalJson(action.args);
}

/** Issues that the server has found in what was sent. */
export function serverIssues({ ask }: FormState, issues: readonly Issue[]): readonly FormIssue[] {
  return issues.map((issue) => {
    const [list, index] = issue.path;
    const id =
      typeof index !== "number"
        ? undefined
        : list === "answers"
          ? ask.questions[index]?.id
          : ask.approval?.actions[index]?.id;
    return issueAt(issue, id, {});
  });
}

function answers(ask: FormAsk, parts: readonly Part[], note: { readonly note?: string }): CheckedForm {
  const given = parts.flatMap((part) => (part.kind === "answer" ? (answerOf(ask, part) ?? []) : []));
  return { ok: true, ending: { type: "answer", answers: given, ...note } };
}

function decisions(state: FormState, note: { readonly note?: string }): CheckedForm {
  const remembers = remembersOf(state);
  const given = state.parts.flatMap((part) =>
    part.kind === "decision" ? (decisionOf(part, remembers) ?? []) : [],
  );
  return { ok: true, ending: { type: "decide", decisions: given, ...note } };
}

function partIssues(ask: FormAsk, part: Part): readonly FormIssue[] {
  switch (part.kind) {
    case "answer":
      return answerIssues(ask, part);
    case "decision":
      return decisionIssues(ask, part);
    case "note":
      return lengthIssues("overall", part.text);
    case "reply": {
      const long = lengthIssues("reply", part.text);
      if (long.length > 0 || !isBlank(part.text)) return long;
      return [{ code: "empty_answer", field: "reply", values: { options: false, text: true } }];
    }
    case "reason":
      return lengthIssues("reason", part.text);
  }
}

function answerIssues(ask: FormAsk, part: AnswerPart): readonly FormIssue[] {
  const question = questionOf(ask, part.id);
  if (question === undefined) return [];
  const { id } = part;
  const options = hasChoices(question);
  const choice = (code: FormIssue["code"], values: FormIssue["values"]): FormIssue => ({
    code,
    id,
    field: "choice",
    values,
  });
  if (part.own && options && !part.skipped && isBlank(part.text)) {
    return [{ code: "text_required", id, field: "text", values: {} }];
  }
  const wanted = { options, text: takesText(question) };
  const answer = answerOf(ask, part);
  if (answer === undefined) return [choice("missing_answer", wanted)];
  const long = [...lengthIssues("text", answer.text, id), ...lengthIssues("note", answer.note, id)];
  const count = answer.selected.length + (answer.text === undefined ? 0 : 1);
  if (count === 0) return answer.skipped ? long : [...long, choice("empty_answer", wanted)];
  const { multiSelect, minPicks: min = 1, maxPicks: max } = question;
  if (multiSelect && max !== undefined && count > max) long.push(choice("too_many_picks", { max, count }));
  if (multiSelect && count < min) long.push(choice("too_few_picks", { min, count }));
  return long;
}

function decisionIssues(ask: FormAsk, part: DecisionPart): readonly FormIssue[] {
  const action = actionOf(ask, part.id);
  if (action === undefined) return [];
  const { id, decision } = part;
  if (decision === null) return [{ code: "missing_decision", id, field: "choice", values: {} }];
  if (!action.allow.includes(decision)) {
    return [{ code: "decision_not_allowed", id, field: "choice", values: {} }];
  }
  if (decision === "reject") return lengthIssues("message", part.message, id);
  if (decision === "approve") {
    return isEdited(action, part) ? [{ code: "edit_unused", id, field: "args", values: {} }] : [];
  }
  const read = readArgs(part.args);
  if (!read.ok) {
    const values = read.code === "invalid_json" ? { line: read.line, column: read.column } : {};
    return [{ code: read.code, id, field: "args", values }];
  }
  const { copy, code = "wrong_type" } = boundedJson(read.args, LIMITS.argsLength);
  if (copy === undefined) {
    const values = code === "too_large" ? { max: LIMITS.argsLength, count: part.args.length } : {};
    return [{ code, id, field: "args", values }];
  }
  return hasRounded(copy) ? [{ code: "invalid_value", id, field: "args", values: {} }] : [];
}

/** A text over its limit. */
function lengthIssues(field: TextField, text = "", id?: string): FormIssue[] {
  const max = MOST[field];
  if (text.length <= max) return [];
  return [{ code: "too_long", id, field, values: { max, count: text.length } }];
}

/** What a part says about its question; undefined where it says nothing and the question may not be skipped. */
export function answerOf(ask: FormAsk, part: AnswerPart): Answer | undefined {
  const question = questionOf(ask, part.id);
  if (question === undefined) return undefined;
  const note = isBlank(part.note) ? {} : { note: part.note };
  const uses = usesText(question, part);
  const text = uses && !isBlank(part.text) ? { text: part.text } : {};
  const selected = uses && !question.multiSelect ? [] : part.selected;
  const isEmpty = selected.length === 0 && text.text === undefined;
  if (ask.allowPartial && (part.skipped || isEmpty)) {
    return { question: part.id, selected: [], ...note, skipped: true };
  }
  if (isEmpty && note.note === undefined) return undefined;
  return { question: part.id, selected, ...text, ...note };
}

/** An edit whose text is not a JSON object is not a decision yet. */
export function decisionOf(
  { id, decision, args, message, remember }: DecisionPart,
  remembers: readonly string[] = [],
): Decision | undefined {
  const remembered = remembers.includes(remember) ? { remember } : {};
  switch (decision) {
    case null:
      return undefined;
    case "approve":
      return { action: id, kind: "approve", ...remembered };
    case "edit": {
      const read = readArgs(args);
      const { copy = undefined } = read.ok ? boundedJson(read.args, LIMITS.argsLength) : {};
      return copy === undefined ? undefined : { action: id, kind: "edit", args: copy };
    }
    case "reject":
      return { action: id, kind: "reject", ...(!isBlank(message) && { message }), ...remembered };
  }
}

function usesText(question: Question, part: AnswerPart): boolean {
  return takesText(question) && (part.own || !hasChoices(question));
}

function questionOf({ questions }: FormAsk, id: string): Question | undefined {
  return questions.find((question) => question.id === id);
}

function actionOf({ approval }: FormAsk, id: string): Action | undefined {
  return approval?.actions.find((action) => action.id === id);
}

function issueAt(issue: Issue, id: string | undefined, values: FormIssue["values"]): FormIssue {
  return { code: issue.code, id, field: fieldOf(issue), values };
}

/** The field that the path of an issue leads to. */
function fieldOf({ path }: Issue): FormIssue["field"] {
  switch (path.find((name, index) => index !== 0 && typeof name === "string") ?? path[0]) {
    case "text":
      return path.length === 1 ? "reply" : "text";
    case "note":
      return path.length === 1 ? "overall" : "note";
    case "args":
      return "args";
    case "message":
      return "message";
    case "reason":
      return "reason";
    default:
      return "choice";
  }
}

const MOST = {
  text: LIMITS.textLength,
  note: LIMITS.noteLength,
  args: LIMITS.argsLength,
  message: LIMITS.reasonLength,
  overall: LIMITS.noteLength,
  reply: LIMITS.textLength,
  reason: LIMITS.reasonLength,
} satisfies Record<TextField, number>;
