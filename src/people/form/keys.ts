// Which key means what, for every surface with a keyboard. A surface gives keys their names, edits text itself
// and hands over what its text field does not use; `eventForKey` knows when a key is text.
//
// Names: one character as typed, or enter, space, escape, tab, backspace, delete, up, down, left, right, home,
// end; before it `ctrl+`, `alt+`, `shift+` in this order. Keypad digits are digits. See `keyName`. Surfaces have
// shift+enter, alt+enter and ctrl+j for a line break in a text.

import type { FormEvent } from "./event.js";
import type { FormState } from "./state.js";
import { type Intent, viewForm } from "./view.js";

export interface KeyBinding {
  readonly intent: Intent;
  /** The first is the one to show; the others are for keyboards and terminals that cannot send it. */
  readonly keys: readonly string[];
  /** Also inside a text field. */
  readonly inText?: true;
  readonly event: (state: FormState) => FormEvent;
}

/** Every key but the digits, which pick (or, of several, toggle) the row with their number. */
export const KEY_BINDINGS: readonly KeyBinding[] = [
  { intent: "move", keys: ["up"], inText: true, event: () => ({ type: "move", by: -1 }) },
  { intent: "move", keys: ["down"], inText: true, event: () => ({ type: "move", by: 1 }) },
  { intent: "move", keys: ["k"], event: () => ({ type: "move", by: -1 }) },
  { intent: "move", keys: ["j"], event: () => ({ type: "move", by: 1 }) },
  { intent: "move", keys: ["home"], event: () => ({ type: "move", by: Number.NEGATIVE_INFINITY }) },
  { intent: "move", keys: ["end"], event: () => ({ type: "move", by: Number.POSITIVE_INFINITY }) },
  { intent: "toggle", keys: ["space"], event: () => ({ type: "toggle" }) },
  { intent: "confirm", keys: ["enter"], inText: true, event: () => ({ type: "confirm" }) },
  { intent: "leave", keys: ["escape"], inText: true, event: () => ({ type: "leave" }) },
  { intent: "go", keys: ["tab"], inText: true, event: ({ step }) => ({ type: "go", step: step + 1 }) },
  { intent: "go", keys: ["shift+tab"], inText: true, event: ({ step }) => ({ type: "go", step: step - 1 }) },
  { intent: "go", keys: ["right"], event: ({ step }) => ({ type: "go", step: step + 1 }) },
  { intent: "go", keys: ["left"], event: ({ step }) => ({ type: "go", step: step - 1 }) },
  {
    intent: "submit",
    keys: ["ctrl+enter", "ctrl+s"],
    inText: true,
    event: () => ({ type: "submit" }),
  },
  { intent: "approve", keys: ["a"], event: () => ({ type: "approve" }) },
  { intent: "edit", keys: ["e"], event: () => ({ type: "edit" }) },
  { intent: "reject", keys: ["x"], event: () => ({ type: "reject" }) },
  { intent: "all", keys: ["*"], event: () => ({ type: "all" }) },
  { intent: "recommended", keys: ["r"], event: () => ({ type: "recommended" }) },
  { intent: "recommended", keys: ["R"], event: () => ({ type: "recommended", all: true }) },
  { intent: "note", keys: ["n"], event: () => ({ type: "note" }) },
  { intent: "clear", keys: ["backspace", "delete"], event: () => ({ type: "clear" }) },
  { intent: "skip", keys: ["s"], event: () => ({ type: "skip" }) },
  { intent: "review", keys: ["v"], event: () => ({ type: "review" }) },
  { intent: "reply", keys: ["c"], event: () => ({ type: "reply" }) },
  { intent: "decline", keys: ["d"], event: () => ({ type: "decline" }) },
];

/**
 * The name of a key, from what a terminal or a browser calls it: `{ key: "ArrowUp" }` is `up`, `{ key: "a", ctrl: true }`
 * is `ctrl+a`. Pass Command as `ctrl`.
 */
export function keyName({
  key,
  ctrl = false,
  alt = false,
  shift = false,
}: {
  readonly key: string;
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}): string {
  const isCharacter = [...key].length === 1 && key !== " ";
  const name = key === " " ? "space" : isCharacter ? key : key.toLowerCase().replace(/^arrow/, "");
  // A character has its Shift in itself.
  const modifiers = [ctrl && "ctrl+", alt && "alt+", shift && !isCharacter && "shift+"];
  return (
    modifiers.filter((modifier) => modifier !== false).join("") + (ctrl || alt ? name.toLowerCase() : name)
  );
}

/** The event that a key means now; undefined where it means nothing, or is text. */
export function eventForKey(state: FormState, key: string): FormEvent | undefined {
  if (!state.typing && /^[1-9]$/.test(key)) {
    const { rows, picks } = viewForm(state);
    const row = rows.find((one) => "number" in one && one.number === Number(key));
    if (row === undefined || row.disabled || state.phase.kind !== "open") return undefined;
    // Of several picks, the same digit takes one back; the text field is always opened.
    return { type: row.kind === "option" && picks !== undefined ? "toggle" : "pick", row: row.key };
  }
  return keysNow(state)
    .find(({ keys }) => keys.includes(key))
    ?.event(state);
}

/** The bindings that would do something now, for a footer or a help page. */
export function keysNow(state: FormState): readonly KeyBinding[] {
  const { can, rows } = viewForm(state);
  // Arguments have lines: a line break in them must not approve them.
  const inArgs = state.typing && rows.some((row) => row.cursor && "field" in row && row.field === "args");
  return KEY_BINDINGS.filter(
    ({ intent, inText }) =>
      can[intent] && (!state.typing || inText === true) && !(inArgs && intent === "confirm"),
  );
}
