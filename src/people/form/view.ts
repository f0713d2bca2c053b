// What a surface shows of a form, and what works in it now. No words: those are the surfaces'.

import type { ErrorCode } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { canPickAll, canSkip, hasRecommended } from "./answering.js";
import { isDone, type Mark, markOf, panelIssues } from "./check.js";
import type { FormEventType } from "./event.js";
import { samePart } from "./parts.js";
import { type Row, rowsOf, shownIssues, stepNumber, stepOfIssue } from "./rows.js";
import { type FormIssue, type FormState, type Panel, type Part, type Step, stepsOf } from "./state.js";

/** One step in the header. */
export interface Chip {
  readonly step: number;
  readonly kind: Step["kind"];
  /** The question's header or the action's name, as the model wrote it, if it wrote one. */
  readonly label?: string | undefined;
  readonly current: boolean;
  /** `blank` may stay so, `open` may not, `problem` is shown. The review is `done` when nothing is open. */
  readonly mark: Mark | "problem";
}

/** The intents of a person that `can` tells about. */
export type Intent = Exclude<FormEventType, "refused" | "settled" | "merge" | "saved" | "remember" | "shown">;

/** One step, or an open panel. */
export interface StepView {
  readonly step: Step;
  readonly rows: readonly Row[];
  /** All problems to show here: those of the rows, and those with the choice (`field: "choice"`). */
  readonly issues: readonly FormIssue[];
  /** How many picks the question takes and has; where it takes several. */
  readonly picks?:
    | { readonly min: number; readonly max?: number | undefined; readonly count: number }
    | undefined;
  /** The surface that the content came from, where it is another one. */
  readonly from?: string | undefined;
  /** What was typed here and then replaced from elsewhere; `recall` takes the index. */
  readonly kept: readonly { readonly index: number; readonly part: Part }[];
}

export interface FormView extends StepView {
  readonly phase: "open" | "sending" | "settled";
  readonly panel: Panel;
  readonly chips: readonly Chip[];
  /** Which intents would do something now. */
  readonly can: Readonly<Record<Intent, boolean>>;
  /** Questions or actions that are answered, decided or skipped, of all. */
  readonly progress: { readonly done: number; readonly total: number };
  /** Why the server did not take what was sent, until something is changed. */
  readonly refused?: ErrorCode | undefined;
  /** How it ended. `ours` is false where somebody was faster; the outcome says who, and where. */
  readonly ended?: { readonly outcome: Outcome; readonly ours: boolean } | undefined;
}

/** The view of a form, at the step or panel where the person is. */
export function viewForm(state: FormState): FormView {
  const { ask, parts, phase, panel, refusal } = state;
  const current = viewPlace(state);
  const own = parts.filter(({ kind }) => kind === "answer" || kind === "decision");
  return {
    ...current,
    phase: phase.kind,
    panel,
    chips: chipsOf(state),
    can: canOf(state, current.rows),
    progress: { done: own.filter((part) => isDone(ask, part)).length, total: own.length },
    refused: refusal?.code,
    ended: phase.kind === "settled" ? { outcome: phase.outcome, ours: phase.ours } : undefined,
  };
}

/**
 * The view of one step, for a page that shows several at once. Its rows are addressed with the `id` of the
 * question or action; only the current step has the cursor.
 */
export function viewStep(state: FormState, step: number): StepView {
  if (state.panel === "steps" && state.step === step) return viewPlace(state);
  const last = stepsOf(state.ask).length - 1;
  const shown = Math.min(Math.max(0, step), last);
  return viewPlace({ ...state, panel: "steps", step: shown, cursor: "", typing: false });
}

function viewPlace(state: FormState): StepView {
  const part = state.parts[partPlace(state)];
  const step = stepsOf(state.ask)[state.step] ?? { kind: "review" };
  const isForeign = part !== undefined && part.at > 0 && part.surface !== state.surface;
  return {
    step,
    rows: rowsOf(state),
    issues: shownIssues(state).filter((issue) => stepOfIssue(state, issue) === stepNumber(state)),
    picks: step.kind === "question" ? picksOf(step.question, part) : undefined,
    from: isForeign ? part.surface : undefined,
    kept: state.kept
      .map((one, index) => ({ index, part: one }))
      .filter((one) => part !== undefined && samePart(one.part, part)),
  };
}

function chipsOf(state: FormState): readonly Chip[] {
  const { ask, parts, panel } = state;
  const issues = shownIssues({ ...state, panel: "steps" });
  const problems = new Set(issues.map((issue) => stepOfIssue(state, issue)));
  return stepsOf(ask).map((step, index) => {
    const label =
      step.kind === "question" ? step.question.header : step.kind === "action" ? step.action.name : undefined;
    const part = step.kind === "review" ? undefined : parts[index];
    const isFinished = panelIssues(state, "steps").length === 0;
    const mark = part !== undefined ? markOf(ask, part) : isFinished ? "done" : "open";
    return {
      step: index,
      kind: step.kind,
      label,
      current: panel === "steps" && index === state.step,
      mark: problems.has(index) ? "problem" : mark,
    };
  });
}

function picksOf(question: Question, part: Part | undefined): StepView["picks"] {
  if (!question.multiSelect || part?.kind !== "answer") return undefined;
  const count = part.skipped ? 0 : part.selected.length + (part.own ? 1 : 0);
  const { minPicks: min = 1, maxPicks: max } = question;
  return { min, max, count };
}

/** The place of the part that the step or panel is about; the overall note's in the review. */
function partPlace({ parts, panel, step }: FormState): number {
  const own = parts[step];
  if (panel === "steps" && (own?.kind === "answer" || own?.kind === "decision")) return step;
  const kind = panel === "reply" ? "reply" : panel === "decline" ? "reason" : "note";
  return parts.findIndex((part) => part.kind === kind);
}

function canOf(state: FormState, rows: readonly Row[]): FormView["can"] {
  const open = state.phase.kind === "open";
  const inSteps = open && state.panel === "steps";
  const steps = stepsOf(state.ask);
  const step = inSteps ? steps[state.step] : undefined;
  const part = inSteps ? state.parts[state.step] : undefined;
  const row = rows.find(({ cursor }) => cursor);
  const asks = (test: (question: Question) => boolean): boolean =>
    step?.kind === "question" && test(step.question);
  const allows = (kind: "approve" | "edit" | "reject"): boolean =>
    step?.kind === "action" && step.action.allow.includes(kind);
  const isChosen =
    part?.kind === "answer"
      ? part.selected.length > 0 || part.own || part.skipped
      : part?.kind === "decision" && part.decision !== null;
  return {
    move: open && rows.length > 1,
    focus: open,
    go: inSteps && steps.length > 1,
    next: open,
    back: open && (state.panel !== "steps" || state.step > 0),
    review: inSteps && steps.length > 1 && step?.kind !== "review",
    confirm: open && row !== undefined,
    leave: open && (state.typing || state.panel !== "steps"),
    pick: open && row !== undefined && !row.disabled,
    toggle: open && row !== undefined && !row.disabled,
    type: open && state.typing,
    clear: isChosen,
    skip: inSteps && canSkip(state, state.step),
    all: asks(canPickAll),
    recommended: asks(hasRecommended),
    note: open && rows.some(({ key }) => key === "note" || key === "overall"),
    approve: allows("approve"),
    edit: allows("edit"),
    reject: allows("reject"),
    reply: inSteps,
    decline: inSteps,
    submit: open,
    recall: open && state.kept.length > 0,
    forget: open && state.kept.length > 0,
  };
}
