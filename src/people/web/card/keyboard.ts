// Keys, as in the terminal: the form knows what they mean. What a browser does by itself stays: Tab moves the focus,
// a button takes Enter and Space, and a text field takes what is text.

import type { FormEvent } from "../../form/event.js";
import { eventForKey, keyName } from "../../form/keys.js";
import type { FormState } from "../../form/state.js";

/** What a key means at the element that has the focus; undefined where the browser is left to it. */
export function eventOfKey(
  state: FormState,
  event: KeyboardEvent,
  focused: Element | undefined,
): FormEvent | undefined {
  // 229: the key belongs to an input method, also in browsers that end the composition before the key.
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return undefined;
  const inText = focused instanceof HTMLTextAreaElement;
  const ctrl = event.ctrlKey || event.metaKey;
  const name = keyName({ key: event.key, ctrl, alt: event.altKey, shift: event.shiftKey });
  if (name === "tab" || name === "shift+tab") return undefined;
  if (event.repeat && !/^(up|down|j|k)$/.test(name)) return undefined;
  if (inText && !reachesForm(name, focused)) return undefined;
  if (!ctrl && hasOwnKeys(focused, name)) return undefined;
  const isCommand = focused instanceof HTMLButtonElement || focused instanceof HTMLAnchorElement;
  if (
    (name === "enter" || name === "space") &&
    !inText &&
    (isCommand || !(focused instanceof HTMLInputElement))
  )
    return undefined;
  return eventForKey({ ...state, typing: inText }, name);
}

/** A list takes arrows and letters; a region that scrolls takes arrows. */
function hasOwnKeys(focused: Element | undefined, name: string): boolean {
  if (focused instanceof HTMLSelectElement) return true;
  return focused?.matches("[tabindex='0'], dl") === true && /up|down|left|right|home|end/.test(name);
}

/** In a text field the arrows move the caret until it is at an end, and a phone's Enter is a line break. */
function reachesForm(name: string, { value, selectionStart, selectionEnd }: HTMLTextAreaElement): boolean {
  if (name === "up") return selectionStart === 0 && selectionEnd === 0;
  if (name === "down") return selectionStart === value.length;
  if (name === "enter") return !matchMedia("(pointer: coarse)").matches;
  return true;
}
