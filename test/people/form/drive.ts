// Drives a form as a surface does, on a clock that moves by a second with each event.

import { type AskInput, requireAsk, type ValidEnding } from "../../../src/index.js";
import { checkForm } from "../../../src/people/form/check.js";
import { createForm, type FormOptions } from "../../../src/people/form/create-form.js";
import type { FormEvent } from "../../../src/people/form/event.js";
import { eventForKey } from "../../../src/people/form/keys.js";
import type { FormState } from "../../../src/people/form/state.js";
import { updateForm } from "../../../src/people/form/update.js";
import { viewForm } from "../../../src/people/form/view.js";

export const START = 1_800_000_000_000;

export function open(input: AskInput, options: Partial<FormOptions> = {}): FormState {
  return createForm(requireAsk(input), { surface: "terminal", ...options });
}

/** The state after events; each comes a second after whatever was changed last. */
export function drive(state: FormState, ...events: readonly FormEvent[]): FormState {
  return events.reduce((before, event) => updateForm(before, event, nextTime(before)), state);
}

function nextTime({ parts }: FormState): number {
  return Math.max(START, ...parts.map(({ at }) => at)) + 1_000;
}

/** The state after keys. A key that means nothing, or is text, fails the test. */
export function press(state: FormState, ...keys: readonly string[]): FormState {
  return keys.reduce((before, key) => {
    const event = eventForKey(before, key);
    if (event === undefined) throw new Error(`${key} is not a command here`);
    return drive(before, event);
  }, state);
}

export function type(state: FormState, text: string): FormState {
  const row = viewForm(state).rows.find(({ cursor }) => cursor);
  if (row === undefined || !("field" in row) || !row.typing) throw new Error("no field takes keys");
  return drive(state, { type: "type", field: row.field, text });
}

/** What is being sent. */
export function sent(state: FormState): ValidEnding {
  if (state.phase.kind !== "sending") {
    throw new Error(`nothing is being sent: ${JSON.stringify(checkForm(state))}`);
  }
  return state.phase.ending;
}

/** The rows as lines: the cursor, what is picked, the key, what is typed. */
export function lines(state: FormState): readonly string[] {
  return viewForm(state).rows.map((row) => {
    const mark = "picked" in row && row.picked ? "x" : " ";
    const value = "value" in row && row.value !== "" ? ` ${JSON.stringify(row.value)}` : "";
    const flags = [
      row.disabled && "disabled",
      "recommended" in row && row.recommended && "recommended",
      "typing" in row && row.typing && "typing",
      "unused" in row && row.unused && "unused",
      ...row.issues.map(({ code }) => code),
    ].filter((flag) => flag !== false);
    return `${row.cursor ? ">" : " "}${mark} ${row.key}${value}${flags.length === 0 ? "" : ` (${flags.join(", ")})`}`;
  });
}

/** The problems that are shown in the current step. */
export function problems(state: FormState): readonly string[] {
  return viewForm(state).issues.map(({ code, field }) => `${code} at ${field}`);
}

export function marks(state: FormState): string {
  return viewForm(state)
    .chips.map(({ current, mark }) => (current ? `[${mark}]` : mark))
    .join(" ");
}

export const AUTH = {
  question: "Which authentication?",
  header: "Auth",
  options: [
    { label: "OAuth", recommended: true, preview: "curl" },
    { label: "API key", description: "One secret a client" },
  ],
};
export const LANGUAGES = {
  question: "Which languages?",
  header: "SDKs",
  multiSelect: true,
  minPicks: 2,
  maxPicks: 3,
  options: ["Go", "Rust", "Python", "Ruby"],
};
export const WHY = { question: "Why?", header: "Why" };
export const MAIL = {
  approval: {
    actions: [{ name: "send_mail", args: { to: "ana", text: "hi" } }],
  },
};
export const MAIL_AND_DROP = {
  approval: {
    actions: [
      { name: "send_mail", args: { to: "ana" } },
      { name: "drop_table", args: { table: "users" }, allow: ["approve" as const, "reject" as const] },
    ],
  },
};
