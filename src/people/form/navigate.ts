// Where the person is: the step or panel, and the row under the cursor. Nothing here changes an answer.

import { isField, isPicked, rowsOf } from "./rows.js";
import { type FormState, stepsOf } from "./state.js";

/** Moves the cursor by rows, and stops at the first and the last. */
export function move(state: FormState, by: number): FormState {
  const rows = rowsOf(state);
  const from = rows.findIndex(({ cursor }) => cursor);
  const to = Math.min(Math.max(0, from + (Number.isNaN(by) ? 0 : Math.trunc(by))), rows.length - 1);
  const row = rows[to];
  return row === undefined || to === from ? state : focus(state, row.key);
}

/** Puts the cursor on a row. A field that it comes to takes the keys at once. */
export function focus(state: FormState, key: string): FormState {
  const row = rowsOf(state).find((one) => one.key === key);
  if (row === undefined || (state.cursor === key && state.typing === isField(row))) return state;
  return { ...state, cursor: key, typing: isField(row) };
}

/** Opens a step, and stops at the first and the last. */
export function go(state: FormState, to: number): FormState {
  const steps = stepsOf(state.ask);
  const from = steps[state.step];
  const step = Math.min(Math.max(0, Number.isNaN(to) ? state.step : Math.trunc(to)), steps.length - 1);
  if (step === state.step && state.panel === "steps") return state;
  return arrive({ ...state, panel: "steps", step, detour: from?.kind === "review" });
}

/**
 * Puts the cursor into a place that was just opened: on what is chosen, else on the first row; in the review on
 * what is not finished, else on the command that sends. At an action that was not decided here it stands on no row:
 * Enter alone approves nothing.
 */
export function arrive(state: FormState): FormState {
  const rows = rowsOf(state);
  const step = stepsOf(state.ask)[state.step];
  const chosen = rows.find(isPicked);
  const unfinished = rows.find((row) => row.kind === "step" && row.mark === "open");
  const submit = rows.find((row) => row.kind === "command" && row.command === "submit");
  const inReview = state.panel === "steps" && step?.kind === "review";
  const row = isAtAction(state)
    ? (state.touched[state.step] && chosen) || undefined
    : ((inReview ? (unfinished ?? submit) : chosen) ?? rows[0]);
  return { ...state, cursor: row?.key ?? "", typing: isField(row) };
}

/** Goes back from a panel to the steps. */
export function closePanel(state: FormState): FormState {
  return state.panel === "steps" ? state : arrive({ ...state, panel: "steps" });
}

/**
 * A choice that was not made with the cursor takes the cursor with it, so that Enter sends what is marked; one about an
 * action leaves no row under the cursor. In a text field the cursor stays: its keys are text.
 */
export function followChoice(before: FormState, after: FormState): FormState {
  const { ask, panel, step, typing } = after;
  const part = after.parts[step];
  if (typing || panel !== "steps" || part === before.parts[step]) return after;
  if (part?.kind === "decision") return { ...after, cursor: "" };
  const [was, is] = [before, after].map((state) => rowsOf(state).find(isPicked)?.key);
  return is === undefined || is === was || ask.questions[step]?.multiSelect
    ? after
    : { ...after, cursor: is };
}

/** Rows come and go with decisions and drafts; the cursor stays on one that is there. */
export function withCursor(state: FormState): FormState {
  const row = rowsOf(state).find(({ cursor }) => cursor);
  if (row === undefined) return state.cursor === "" && isAtAction(state) ? state : arrive(state);
  return state.typing && !isField(row) ? { ...state, typing: false } : state;
}

function isAtAction({ ask, panel, step }: FormState): boolean {
  return panel === "steps" && stepsOf(ask)[step]?.kind === "action";
}
