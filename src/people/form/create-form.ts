import { readDraft } from "./draft.js";
import { arrive } from "./navigate.js";
import { blankParts } from "./parts.js";
import type { FormAsk, FormState } from "./state.js";

export interface FormOptions {
  /** The name of this surface, such as `terminal`; another surface shows it beside what was typed here. */
  readonly surface: string;
  /** What was saved before, here or on another surface: any JSON. */
  readonly draft?: unknown;
  /** Picking the answer to a single-select question, or approving, also goes on. */
  readonly answerOnPick?: boolean;
  /** This surface shows for how long a decision counts (`remembersOf`), and a person can change it. */
  readonly remembers?: boolean;
  /** This surface sends `shown` for actions that have been on the screen; no other can be approved then. */
  readonly reportsShown?: boolean;
}

/** A form for an ask, at its first step or where the draft left it; closed if the ask has ended. */
export function createForm(
  ask: FormAsk,
  { surface, draft, answerOnPick = false, remembers = false, reportsShown = false }: FormOptions,
): FormState {
  const { parts, step } =
    draft === undefined || draft === null ? { parts: blankParts(ask), step: 0 } : readDraft(ask, draft);
  const state: FormState = {
    ask,
    surface,
    answerOnPick,
    remembers,
    reportsShown,
    phase:
      ask.outcome === undefined ? { kind: "open" } : { kind: "settled", outcome: ask.outcome, ours: false },
    panel: "steps",
    step,
    cursor: "",
    typing: false,
    detour: false,
    parts,
    touched: parts.map(() => false),
    saved: parts,
    kept: [],
    tried: [],
    shown: [],
    notice: null,
    refusal: null,
  };
  return arrive(state);
}
