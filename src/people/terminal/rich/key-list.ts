// The keys that work now, for the footer, and all keys, for the page that `?` opens.

import { isBlank } from "../../../core/kit/fold.js";
import type { FormWords, KeyWord } from "../../../core/words/form.js";
import { lineWidth, type Segment, type StyledLine, styled } from "../../cells/line.js";
import { textWidth } from "../../cells/width.js";
import { keysNow } from "../../form/keys.js";
import type { Row } from "../../form/rows.js";
import { type FormState, stepsOf } from "../../form/state.js";
import type { FormView } from "../../form/view.js";
import type { Glyphs } from "./text.js";

export interface KeyItem {
  readonly keys: string;
  readonly word: KeyWord;
}

/** The most useful first: the last ones are left out where there is no room. */
export function footerKeys(state: FormState, view: FormView, glyphs: Glyphs): readonly KeyItem[] {
  const row = view.rows.find(({ cursor }) => cursor);
  const enter = row === undefined ? undefined : enterWord(row, state, view);
  const numbers = view.rows.flatMap((one) =>
    "number" in one && one.number !== undefined ? [one.number] : [],
  );
  if (state.typing) {
    const isArgs = row !== undefined && "field" in row && row.field === "args";
    return [
      ...(isArgs || enter === undefined ? [] : [{ keys: "Enter", word: enter }]),
      ...(isArgs || stepsOf(state.ask).length > 1 ? [{ keys: "Ctrl+S", word: "sendNow" as const }] : []),
      { keys: "Esc", word: "leaveField" },
      { keys: isArgs ? "Enter" : "Ctrl+J", word: "newLine" },
      { keys: "Ctrl+G", word: "editor" },
    ];
  }
  const { can } = view;
  const decisions: readonly KeyItem[] = [
    ...(can.approve ? [{ keys: "a", word: "approve" as const }] : []),
    ...(can.reject ? [{ keys: "x", word: "reject" as const }] : []),
  ];
  return [
    ...(enter === undefined ? decisions : [{ keys: "Enter", word: enter }]),
    ...(can.toggle && view.picks !== undefined && row?.kind === "option"
      ? [{ keys: "Space", word: "toggle" as const }]
      : []),
    ...(can.move ? [{ keys: glyphs.arrows, word: "move" as const }] : []),
    ...(numbers.length > 0 && view.step.kind !== "review"
      ? [{ keys: `1-${Math.max(...numbers)}`, word: "pick" as const }]
      : []),
    ...(can.go ? [{ keys: "Tab", word: "steps" as const }] : []),
    { keys: "o", word: "read" },
    ...(can.recommended ? [{ keys: "r", word: "recommended" as const }] : []),
    ...(can.note ? [{ keys: "n", word: "note" as const }] : []),
    ...(enter === undefined ? [] : decisions),
    ...(can.decline ? [{ keys: "d", word: "decline" as const }] : []),
    { keys: "Esc", word: can.leave ? "close" : "leave" },
  ];
}

function enterWord(row: Row, { ask, typing }: FormState, { picks, rows }: FormView): KeyWord {
  const onward: KeyWord = stepsOf(ask).length === 1 ? "sendNow" : "goOn";
  const isPicked = (one: Row): boolean => "picked" in one && one.picked;
  // Beside what is marked, Enter only marks.
  const isBeside = !isPicked(row) && rows.some(isPicked);
  switch (row.kind) {
    case "option":
      // With multi-select, Enter continues with the current picks.
      if (picks !== undefined) return onward;
      return isBeside || (onward === "goOn" && !isPicked(row)) ? "choose" : onward;
    case "text":
      if (isBeside && !isBlank(row.value)) return "choose";
      return typing || !isBlank(row.value) ? onward : "write";
    case "field":
      return typing ? "goOn" : "write";
    case "decision":
      if (row.decision !== "approve") return "write";
      return isBeside ? "choose" : "approve";
    case "step":
      return "open";
    case "command":
      return row.command === "submit"
        ? "sendNow"
        : row.command === "next"
          ? "goOn"
          : row.command === "skip"
            ? "skip"
            : "open";
  }
}

