// What a person's choices and typing do to the parts. A choice never discards what was typed: the text of the
// text field stays while another option is picked, and is the answer again when the field is.

import { isBlank } from "../../core/kit/fold.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import type { Question } from "../../core/model/question.js";
import { isDone } from "./check.js";
import { argsText } from "./json-text.js";
import { changePart } from "./parts.js";
import { optionKey, TEXT_KEY } from "./rows.js";
import {
  type AnswerPart,
  choicesOf,
  type DecisionPart,
  type FormState,
  hasChoices,
  mostPicks,
  stepsOf,
  type TextField,
  takesText,
} from "./state.js";

/** The index of the step with this id; of the current step without one. */
export function placeOf(state: FormState, id: string | undefined): number {
  if (id === undefined) return state.step;
  return stepsOf(state.ask).findIndex((step) => step.kind !== "review" && step.id === id);
}

/** Chooses an option, the text field or a decision by the key of its row. */
export function choose(
  state: FormState,
  place: number,
  key: string,
  way: "pick" | "toggle",
  now: number,
): FormState {
  const step = stepsOf(state.ask)[place];
  const part = state.parts[place];
  if (step?.kind === "action" && part?.kind === "decision") {
    const kind = step.action.allow.find((allowed) => allowed === key);
    return kind === undefined ? state : decide(state, place, kind, now);
  }
  if (step?.kind !== "question" || part?.kind !== "answer") return state;
  const { question } = step;
  const option = question.options.find(({ id }) => optionKey(id) === key);
  if (key === TEXT_KEY || option?.input) {
    if (!takesText(question)) return state;
    if (question.multiSelect && part.own && !part.skipped && way === "toggle") {
      return changePart(state, place, { ...part, own: false }, now);
    }
    if (!part.own && isFull(question, part)) return full(state, question, part);
    return changePart(state, place, { ...part, own: true, skipped: false }, now);
  }
  if (option === undefined) return state;
  if (!question.multiSelect) {
    return changePart(state, place, { ...part, selected: [option.id], own: false, skipped: false }, now);
  }
  const isPicked = part.selected.includes(option.id);
  const takesBack = isPicked && way === "toggle" && !part.skipped;
  if (!isPicked && isFull(question, part)) return full(state, question, part);
  const selected = choicesOf(question)
    .map(({ id }) => id)
    .filter((id) => (id === option.id ? !takesBack : part.selected.includes(id)));
  return changePart(state, place, { ...part, selected, skipped: false }, now);
}

/** Decides about an action, where it allows that. */
export function decide(state: FormState, place: number, kind: DecisionKind, now: number): FormState {
  const step = stepsOf(state.ask)[place];
  const part = state.parts[place];
  if (step?.kind !== "action" || part?.kind !== "decision" || !step.action.allow.includes(kind)) return state;
  return changePart(state, place, { ...part, decision: kind }, now);
}

/** Takes the text of a field. Typing into a field also chooses it. */
export function typeText(
  state: FormState,
  place: number,
  field: TextField,
  text: string,
  now: number,
): FormState {
  const shared = textPlace(state, field);
  const index = shared ?? place;
  const part = state.parts[index];
  const step = stepsOf(state.ask)[index];
  switch (part?.kind) {
    case "note":
    case "reply":
    case "reason":
      return shared === undefined ? state : changePart(state, index, { ...part, text }, now);
    case "answer":
      if (field === "note") return changePart(state, index, { ...part, note: text }, now);
      if (field !== "text" || step?.kind !== "question" || !takesText(step.question)) return state;
      return changePart(state, index, typedAnswer(part, text), now);
    case "decision":
      if (step?.kind !== "action") return state;
      if (field === "args" && step.action.allow.includes("edit")) {
        return changePart(state, index, { ...part, args: text, decision: "edit" }, now);
      }
      if (field === "message" && step.action.allow.includes("reject")) {
        const decision = isBlank(text) ? part.decision : "reject";
        return changePart(state, index, { ...part, message: text, decision }, now);
      }
      return state;
    case undefined:
      return state;
  }
}

