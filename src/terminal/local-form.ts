import type { Answerer, AskRequest, Clock, Outcome } from "../core/index.js";
import { createForm, type FormState, type FormSubmission, updateForm } from "../form/index.js";
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
        const outcome = outcomeOf(state.phase.submission, by);
        state = updateForm(state, { type: "settled", outcome }, clock.now());
      }
      if (state !== before) onChange();
    },
  };
}

function outcomeOf(sent: FormSubmission, by: Answerer): Outcome {
  switch (sent.kind) {
    case "answer":
      return { kind: "answered", ...sent.submission, by };
    case "decide":
      return { kind: "decided", ...sent.submission, by };
    case "decline":
      return { kind: "declined", ...(sent.reason !== undefined && { reason: sent.reason }), by };
    case "reply":
      return { kind: "replied", text: sent.text, by };
  }
}
