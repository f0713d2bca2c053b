// The keys of a text field, as readline has them, with those that other editors have taught.

import type { EditorAction } from "./editor.js";
import { typedText } from "./key-sequences.js";
import type { KeyEvent } from "./keys.js";

const ACTIONS: Readonly<Record<string, EditorAction>> = {
  left: { kind: "move", to: "left" },
  "ctrl+b": { kind: "move", to: "left" },
  right: { kind: "move", to: "right" },
  "ctrl+f": { kind: "move", to: "right" },
  "alt+b": { kind: "move", to: "word left" },
  "alt+left": { kind: "move", to: "word left" },
  "ctrl+left": { kind: "move", to: "word left" },
  "alt+f": { kind: "move", to: "word right" },
  "alt+right": { kind: "move", to: "word right" },
  "ctrl+right": { kind: "move", to: "word right" },
  home: { kind: "move", to: "line start" },
  "ctrl+a": { kind: "move", to: "line start" },
  end: { kind: "move", to: "line end" },
  "ctrl+e": { kind: "move", to: "line end" },
  "alt+<": { kind: "move", to: "text start" },
  "ctrl+home": { kind: "move", to: "text start" },
  "alt+>": { kind: "move", to: "text end" },
  "ctrl+end": { kind: "move", to: "text end" },
  backspace: { kind: "delete", to: "left" },
  "ctrl+h": { kind: "delete", to: "left" },
  delete: { kind: "delete", to: "right" },
  "ctrl+d": { kind: "delete", to: "right" },
  "alt+backspace": { kind: "kill", to: "word left" },
  "ctrl+backspace": { kind: "kill", to: "word left" },
  "ctrl+w": { kind: "kill", to: "blank word left" },
  "alt+d": { kind: "kill", to: "word right" },
  "ctrl+delete": { kind: "kill", to: "word right" },
  "ctrl+k": { kind: "kill", to: "line end" },
  "ctrl+u": { kind: "kill", to: "line start" },
  "ctrl+y": { kind: "yank" },
  // Ctrl+/ is the same key to most terminals.
  "ctrl+_": { kind: "undo" },
  "ctrl+/": { kind: "undo" },
  // Terminals that cannot send Shift+Enter are often set up to send one of the others.
  "ctrl+j": { kind: "insert", text: "\n" },
  "alt+enter": { kind: "insert", text: "\n" },
  "shift+enter": { kind: "insert", text: "\n" },
};

/**
 * What a key does in a text field; undefined for one that means nothing there, such as Enter and Tab, and the keys
 * up and down, which depend on the layout (`rowAbove` and `rowBelow`).
 */
export function editorAction(event: KeyEvent): EditorAction | undefined {
  if (event.kind === "paste") return { kind: "insert", text: event.text };
  const text = typedText(event);
  if (text !== undefined) return { kind: "insert", text };
  const { key, ctrl, alt, shift } = event;
  const modifiers = `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}`;
  // Shift selects in other editors; without a selection it changes nothing, except for a new line.
  const shifted = shift && key === "enter" ? "shift+" : "";
  return Object.hasOwn(ACTIONS, `${modifiers}${shifted}${key}`)
    ? ACTIONS[`${modifiers}${shifted}${key}`]
    : undefined;
}