/** One line, or two, of keys; `?` and what it is for always stand at the end, where keys are no text. */
export function footerLines(
  items: readonly KeyItem[],
  {
    words,
    glyphs,
    width,
    most,
    help,
  }: {
    readonly words: FormWords;
    readonly glyphs: Glyphs;
    readonly width: number;
    readonly most: number;
    readonly help: boolean;
  },
): readonly StyledLine[] {
  const lines: Segment[][] = [[]];
  const shown = (item: KeyItem): StyledLine => [
    styled(item.keys, { bold: true }),
    styled(` ${words.keys[item.word]}`, { color: "muted" }),
  ];
  const last = help ? shown({ keys: "?", word: "help" }) : [];
  const separator = styled(glyphs.separator, { color: "muted" });
  const add = (item: StyledLine, room: number): boolean => {
    const line = lines.at(-1) ?? [];
    const before = line.length === 0 ? [] : [separator];
    if (lineWidth(line) + lineWidth([...before, ...item]) <= room) {
      line.push(...before, ...item);
      return true;
    }
    if (lines.length >= most || line.length === 0) return false;
    lines.push([...item]);
    return lineWidth(item) <= width;
  };
  const kept = help ? textWidth(glyphs.separator) + lineWidth(last) : 0;
  for (const item of items) if (!add(shown(item), lines.length < most ? width : width - kept)) break;
  if (help) add(last, width);
  return lines.filter((line) => line.length > 0 && lineWidth(line) <= width);
}

/** While it asks whether to leave. */
export const LEAVING_KEYS: readonly KeyItem[] = [
  { keys: "q", word: "leave" },
  { keys: "d", word: "decline" },
  { keys: "Esc", word: "stay" },
];

const EDITING: readonly KeyItem[] = [
  { keys: "Ctrl+J, Alt+Enter", word: "newLine" },
  { keys: "Ctrl+G", word: "editor" },
  { keys: "Ctrl+A, Ctrl+E", word: "lineEnds" },
  { keys: "Ctrl+W, Ctrl+U", word: "deleteWord" },
  { keys: "Ctrl+_", word: "undo" },
];

const INTENTS: Readonly<Record<string, KeyWord>> = {
  move: "move",
  toggle: "toggle",
  confirm: "choose",
  go: "steps",
  submit: "sendNow",
  approve: "approve",
  edit: "edit",
  reject: "reject",
  all: "all",
  recommended: "recommended",
  note: "note",
  clear: "clear",
  skip: "skip",
  review: "review",
  reply: "reply",
  decline: "decline",
};

/** Every key that works at this place. */
export function allKeys(state: FormState, remembers: boolean): readonly KeyItem[] {
  const named = new Map<KeyWord, string[]>();
  for (const { intent, keys } of keysNow({ ...state, typing: false })) {
    const word = keys.includes("R")
      ? "recommendedAll"
      : keys.includes("home") || keys.includes("end")
        ? "top"
        : INTENTS[intent];
    if (word !== undefined) named.set(word, [...(named.get(word) ?? []), ...keys.map(shownKey)]);
  }
  const own: readonly KeyItem[] = [
    { keys: "1-9", word: "pick" },
    ...(remembers ? [{ keys: "m", word: "remember" as const }] : []),
    { keys: "o, Ctrl+O", word: "read" },
    { keys: "PageUp, PageDown", word: "scroll" },
    { keys: "Esc", word: "leave" },
    { keys: "Ctrl+Z", word: "suspend" },
    { keys: "Ctrl+C", word: "interrupt" },
  ];
  return [...Array.from(named, ([word, keys]) => ({ keys: keys.join(", "), word })), ...own, ...EDITING];
}

function shownKey(key: string): string {
  if (key.length === 1) return key;
  return key
    .split("+")
    .map((part) => (part.length === 1 ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1)))
    .join("+");
}
