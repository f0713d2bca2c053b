// A page over the form: everything there is to read at this place, or the list of keys. It scrolls, so nothing is
// out of reach on however small a screen.

import type { FormWords } from "../../../core/words/form.js";
import { type StyledLine, styled, truncateLine } from "../../cells/line.js";
import { textWidth } from "../../cells/width.js";
import type { FormState } from "../../form/state.js";
import type { FormView } from "../../form/view.js";
import type { Frame, Size } from "../screen/painter.js";
import { argsLines, nameLines, textsOf } from "./action.js";
import { allKeys, footerLines } from "./key-list.js";
import { optionOf, previewLines } from "./preview.js";
import { type Glyphs, hangLines, markdownLines, modelLine, modelLines, wrapped } from "./text.js";

export interface Page {
  readonly lines: (width: number) => readonly StyledLine[];
  readonly top: number;
  /** The page after a key; undefined where the key closes it. */
  press(key: string, rows: number): Page | undefined;
}

const MOST_WIDTH = 110;

export function createPage(lines: Page["lines"], top = 0): Page {
  const at = (to: number): Page => createPage(lines, Math.max(0, to));
  return {
    lines,
    top,
    press(key, rows) {
      const whole = Math.max(1, rows - 2);
      switch (key) {
        case "down":
        case "j":
        case "enter":
          return at(top + 1);
        case "up":
        case "k":
          return at(top - 1);
        case "pagedown":
        case "space":
          return at(top + whole);
        case "pageup":
        case "backspace":
          return at(top - whole);
        case "home":
          return at(0);
        case "end":
          return at(Number.MAX_SAFE_INTEGER);
        case "escape":
        case "o":
        case "q":
        case "?":
        case "ctrl+o":
          return undefined;
        default:
          return createPage(lines, top);
      }
    },
  };
}

/** The context, the question in full, and the option under the cursor with its preview. */
export function readingPage(
  state: FormState,
  view: FormView,
  context: string | undefined,
  words: FormWords,
  glyphs: Glyphs,
  remembering: string | undefined,
): Page {
  const { step } = view;
  const option = optionOf(view);
  const bold = { bold: true } as const;
  return createPage((width) => {
    const parts: (readonly StyledLine[])[] = [
      context === undefined ? [] : markdownLines(state.ask, context, width, glyphs.ascii),
    ];
    if (step.kind === "question") parts.push(wrapped(modelLines(step.question.question), width, bold));
    if (step.kind === "action") {
      const { own, current } = textsOf(state, step);
      parts.push([...nameLines(step, own, width), ...argsLines(own, words, width)]);
      if (current.isChanged) parts.push(argsLines(current, words, width));
    }
    if (option !== undefined) {
      parts.push([
        ...wrapped([modelLine(option.label)], width, { ...bold, color: "accent" }),
        ...(option.description === undefined ? [] : wrapped(modelLines(option.description), width)),
      ]);
      parts.push(previewLines(option, width, glyphs));
    }
    if (remembering !== undefined) parts.push(wrapped([remembering], width));
    if (step.kind === "review") parts.push(wrapped([words.review], width, bold));
    return parts
      .filter((lines) => lines.length > 0)
      .flatMap((lines, index) => (index > 0 ? [[], ...lines] : lines));
  });
}

export function helpPage(state: FormState, words: FormWords, remembers: boolean): Page {
  const items = allKeys(state, remembers);
  const widest = Math.max(...items.map(({ keys }) => textWidth(keys)));
  return createPage((width) =>
    items.flatMap(({ keys, word }) =>
      hangLines(
        [styled(`${keys.padEnd(Math.min(widest, 26))}  `, { bold: true })],
        (room) => wrapped([words.keys[word]], room),
        width,
      ),
    ),
  );
}

/** The page as it fits the terminal; and the page where it stands then, which may be less far down. */
export function pageFrame(
  page: Page,
  { columns, rows }: Size,
  words: FormWords,
  glyphs: Glyphs,
): { readonly frame: Frame; readonly page: Page } {
  const width = Math.max(2, Math.min(columns, MOST_WIDTH));
  const lines = page.lines(width);
  const hasFooter = rows >= 3;
  const height = Math.max(1, rows - (hasFooter ? 2 : 0));
  const top = Math.max(0, Math.min(page.top, lines.length - height));
  const rest = Math.max(0, lines.length - top - height);
  const mark = rest > 0 ? `${glyphs.down} ${words.moreLines(rest, "PageDown")}` : "";
  const footer = footerLines(
    [
      { keys: "Esc", word: "close" },
      { keys: `${glyphs.arrows} PageUp PageDown`, word: "scroll" },
    ],
    { words, glyphs, width, most: 1, help: false },
  );
  return {
    frame: {
      lines: [
        ...lines.slice(top, top + height),
        ...(hasFooter
          ? [truncateLine([styled(mark, { color: "muted" })], width, glyphs.more), ...footer]
          : []),
      ],
      cursor: { row: 0, column: 0 },
    },
    page: createPage(page.lines, top),
  };
}
