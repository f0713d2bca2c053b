// The one transition of a form. Behaviour that every surface shares is decided here: what Enter, Escape, going
// back and sending do. Which key means which event is in keys.ts.

import { isBlank } from "../../core/kit/fold.js";
import { toOutcome, type ValidEnding } from "../../core/model/ending.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import type { Outcome } from "../../core/model/outcome.js";
import { sameOutcome } from "../../core/rules/lifecycle.js";
import {
  canSkip,
  choose,
  clear,
  decide,
  leaveBlankText,
  pickAll,
  placeOf,
  recommend,
  recommendAll,
  skip,
  typeText,
} from "./answering.js";
import { checkForm, isDone, issuesOf, serverIssues } from "./check.js";
import { readDraft } from "./draft.js";
import type { FormEvent } from "./event.js";
import { argsText } from "./json-text.js";
import { arrive, closePanel, focus, followChoice, go, move, withCursor } from "./navigate.js";
import { changePart, compareParts, mergeParts, recallPart } from "./parts.js";
import {
  isField,
  isPicked,
  keyOfIssue,
  optionKey,
  PANEL_STEP,
  type Row,
  rowsOf,
  stepNumber,
  stepOfIssue,
  TEXT_KEY,
} from "./rows.js";
import { type FormIssue, type FormState, stepsOf } from "./state.js";

/** What an event makes of a form at a moment, in milliseconds since the epoch. */
export function updateForm(state: FormState, event: FormEvent, now: number): FormState {
  if (state.phase.kind === "settled") return state;
  switch (event.type) {
    case "settled":
      return settle(state, event.outcome);
    case "refused": {
      const { code, outcome, issues = [] } = event.error;
      if (outcome !== undefined) return settle(state, outcome);
      const refusal = { code, issues: serverIssues(state, issues) };
      return show({ ...state, phase: { kind: "open" }, refusal }, refusal.issues);
    }
    case "merge":
      return withCursor(followChoice(state, mergeParts(state, readDraft(state.ask, event.draft).parts)));
    case "shown":
      return withShown(state, event);
    case "saved": {
      const parts = readDraft(state.ask, event.draft).parts;
      const later = state.saved.map((known, index) => {
        const part = parts[index];
        return part !== undefined && compareParts(part, known) > 0 ? part : known;
      });
      return { ...state, saved: later };
    }
  }
  if (state.phase.kind === "sending") return state;
  const clean = state.notice === null ? state : { ...state, notice: null };
  return withCursor(tidy(clean, react(clean, event, now), now));
}

type PersonEvent = Exclude<FormEvent, { type: "settled" | "refused" | "merge" | "saved" | "shown" }>;

function react(state: FormState, event: PersonEvent, now: number): FormState {
  switch (event.type) {
    case "move":
      return move(state, event.by);
    case "focus":
      return focus(state, event.row);
    case "go":
      return go(state, event.step);
    case "next":
      return next(state);
    case "back":
      return state.panel === "steps" ? go(state, state.step - 1) : closePanel(state);
    case "review": {
      const last = stepsOf(state.ask).length - 1;
      return last === 0 ? state : go(state, last);
    }
    case "confirm":
      return confirm(state, now);
    case "leave":
      return state.typing ? { ...state, typing: false } : closePanel(state);
    case "pick":
    case "toggle":
      return pick(state, event, now);
    case "type": {
      const typed = typeText(state, placeOf(state, event.id), event.field, event.text, now);
      const row = rowsOf(typed).find((one) => isField(one) && one.field === event.field);
      return row !== undefined && isCurrent(state, event.id) ? focus(typed, row.key) : typed;
    }
    case "clear":
      return clear(state, placeOf(state, event.id), event.field, now);
    case "skip": {
      const place = placeOf(state, event.id);
      if (!canSkip(state, place)) return state;
      const skipped = skip(state, place, true, now);
      if (!isCurrent(state, event.id)) return skipped;
      // Going on from the only step would send: that takes a key of its own.
      return stepsOf(state.ask).length === 1 ? focus(skipped, "submit") : next(skipped);
    }
    case "all":
      return pickAll(state, placeOf(state, event.id), now);
    case "recommended":
      return followChoice(
        state,
        event.all ? recommendAll(state, now) : recommend(state, placeOf(state, event.id), now),
      );
    case "note": {
      const rows = rowsOf(state);
      return focus(state, rows.some(({ key }) => key === "note") ? "note" : "overall");
    }
    case "approve":
    case "edit":
    case "reject": {
      const decided = decide(state, placeOf(state, event.id), event.type, now);
      if (!isCurrent(state, event.id)) return decided;
      const opened = focus(decided, DECISION_ROWS[event.type]);
      return event.type === "approve" ? goOnAfter(state, opened, event.id) : opened;
    }
    case "remember": {
      // Only the decision about a single action is remembered.
      const [part] = state.parts;
      if (part?.kind !== "decision") return state;
      return changePart(state, 0, { ...part, remember: event.remember }, now);
    }
    case "reply":
    case "decline":
      return arrive({ ...state, panel: event.type, tried: without(state.tried, PANEL_STEP) });
    case "submit":
      return submit(state);
    case "recall":
      return followChoice(state, recallPart(state, event.kept, now));
    case "forget":
      return state.kept[event.kept] === undefined
        ? state
        : { ...state, kept: state.kept.toSpliced(event.kept, 1) };
  }
}

