import type { Issue } from "../../core/kit/issue.js";
import type { ErrorCode } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { TextField } from "./state.js";

/**
 * What can happen to a form. Where an event takes an `id`, it is the question's or the action's, and the
 * current step's where it is left out; so a page that shows several steps at once can name any of them.
 */
export type FormEvent =
  // Moving changes no answer.
  /** Moves the cursor by rows; stops at the first and the last. */
  | { readonly type: "move"; readonly by: number }
  /** Puts the cursor on a row. */
  | { readonly type: "focus"; readonly row: string }
  /** Opens a step, whether or not the current one is finished. Stops at the first and the last. */
  | { readonly type: "go"; readonly step: number }
  /** Leaves the current step if it is finished, and shows what is missing if not; sends where it is the only one. */
  | { readonly type: "next" }
  | { readonly type: "back" }
  | { readonly type: "review" }
  /** Takes the row under the cursor and goes on: Enter. */
  | { readonly type: "confirm" }
  /** Leaves the text field, then the panel: Escape. Never leaves the form. */
  | { readonly type: "leave" }
  // Answering.
  /** Chooses a row (the one under the cursor), and replaces the choice of a single-select question. */
  | { readonly type: "pick"; readonly row?: string; readonly id?: string }
  /** As `pick`, but takes a pick of a multi-select question back if it is there. */
  | { readonly type: "toggle"; readonly row?: string; readonly id?: string }
  /** The whole text of a field, after each change. */
  | {
      readonly type: "type";
      readonly field: TextField;
      readonly text: string;
      readonly id?: string | undefined;
    }
  /** Takes the choice or the decision back; with a field, puts that text back to what it was at first. */
  | { readonly type: "clear"; readonly field?: TextField; readonly id?: string }
  /** Leaves a question out, where the ask allows it, and goes on; sends nothing. */
  | { readonly type: "skip"; readonly id?: string }
  /** Picks every option of a multi-select question; where all are picked, none. */
  | { readonly type: "all"; readonly id?: string }
  /** Picks what is recommended: for one question, or for every question that has no answer yet. */
  | { readonly type: "recommended"; readonly id?: string; readonly all?: boolean }
  /** Opens the note of the question; where it has none, the overall note. */
  | { readonly type: "note" }
  | { readonly type: "approve"; readonly id?: string }
  | { readonly type: "edit"; readonly id?: string }
  | { readonly type: "reject"; readonly id?: string }
  /** For how long the decision counts: one of `remembersOf` the form, or empty for only this time. */
  | { readonly type: "remember"; readonly remember: string }
  /**
   * An action has been on the screen with all of these arguments, at once or part by part: `argsText` of the action's,
   * or the text of the field with the changed ones. Only surfaces with `reportsShown` send it.
   */
  | { readonly type: "shown"; readonly id: string; readonly args: string }
  // Ending.
  /** Opens the panel in which a person talks instead of answering. */
  | { readonly type: "reply" }
  /** Opens the panel in which a person declines. */
  | { readonly type: "decline" }
  /** Sends the panel, or everything, from anywhere; opens the first step with a problem if there is one. */
  | { readonly type: "submit" }
  /** The server did not take what was sent. An `AsklineError` is such an error. */
  | { readonly type: "refused"; readonly error: RefusedError }
  /** The ask has ended, here or elsewhere. */
  | { readonly type: "settled"; readonly outcome: Outcome }
  // Drafts.
  /** The draft as the server has it now. */
  | { readonly type: "merge"; readonly draft: unknown }
  /** The server has taken this draft. */
  | { readonly type: "saved"; readonly draft: unknown }
  /** Takes back what a later save from elsewhere has replaced: an index into `state.kept`. */
  | { readonly type: "recall"; readonly kept: number }
  /** Drops it. */
  | { readonly type: "forget"; readonly kept: number };

export interface RefusedError {
  readonly code: ErrorCode;
  readonly issues?: readonly Issue[];
  readonly outcome?: Outcome;
}

export type FormEventType = FormEvent["type"];
