// A text field as one pure step: state and action give the next state. The caret always stands between two
// graphemes, and the text never gets longer than it may be.

import { graphemes } from "../../cells/width.js";

export interface EditorState {
  readonly text: string;
  /** An offset in UTF-16 code units, never inside a grapheme. */
  readonly caret: number;
  /** What was killed last, for `yank`. */
  readonly killed: string;
  /** What `undo` goes back to, the latest last. */
  readonly past: readonly Snapshot[];
  /** What the last action was, where the next may continue it. */
  readonly last: "typing" | "killing" | "other";
  /** How many characters of the last insertion there was no room for. */
  readonly refused: number;
}

interface Snapshot {
  readonly text: string;
  readonly caret: number;
}

/** Where an action reaches, from the caret. A blank word ends only at white space. */
export type Reach =
  | "left"
  | "right"
  | "word left"
  | "word right"
  | "blank word left"
  | "line start"
  | "line end"
  | "text start"
  | "text end";

export type EditorAction =
  /** Typed or pasted. Control characters are left out; newlines are spaces in a field of one line. */
  | { readonly kind: "insert"; readonly text: string }
  | { readonly kind: "move"; readonly to: Reach }
  /** For what knows the layout: a row up or down, a click. */
  | { readonly kind: "place"; readonly caret: number }
  | { readonly kind: "delete"; readonly to: Reach }
  /** Deletes what `yank` brings back. Kills that follow one another are one. */
  | { readonly kind: "kill"; readonly to: Reach }
  | { readonly kind: "yank" }
  | { readonly kind: "undo" };

export interface EditorOptions {
  /** In UTF-16 code units, as all limits of an ask. */
  readonly mostLength: number;
  readonly multiline: boolean;
}

const MOST_UNDO = 200;

export function createEditor(text = ""): EditorState {
  return { text, caret: text.length, killed: "", past: [], last: "other", refused: 0 };
}

/** Returns the very same state where the action changes nothing. */
export function editText(state: EditorState, action: EditorAction, options: EditorOptions): EditorState {
  switch (action.kind) {
    case "insert":
      return insert(state, action.text, options);
    case "yank":
      return state.killed === ""
        ? state
        : insert({ ...state, last: "other" }, state.killed, options, "other");
    case "move":
      return place(state, reach(state, action.to));
    case "place":
      return place(state, boundaryFrom(state.text, Math.min(Math.max(0, action.caret), state.text.length)));
    case "delete":
      return remove(state, reach(state, action.to));
    case "kill":
      return kill(state, action.to);
    case "undo":
      return undo(state);
  }
}

function insert(
  state: EditorState,
  typed: string,
  { mostLength, multiline }: EditorOptions,
  last: EditorState["last"] = "typing",
): EditorState {
  const lines = typed.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  const clean = multiline ? lines : lines.replace(/\n+/g, " ");
  const added = fitting(clean, mostLength - state.text.length);
  const refused = clean.length - added.length;
  if (added === "") return refused === state.refused ? state : { ...state, refused };
  const text = state.text.slice(0, state.caret) + added + state.text.slice(state.caret);
  // What is typed in one go is undone in one go, word by word.
  const continues = state.last === "typing" && last === "typing" && !/\s/.test(added);
  return {
    ...state,
    text,
    caret: boundaryFrom(text, state.caret + added.length),
    past: continues ? state.past : remember(state),
    last,
    refused,
  };
}

/** As many whole graphemes as there is room for. */
function fitting(text: string, room: number): string {
  if (text.length <= room) return text;
  let length = 0;
  for (const grapheme of graphemes(text.slice(0, Math.max(0, room) + 1))) {
    if (length + grapheme.length > room) break;
    length += grapheme.length;
  }
  return text.slice(0, length);
}

function place(state: EditorState, caret: number): EditorState {
  return caret === state.caret ? state : { ...state, caret, last: "other", refused: 0 };
}