function next(state: FormState): FormState {
  const steps = stepsOf(state.ask);
  const part = state.parts[state.step];
  if (state.panel !== "steps" || steps.length === 1 || steps[state.step]?.kind === "review")
    return submit(state);
  const [issue] = part === undefined ? [] : issuesOf(state, [part]);
  if (issue !== undefined) return show(state, [issue]);
  return go(state, state.detour ? steps.length - 1 : state.step + 1);
}

function submit(state: FormState): FormState {
  const checked = checkForm(state);
  if (!checked.ok) return show(state, checked.issues);
  return {
    ...state,
    phase: { kind: "sending", ending: checked.ending },
    typing: false,
    refusal: null,
  };
}

/** Opens the first step that has a problem, and shows all of them. */
function show(state: FormState, issues: readonly FormIssue[]): FormState {
  const [first] = issues;
  if (first === undefined) return state;
  const steps = issues.map((issue) => stepOfIssue(state, issue));
  const tried = { ...state, tried: [...new Set([...state.tried, ...steps])] };
  const [target = PANEL_STEP] = steps;
  const opened = target === PANEL_STEP || target === stepNumber(state) ? tried : go(tried, target);
  // A missing choice leaves the cursor where it is: it stands among the options already.
  return first.field === "choice" ? opened : focus(opened, keyOfIssue(state, first) ?? "");
}

/** Where something else is marked, Enter only marks the row; the next one goes on. So it sends what is marked. */
function confirm(state: FormState, now: number): FormState {
  const rows = rowsOf(state);
  const row = rows.find(({ cursor }) => cursor);
  const goOn = (marked: FormState): FormState =>
    row === undefined || isPicked(row) || !rows.some(isPicked) ? next(marked) : marked;
  switch (row?.kind) {
    case "option": {
      const step = stepsOf(state.ask)[state.step];
      const isMulti = step?.kind === "question" && step.question.multiSelect;
      return isMulti ? next(state) : goOn(choose(state, state.step, row.key, "pick", now));
    }
    case "text":
      if (!isBlank(row.value)) return goOn(choose(state, state.step, row.key, "pick", now));
      return state.typing ? next(state) : pick(state, { type: "pick" }, now);
    case "decision":
      if (row.decision === "approve") return goOn(decide(state, state.step, "approve", now));
      return react(state, { type: row.decision }, now);
    case "field":
      if (!state.typing) return { ...state, typing: true };
      if (row.field === "note" || row.field === "overall") return afterNote(state);
      // Another decision was marked elsewhere while the reason was typed.
      if (row.field === "message" && row.unused) return decide(state, state.step, "reject", now);
      // An empty line never declines: the command does.
      return row.field === "reason" && isBlank(row.value) ? focus(state, "submit") : next(state);
    case "step":
      return go(state, row.step);
    case "command":
      return run(state, row, now);
    case undefined:
      return state;
  }
}

/** Back to what is chosen, so that the next Enter goes on; a note alone never makes it a choice. */
function afterNote(state: FormState): FormState {
  const isChosen = rowsOf(state).some(isPicked);
  const inReview = stepsOf(state.ask)[state.step]?.kind === "review";
  return isChosen || inReview ? arrive(state) : { ...state, typing: false };
}

