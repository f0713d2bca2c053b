import { type Answerer, type AskRequest, type Clock, toOutcome } from "../core/index.js";
import { createForm, type FormState, updateForm } from "../form/index.js";
import type { FormDriver } from "./rich/rich-form.js";

/** A form that no server keeps: what it sends is the outcome. */
export function localForm(
  ask: AskRequest,
  { by, clock, onChange }: { readonly by: Answerer; readonly clock: Clock; readonly onChange: () => void },
): FormDriver {
  const surface = by.kind === "person" ? by.surface : "terminal";
  let state: FormState = createForm(ask, { surface, reportsShown: true });
  return {
    get state() {
      return state;
    },
    saving: "saved",
    dispatch(event) {
      const before = state;
      state = updateForm(state, event, clock.now());
      if (state.phase.kind === "sending") {
        const outcome = toOutcome(state.phase.ending, by);
        state = updateForm(state, { type: "settled", outcome }, clock.now());
      }
      if (state !== before) onChange();
    },
  };
}
