// Where the focus goes: to the heading of what comes next, or to the row under the cursor.

import type { FormState } from "../../form/state.js";

/** Names what is shown; with another, the focus goes to its heading. */
export function placeOf({ phase, panel, step, ask }: FormState): string {
  if (phase.kind === "settled") return "settled";
  return ask.approval === undefined || panel !== "steps"
    ? `${panel} ${panel === "steps" ? step : ""}`
    : "actions";
}

/** `isNew`: another place is shown than before. */
export function moveFocus(shadow: ShadowRoot, state: FormState, isNew: boolean): void {
  const { cursor, typing, ask, step, panel, phase } = state;
  const heading = shadow.querySelector<HTMLElement>("#title");
  const id = panel === "steps" ? ask.approval?.actions[step]?.id : undefined;
  const rows = [...shadow.querySelectorAll<HTMLElement>("[data-row]")].filter(
    ({ dataset }) => dataset.row === cursor && (dataset.id === undefined || dataset.id === id),
  );
  const row = rows.find((one) => one instanceof HTMLTextAreaElement === typing);
  // A panel is opened to write in it.
  const target =
    isNew && (panel === "steps" || phase.kind === "settled") ? heading : (row ?? rows[0] ?? heading);
  if (target !== shadow.activeElement) target?.focus();
}
