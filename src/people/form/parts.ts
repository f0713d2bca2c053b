// The parts of a form are what its drafts consist of. Every change stamps its part, and of two versions of a
// part the later stamp wins: on every surface the same one, in whatever order drafts arrive.

import type { Action } from "../../core/model/approval.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import type { Question } from "../../core/model/question.js";
import { argsText } from "./json-text.js";
import {
  type AnswerPart,
  choicesOf,
  type DecisionPart,
  type FormAsk,
  type FormState,
  type Part,
  takesText,
} from "./state.js";

/** How many versions of one part are kept after later saves from elsewhere replaced them. */
const MOST_KEPT = 5;
/** The last moment that a `Date` knows. It leaves room to count on from, should a draft claim it. */
export const MOST_AT = 8_640_000_000_000_000;

/** The parts of an ask that nobody has touched. */
export function blankParts({ questions, approval }: FormAsk): readonly Part[] {
  const untouched = { at: 0, surface: "" };
  const own: readonly Part[] =
    approval === undefined ? questions.map(blankAnswer) : approval.actions.map(blankDecision);
  return [
    ...own,
    { ...untouched, kind: "note", text: "" },
    { ...untouched, kind: "reply", text: "" },
    { ...untouched, kind: "reason", text: "" },
  ];
}

function blankAnswer({ id }: Question): AnswerPart {
  const fields = { selected: [], own: false, text: "", note: "", skipped: false };
  return { at: 0, surface: "", kind: "answer", id, ...fields };
}

function blankDecision({ id, args }: Action): DecisionPart {
  return {
    at: 0,
    surface: "",
    kind: "decision",
    id,
    decision: null,
    args: argsText(args),
    message: "",
    remember: "",
  };
}

/** An answer with whatever does not fit its question left out. */
export function fitAnswer(part: AnswerPart, question: Question, allowPartial: boolean): AnswerPart {
  const choices = choicesOf(question);
  const selected = choices.map(({ id }) => id).filter((id) => part.selected.includes(id));
  const typed = takesText(question);
  return {
    ...part,
    selected: question.multiSelect ? selected : selected.slice(0, 1),
    own: typed && part.own,
    text: typed ? part.text : "",
    skipped: allowPartial && part.skipped,
  };
}

/** A decision with whatever its action does not allow left out. */
export function fitDecision(part: DecisionPart, action: Action): DecisionPart {
  const may = (kind: DecisionKind): boolean => action.allow.includes(kind);
  return {
    ...part,
    decision: part.decision !== null && may(part.decision) ? part.decision : null,
    args: may("edit") ? part.args : argsText(action.args),
    message: may("reject") ? part.message : "",
  };
}

/** Whether two are versions of the same part. */
export function samePart(one: Part, other: Part): boolean {
  return one.kind === other.kind && idOf(one) === idOf(other);
}

export function idOf(part: Part): string | undefined {
  return "id" in part ? part.id : undefined;
}

/** Positive if `one` is the later version. Equal stamps are ordered by content, so that all surfaces agree. */
export function compareParts(one: Part, other: Part): number {
  if (one.at !== other.at) return one.at - other.at;
  return order(one.surface, other.surface) || order(contentOf(one), contentOf(other));
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Everything of a part but its stamp. */
function contentOf(part: Part): string {
  switch (part.kind) {
    case "answer":
      return JSON.stringify([part.selected, part.own, part.text, part.note, part.skipped]);
    case "decision":
      return JSON.stringify([part.decision, part.args, part.message, part.remember]);
    default:
      return part.text;
  }
}

/** The state with a part replaced and stamped; the same state where nothing in the part changes. */
export function changePart(state: FormState, index: number, changed: Part, now: number): FormState {
  const current = state.parts[index];
  if (current === undefined || contentOf(current) === contentOf(changed)) return state;
  // Later than what it changes, also where another surface's clock is ahead of ours.
  const time = Number.isFinite(now) ? Math.min(Math.max(0, Math.floor(now)), MOST_AT) : 0;
  const stamped: Part = { ...changed, at: Math.max(time, current.at + 1), surface: state.surface };
  return {
    ...state,
    parts: state.parts.with(index, stamped),
    touched: state.touched.with(index, true),
    refusal: null,
  };
}

/**
 * The state with every part that is later in `incoming`. A part that was changed here and loses is kept, so
 * that its text can be taken back.
 */
export function mergeParts(state: FormState, incoming: readonly Part[]): FormState {
  let { parts, touched, kept } = state;
  incoming.forEach((part, index) => {
    const current = parts[index];
    if (current === undefined || !samePart(current, part) || compareParts(part, current) <= 0) return;
    if (touched[index] && losesContent(current, part, state.ask)) kept = keep(state.ask, kept, current);
    parts = parts.with(index, part);
    touched = touched.with(index, false);
  });
  return { ...state, parts, touched, kept, saved: incoming };
}

/** Whether a choice or a text would be gone. Another surface often only adds to what it was shown. */
function losesContent(before: Part, after: Part, ask: FormAsk): boolean {
  const losesText = (one: string, other: string): boolean => !other.includes(one);
  if (before.kind === "answer" && after.kind === "answer") {
    const choice = ({ selected, own, skipped }: AnswerPart): string =>
      JSON.stringify([selected, own, skipped]);
    const hasChoice = before.selected.length > 0 || before.own || before.skipped;
    return (
      (hasChoice && choice(before) !== choice(after)) ||
      losesText(before.text, after.text) ||
      losesText(before.note, after.note)
    );
  }
  if (before.kind === "decision" && after.kind === "decision") {
    const blank = blankParts(ask).find((part) => samePart(part, before));
    const isEdited = blank?.kind === "decision" && blank.args !== before.args;
    return (
      (before.decision !== null && before.decision !== after.decision) ||
      (isEdited && before.args !== after.args) ||
      losesText(before.message, after.message)
    );
  }
  return "text" in before && "text" in after && losesText(before.text, after.text);
}

/** Swaps a part with one that was kept of it; the version that stood before is kept in turn. */
export function recallPart(state: FormState, index: number, now: number): FormState {
  const wanted = state.kept[index];
  const place = wanted === undefined ? -1 : state.parts.findIndex((part) => samePart(part, wanted));
  const current = state.parts[place];
  if (wanted === undefined || current === undefined) return state;
  const recalled = changePart(state, place, wanted, now);
  return { ...recalled, kept: keep(state.ask, state.kept.toSpliced(index, 1), current) };
}

function keep(ask: FormAsk, kept: readonly Part[], part: Part): readonly Part[] {
  const blank = blankParts(ask).find((one) => samePart(one, part));
  if (blank === undefined || contentOf(blank) === contentOf(part)) return kept;
  const others = kept.filter((other) => !(samePart(other, part) && contentOf(other) === contentOf(part)));
  const versions = others.filter((other) => samePart(other, part));
  const oldest = versions.length < MOST_KEPT ? undefined : versions.at(-1);
  return [part, ...others.filter((other) => other !== oldest)];
}