/** Takes the choice or decision back; or puts one text back to what it was at first. */
export function clear(state: FormState, place: number, field: TextField | undefined, now: number): FormState {
  const part = state.parts[place];
  const step = stepsOf(state.ask)[place];
  if (field === "args" && part?.kind === "decision" && step?.kind === "action") {
    const decision = part.decision === "edit" ? null : part.decision;
    return changePart(state, place, { ...part, args: argsText(step.action.args), decision }, now);
  }
  if (field === "text" && part?.kind === "answer") {
    return changePart(state, place, { ...part, text: "", own: false }, now);
  }
  if (field !== undefined) return typeText(state, place, field, "", now);
  if (part?.kind === "answer") {
    return changePart(state, place, { ...part, selected: [], own: false, skipped: false }, now);
  }
  return part?.kind === "decision" ? changePart(state, place, { ...part, decision: null }, now) : state;
}

/** Whether a question may be left out. */
export function canSkip({ ask, parts }: FormState, place: number): boolean {
  return ask.allowPartial === true && parts[place]?.kind === "answer";
}

/** Leaves a question out, or takes that back. What was chosen and typed stays. */
export function skip(state: FormState, place: number, skipped: boolean, now: number): FormState {
  const part = state.parts[place];
  if (part?.kind !== "answer" || !canSkip(state, place)) return state;
  return changePart(state, place, { ...part, skipped }, now);
}

/** Picks every option of a multi-select question; where all are picked, none. */
export function pickAll(state: FormState, place: number, now: number): FormState {
  const step = stepsOf(state.ask)[place];
  const part = state.parts[place];
  if (step?.kind !== "question" || part?.kind !== "answer" || !canPickAll(step.question)) return state;
  const all = choicesOf(step.question).map(({ id }) => id);
  const selected = !part.skipped && part.selected.length === all.length ? [] : all;
  return changePart(state, place, { ...part, selected, skipped: false }, now);
}

/** Whether a question takes as many picks as it has options. */
export function canPickAll(question: Question): boolean {
  return question.multiSelect && hasChoices(question) && choicesOf(question).length <= mostPicks(question);
}

/** Picks what is recommended for a question; as many as it takes. */
export function recommend(state: FormState, place: number, now: number): FormState {
  const step = stepsOf(state.ask)[place];
  const part = state.parts[place];
  if (step?.kind !== "question" || part?.kind !== "answer") return state;
  const selected = choicesOf(step.question)
    .filter(({ recommended }) => recommended)
    .map(({ id }) => id)
    .slice(0, mostPicks(step.question));
  if (selected.length === 0) return state;
  return changePart(state, place, { ...part, selected, own: false, skipped: false }, now);
}

/** {@link recommend} for every question that has no answer yet. */
export function recommendAll(state: FormState, now: number): FormState {
  return state.parts.reduce(
    (result, part, place) =>
      part.kind === "answer" && !isDone(state.ask, part) ? recommend(result, place, now) : result,
    state,
  );
}

/** An empty text field cannot stay chosen: leaving it takes the choice back. */
export function leaveBlankText(state: FormState, place: number, now: number): FormState {
  const part = state.parts[place];
  if (part?.kind !== "answer" || !part.own || !isBlank(part.text)) return state;
  return changePart(state, place, { ...part, own: false }, now);
}

/** Whether a question has something recommended to pick. */
export function hasRecommended(question: Question): boolean {
  return choicesOf(question).some(({ recommended }) => recommended);
}

function typedAnswer(part: AnswerPart, text: string): AnswerPart {
  return isBlank(text) ? { ...part, text } : { ...part, text, own: true, skipped: false };
}

function isFull(question: Question, part: AnswerPart | DecisionPart): boolean {
  if (part.kind !== "answer" || !question.multiSelect) return false;
  return part.selected.length + (part.own ? 1 : 0) >= mostPicks(question);
}

/** Nothing changes, and the person learns why. */
function full(state: FormState, question: Question, part: AnswerPart): FormState {
  const count = part.selected.length + (part.own ? 1 : 0);
  const values = { max: mostPicks(question), count };
  return { ...state, notice: { code: "too_many_picks", id: part.id, field: "choice", values } };
}

/** The place of a part that belongs to the whole ask. */
function textPlace({ parts }: FormState, field: TextField): number | undefined {
  if (field !== "overall" && field !== "reply" && field !== "reason") return undefined;
  return parts.findIndex(({ kind }) => kind === (field === "overall" ? "note" : field));
}