function remove(state: EditorState, to: number): EditorState {
  if (to === state.caret) return state;
  const start = Math.min(to, state.caret);
  const text = state.text.slice(0, start) + state.text.slice(Math.max(to, state.caret));
  // Without what stood between them, two characters may be one.
  return {
    ...state,
    text,
    caret: boundaryFrom(text, start),
    past: remember(state),
    last: "other",
    refused: 0,
  };
}

function kill(state: EditorState, to: Reach): EditorState {
  const end = reach(state, to);
  // At the end of a line, the line below is joined, as in other editors.
  const target = end === state.caret && to === "line end" ? after(state.text, end) : end;
  if (target === state.caret) return state;
  const killed = state.text.slice(Math.min(target, state.caret), Math.max(target, state.caret));
  const before = state.last === "killing" ? state.killed : "";
  return {
    ...remove(state, target),
    killed: target < state.caret ? killed + before : before + killed,
    last: "killing",
  };
}

function undo(state: EditorState): EditorState {
  const snapshot = state.past.at(-1);
  if (snapshot === undefined) return state;
  return { ...state, ...snapshot, past: state.past.slice(0, -1), last: "other", refused: 0 };
}

function remember({ text, caret, past }: EditorState): readonly Snapshot[] {
  return [...past.slice(1 - MOST_UNDO), { text, caret }];
}

function reach({ text, caret }: EditorState, to: Reach): number {
  switch (to) {
    case "left":
      return before(text, caret);
    case "right":
      return after(text, caret);
    case "word left":
      return leftOf(text, caret, skipLeft(text, skipLeft(text, caret, isGap), isWord));
    case "word right":
      return boundaryFrom(text, skipRight(text, skipRight(text, caret, isGap), isWord));
    case "blank word left":
      return leftOf(text, caret, skipLeft(text, skipLeft(text, caret, isBlank), isInk));
    case "line start":
      return caret === 0 ? 0 : text.lastIndexOf("\n", caret - 1) + 1;
    case "line end": {
      const end = text.indexOf("\n", caret);
      return end < 0 ? text.length : end;
    }
    case "text start":
      return 0;
    case "text end":
      return text.length;
  }
}

type Test = (character: string) => boolean;
const isWord: Test = (character) => /[\p{L}\p{M}\p{N}_]/u.test(character);
const isGap: Test = (character) => !isWord(character);
const isBlank: Test = (character) => /\s/.test(character);
const isInk: Test = (character) => !isBlank(character);

function skipRight(text: string, from: number, test: Test): number {
  let offset = from;
  while (offset < text.length) {
    const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    if (!test(character)) break;
    offset += character.length;
  }
  return offset;
}

function skipLeft(text: string, from: number, test: Test): number {
  let offset = from;
  while (offset > 0) {
    const pair = offset > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 2, offset));
    const start = offset - (pair ? 2 : 1);
    if (!test(text.slice(start, offset))) break;
    offset = start;
  }
  return offset;
}

/** A place left of the caret, moved out of the grapheme that it may be inside of. */
function leftOf(text: string, caret: number, offset: number): number {
  const boundary = boundaryFrom(text, offset);
  return boundary < caret ? boundary : before(text, caret);
}

/** The end of the grapheme that begins at the offset. */
function after(text: string, offset: number): number {
  for (const grapheme of graphemes(text.slice(offset, offset + 512))) return offset + grapheme.length;
  return text.length;
}

/** The beginning of the grapheme that ends at the offset. */
function before(text: string, offset: number): number {
  let start = certainBoundary(text, offset);
  let last = start;
  for (const grapheme of graphemes(text.slice(start, offset))) {
    last = start;
    start += grapheme.length;
  }
  return last;
}

/** The offset itself, or the end of the grapheme that it is inside of. */
function boundaryFrom(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  let boundary = certainBoundary(text, offset);
  for (const grapheme of graphemes(text.slice(boundary))) {
    if (boundary >= offset) break;
    boundary += grapheme.length;
  }
  return boundary;
}

/** Somewhere before the offset, where a grapheme surely begins: nothing joins a plain letter to what precedes it. */
function certainBoundary(text: string, offset: number): number {
  for (let at = offset - 1; at > 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code < 0x7f && text.charCodeAt(at - 1) < 0x7f) return at;
  }
  return 0;
}
