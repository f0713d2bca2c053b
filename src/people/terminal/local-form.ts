import type { Clock } from "../../core/kit/clock.js";
import type { AskRequest } from "../../core/model/ask.js";
import { toOutcome } from "../../core/model/ending.js";
import type { Answerer } from "../../core/model/outcome.js";
import { createForm } from "../form/create-form.js";
import type { FormState } from "../form/state.js";
import { updateForm } from "../form/update.js";
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