/** The row that a decision leads to: editing and rejecting go on in a text field. */
const DECISION_ROWS = { approve: "approve", edit: "args", reject: "message" } satisfies Record<
  DecisionKind,
  string
>;

function pick(
  state: FormState,
  {
    type: way,
    row: key,
    id,
  }: { readonly type: "pick" | "toggle"; readonly row?: string; readonly id?: string },
  now: number,
): FormState {
  if (!isCurrent(state, id)) {
    return key === undefined ? state : choose(state, placeOf(state, id), key, way, now);
  }
  const wanted = key === undefined ? state.cursor : rowKey(state, key);
  const row = rowsOf(state).find((one) => one.key === wanted);
  switch (row?.kind) {
    case undefined:
      return state;
    case "option":
    case "text": {
      const chosen = focus(choose(state, state.step, row.key, way, now), row.key);
      return row.kind === "option" && way === "pick" ? goOnAfter(state, chosen, id) : chosen;
    }
    case "decision": {
      const decided = focus(decide(state, state.step, row.decision, now), row.key);
      return row.decision === "approve" && way === "pick" ? goOnAfter(state, decided, id) : decided;
    }
    case "field":
      return focus(state, row.key);
    case "step":
      return go(state, row.step);
    case "command":
      if (row.command === "skip") return focus(skip(state, state.step, !row.picked, now), row.key);
      return run(state, row, now);
  }
}

function run(state: FormState, { command }: Extract<Row, { kind: "command" }>, now: number): FormState {
  return react(state, { type: command }, now);
}

/** The option that stands for the text field is shown as the text field. */
function rowKey({ ask, step }: FormState, key: string): string {
  const input = ask.questions[step]?.options.find((option) => option.input);
  return input !== undefined && optionKey(input.id) === key ? TEXT_KEY : key;
}

/** Goes on by itself after a pick that is the whole answer, where the form is made so. */
function goOnAfter(before: FormState, after: FormState, id: string | undefined): FormState {
  const step = stepsOf(after.ask)[after.step];
  const isWhole = step?.kind === "action" || (step?.kind === "question" && !step.question.multiSelect);
  const part = after.parts[after.step];
  if (!before.answerOnPick || !isCurrent(before, id) || !isWhole) return after;
  return part !== undefined && isDone(after.ask, part) ? next(after) : after;
}

/** Whether an id means the step that is shown now. */
function isCurrent(state: FormState, id: string | undefined): boolean {
  return id === undefined || (state.panel === "steps" && placeOf(state, id) === state.step);
}

/** A text field that was chosen and left empty is no longer chosen. */
function tidy(before: FormState, after: FormState, now: number): FormState {
  if (before.cursor !== TEXT_KEY || before.panel !== "steps" || after.phase.kind !== "open") return after;
  const stays = after.step === before.step && after.panel === "steps" && after.cursor === TEXT_KEY;
  return stays && (after.typing || !before.typing) ? after : leaveBlankText(after, before.step, now);
}

function settle(state: FormState, outcome: Outcome): FormState {
  const { phase } = state;
  const ours = phase.kind === "sending" && isOutcomeOf(phase.ending, outcome);
  return { ...state, phase: { kind: "settled", outcome, ours }, typing: false, refusal: null, notice: null };
}

/** Whether an ask ended so: the stream may report it before the call that sent it returns. */
function isOutcomeOf(sent: ValidEnding, outcome: Outcome): boolean {
  return "by" in outcome && sameOutcome(toOutcome(sent, outcome.by), outcome);
}

/** Of an action, the agent's arguments and the last changed ones are remembered as shown. */
function withShown(
  state: FormState,
  { id, args }: { readonly id: string; readonly args: string },
): FormState {
  const { shown, ask } = state;
  if (shown.some((one) => one.id === id && one.args === args)) return state;
  const action = ask.approval?.actions.find((one) => one.id === id);
  if (action === undefined) return state;
  const own = argsText(action.args);
  const kept = args === own ? shown : shown.filter((one) => one.id !== id || one.args === own);
  return { ...state, shown: [...kept, { id, args }] };
}

function without(numbers: readonly number[], number: number): readonly number[] {
  return numbers.filter((one) => one !== number);
}
