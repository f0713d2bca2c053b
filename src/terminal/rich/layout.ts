// What stands where. Pure: a scene gives a frame that fits the terminal.
//
// Where there is too little room, things go in this order, each step trying again:
//
//   1. empty lines between the parts
//   2. the preview below the options gets shorter
//   3. the preview goes
//   4. descriptions and long labels of rows without the cursor
//   5. the rows scroll; context, question and messages are folded
//
// What is folded or gone can be read in full with `o`. Beside the options, from 100 columns on, the preview takes
// no room from them and stays.

import { lineWidth, padLine, type StyledLine, styled, truncateLine } from "../../cells/index.js";
import { displayJson } from "../../core/index.js";
import { argsText, type FormState, type FormView, type LiveForm, type Row } from "../../form/index.js";
import type { FormWords } from "../../words/index.js";
import type { EditorState, Frame, Position, Size } from "../screen/index.js";
import { type Block, type BlockContext, issueLines, rowBlocks } from "./blocks.js";
import { footerKeys, footerLines, type KeyItem } from "./key-list.js";
import { clipped, type Glyphs, hangLines, markdownLines, modelLine, modelLines, wrapped } from "./text.js";

export interface Scene {
  readonly state: FormState;
  readonly view: FormView;
  readonly size: Size;
  readonly words: FormWords;
  readonly locale: string | undefined;
  readonly glyphs: Glyphs;
  readonly context: string | undefined;
  /** Milliseconds until the deadline; undefined without one. */
  readonly left: number | undefined;
  readonly saving: LiveForm["saving"];
  readonly notice: string | undefined;
  /** The question that stands in the footer's place, and its keys. */
  readonly prompt: { readonly text: string; readonly keys: readonly KeyItem[] } | undefined;
  readonly editor?: { readonly state: EditorState; readonly first: number };
  readonly scroll: Scroll;
}

/** Where the last frame stood, so that the next one stands still. */
export interface Scroll {
  readonly list: number;
  readonly preview: number;
  readonly field: number;
  /** The frame is not lower than this. */
  readonly height: number;
}

export interface Layout {
  readonly frame: Frame;
  readonly scroll: Scroll;
}

const BESIDE_FROM = 100;
/** Longer lines are hard to read. */
const MOST_WIDTH = 110;
const MOST_CONTEXT = 8;
const MOST_PREVIEW = 14;
const LEAST_PREVIEW = 3;
const MOST_FIELD = 8;

const LEVELS = [0, 1, 2, 3, 4, 5] as const;
type Level = (typeof LEVELS)[number];
const SPACERS: Level = 0;
const SHORT_PREVIEW: Level = 2;
const NO_PREVIEW: Level = 3;
const CURSOR_ONLY: Level = 4;
const SCROLLING: Level = 5;

export function layOut(scene: Scene): Layout {
  for (const level of LEVELS) {
    const layout = arrange(scene, level);
    if (layout !== undefined) return layout;
  }
  return { frame: { lines: [] }, scroll: scene.scroll };
}

/** Undefined where it does not fit; the last level always does. */
function arrange(scene: Scene, level: Level): Layout | undefined {
  const { size, view, words, glyphs, scroll } = scene;
  const { columns, rows } = size;
  // Every row takes a line at least: no need to lay all of them out to see that they do not fit.
  if (level < SCROLLING && view.rows.length > rows) return undefined;
  const width = Math.min(columns, MOST_WIDTH);
  const option = optionOf(view);
  const hasPreview = view.rows.some((row) => "option" in row && row.option?.preview !== undefined);
  const beside = hasPreview && columns >= BESIDE_FROM;
  const left = beside ? Math.min(60, Math.floor(columns * 0.45)) : width;
  let first = scene.scroll.field;
  const blocks = rowBlocks({
    ask: scene.state.ask,
    view,
    width: left,
    words,
    locale: scene.locale,
    glyphs,
    detail: level >= CURSOR_ONLY ? "cursor" : "all",
    fieldHeight: Math.max(1, Math.min(MOST_FIELD, Math.floor(rows / (level === SCROLLING ? 3 : 2)))),
    ...(scene.editor !== undefined && {
      editor: {
        state: scene.editor.state,
        first,
        scrolled: (to: number) => {
          first = to;
        },
      },
    }),
  } satisfies BlockContext);

  const sections = trimmed(surroundings(scene, level, width), rows);
  const gap = level === SPACERS ? 1 : 0;
  const above = joined([sections.context, sections.chips, sections.title, sections.notices], gap);
  const below = sections.footer;
  const spacers = (above.length > 0 ? gap : 0) + (below.length > 0 ? gap : 0);
  const room = rows - above.length - below.length - spacers;
  const list = listLines(blocks, gap);
  const previewRoom = beside ? room : room - list.lines.length - 1;
  const wanted =
    option?.preview === undefined || (level >= NO_PREVIEW && !beside)
      ? []
      : previewLines(option, beside ? columns - left - 3 : width, glyphs);
  const most = beside ? room : level < SHORT_PREVIEW ? MOST_PREVIEW : Math.min(MOST_PREVIEW, previewRoom);
  if (!beside && wanted.length > 0 && level <= SHORT_PREVIEW && most < Math.min(LEAST_PREVIEW, wanted.length))
    return undefined;
  const shown = windowOf(wanted, scroll.preview, Math.max(0, most), scene);

  const middle = beside
    ? undefined
    : [...list.lines, ...(shown.lines.length === 0 ? [] : [rule(option, width, glyphs), ...shown.lines])];
  const height = middle?.length ?? Math.max(list.lines.length, shown.lines.length);
  if (level < SCROLLING && (height > room || list.lines.length > room)) return undefined;

  const visible = level < SCROLLING ? { ...list, top: 0 } : scrolled(list, room, scroll.list, scene);
  const body =
    middle !== undefined && level < SCROLLING
      ? middle
      : beside
        ? sideBySide(visible.lines, shown.lines, left, glyphs)
        : visible.lines;
  const start = above.length + (above.length > 0 ? gap : 0);
  const total = start + body.length + (below.length > 0 ? gap : 0) + below.length;
  const filler = Math.max(0, Math.min(scroll.height, rows) - total);
  const empty = (count: number): readonly StyledLine[] => Array.from({ length: count }, () => []);
  return {
    frame: {
      lines: [
        ...above,
        ...empty(start - above.length),
        ...body,
        ...empty(filler + (below.length > 0 ? gap : 0)),
        ...below,
      ],
      cursor: { row: start + visible.cursor.row, column: visible.cursor.column },
    },
    scroll: { list: visible.top, preview: shown.top, field: first, height: total + filler },
  };
}

interface Sections {
  readonly context: readonly StyledLine[];
  readonly chips: readonly StyledLine[];
  readonly title: readonly StyledLine[];
  readonly notices: readonly StyledLine[];
  readonly footer: readonly StyledLine[];
}

/** Everything but the rows and the preview. */
function surroundings(scene: Scene, level: Level, width: number): Sections {
  const { view, words, glyphs, size, context, locale } = scene;
  const { rows } = size;
  const tight = level === SCROLLING;
  const key = "o";
  const mostContext = tight ? 1 : Math.min(MOST_CONTEXT, Math.floor(rows / (level < SHORT_PREVIEW ? 4 : 6)));
  const mostTitle = tight ? Math.max(1, Math.floor(rows / 4)) : Math.max(3, Math.floor(rows / 2));
  const contextLines =
    context === undefined || view.panel !== "steps"
      ? []
      : markdownLines(scene.state.ask, context, width, glyphs.ascii);
  const notices = [
    ...view.issues
      .filter((issue) => issue.field === "choice" && view.rows.every(({ issues }) => issues.length === 0))
      .flatMap((issue) => issueLines(issue, { width, locale, glyphs })),
    ...[
      view.refused === undefined ? undefined : words.refused(view.refused),
      scene.notice,
      scene.saving === "failed" ? words.notSaved : undefined,
      view.from === undefined ? undefined : words.from(modelLine(view.from)),
      view.kept.length === 0 ? undefined : words.kept("u"),
    ].flatMap((text) => (text === undefined ? [] : wrapped([text], width, { color: "warning" }))),
  ];
  return {
    context: folded(contextLines, mostContext, width, words, glyphs, key),
    chips: chipLine(view, words, width, glyphs),
    title: folded(titleLines(scene, width), mostTitle, width, words, glyphs, key),
    notices: clipped(notices, tight ? 2 : 6, width, glyphs.more),
    footer: footer(scene, width, tight ? 1 : 2),
  };
}

/** The question or action, the review, or the panel. */
function titleLines({ state, view, words }: Scene, width: number): readonly StyledLine[] {
  const bold = { bold: true } as const;
  if (view.panel !== "steps") {
    return wrapped([view.panel === "reply" ? words.replyTitle : words.declineTitle], width, bold);
  }
  const { step } = view;
  switch (step.kind) {
    case "review":
      return wrapped([`${words.review} (${view.progress.done}/${view.progress.total})`], width, bold);
    case "question": {
      const picks =
        view.picks === undefined
          ? []
          : wrapped([words.picks(view.picks.min, view.picks.max, view.picks.count)], width, {
              color: "muted",
            });
      return [...wrapped(modelLines(step.question.question), width, bold), ...picks];
    }
    case "action": {
      const { name, description, args } = step.action;
      const isEditing = state.typing && view.rows.some((row) => row.cursor && row.key === "args");
      const shownArgs = isEditing ? [] : displayJson(argsText(args)).split("\n");
      return [
        ...wrapped([modelLine(name)], width, bold),
        ...(description === undefined ? [] : wrapped(modelLines(description), width)),
        ...shownArgs.flatMap((line) =>
          hangLines(
            [styled(`  ${/^ */.exec(line)?.[0] ?? ""}`)],
            (room) => wrapped([line.trimStart()], room, { color: "code" }),
            width,
          ),
        ),
      ];
    }
  }
}

/** One chip for each step; where they do not fit, those around the current one. */
function chipLine(view: FormView, words: FormWords, width: number, glyphs: Glyphs): readonly StyledLine[] {
  const { chips } = view;
  if (chips.length === 1) {
    const label = chips[0]?.label;
    if (label === undefined || chips[0]?.kind === "action") return [];
    return [truncateLine([styled(modelLine(label), { color: "accent", bold: true })], width, glyphs.more)];
  }
  const segments = chips.map(({ mark, label, kind, step, current }): StyledLine => {
    const symbol = {
      done: glyphs.done,
      skipped: glyphs.done,
      open: glyphs.open,
      blank: glyphs.open,
      problem: glyphs.problem,
    }[mark];
    const color = mark === "done" ? "success" : mark === "problem" ? "warning" : undefined;
    const name = kind === "review" ? words.review : label === undefined ? `${step + 1}` : modelLine(label);
    const [text = ""] = truncateLine([styled(name)], 16, glyphs.more).map(({ text: part }) => part);
    const style = current ? { inverse: true, bold: true } : {};
    return [
      styled(` ${symbol} `, { ...style, ...(color !== undefined && !current && { color }) }),
      styled(`${text} `, { ...style }),
    ];
  });
  const at = Math.max(
    0,
    chips.findIndex(({ current }) => current),
  );
  let [from, to] = [at, at];
  let taken = lineWidth(segments[at] ?? []);
  const mostTaken = width - 4;
  for (;;) {
    const after = segments[to + 1];
    const before = segments[from - 1];
    if (after !== undefined && taken + lineWidth(after) <= mostTaken) {
      taken += lineWidth(after);
      to += 1;
    } else if (before !== undefined && taken + lineWidth(before) <= mostTaken) {
      taken += lineWidth(before);
      from -= 1;
    } else break;
  }
  const more = styled(`${glyphs.more}`, { color: "muted" });
  const line = [
    ...(from > 0 ? [more] : []),
    ...segments.slice(from, to + 1).flat(),
    ...(to < segments.length - 1 ? [more] : []),
  ];
  return [truncateLine(line, width, "")];
}

function footer(scene: Scene, width: number, most: number): readonly StyledLine[] {
  const { state, view, words, glyphs, prompt, left } = scene;
  if (view.phase === "sending") return wrapped([words.sending], width, { color: "muted" });
  const time =
    left === undefined
      ? []
      : wrapped([words.timeLeft(left)], width, { color: left < 60_000 ? "warning" : "muted" });
  const base = { words, glyphs, width, most };
  if (prompt !== undefined) {
    return [
      ...wrapped([prompt.text], width, { bold: true }),
      ...footerLines(prompt.keys, { ...base, help: false }),
    ];
  }
  const items = footerKeys(state, view, glyphs);
  return [...time, ...footerLines(items, { ...base, help: !state.typing })];
}

/** The parts that leave room for at least some rows, given up in this order where they do not. */
function trimmed(sections: Sections, rows: number): Sections {
  const least = Math.min(3, rows);
  const height = (parts: Sections): number =>
    Object.values(parts).reduce((sum, lines: readonly StyledLine[]) => sum + lines.length, 0);
  let kept = sections;
  for (const name of ["context", "chips", "notices", "title", "footer", "title", "notices"] as const) {
    if (height(kept) + least <= rows) return kept;
    // The question keeps one line for as long as it can.
    const isTitle = name === "title" && kept.title.length > 1;
    kept = { ...kept, [name]: isTitle ? kept.title.slice(0, 1) : [] };
  }
  return kept;
}

function joined(parts: readonly (readonly StyledLine[])[], gap: number): readonly StyledLine[] {
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index > 0 && gap > 0 ? [[], ...lines] : lines));
}

function folded(
  lines: readonly StyledLine[],
  most: number,
  width: number,
  words: FormWords,
  glyphs: Glyphs,
  key: string,
): readonly StyledLine[] {
  if (lines.length <= most) return lines;
  // Empty lines go first: nothing is hidden where that is enough.
  const full = lines.filter((line) => line.length > 0);
  if (full.length <= most) return full;
  if (most < 3) return clipped(full, 1, width, `${glyphs.more} (${key})`);
  const hidden = full.length - most + 1;
  const mark = styled(`${glyphs.more} ${words.moreLines(hidden, key)}`, { color: "muted" });
  return [...full.slice(0, most - 1), truncateLine([mark], width, glyphs.more)];
}

interface List {
  readonly lines: readonly StyledLine[];
  readonly cursor: Position;
  /** The lines of the row under the cursor, and where each row begins. */
  readonly start: number;
  readonly end: number;
  readonly starts: readonly number[];
}

function listLines(blocks: readonly Block[], gap: number): List {
  const lines: StyledLine[] = [];
  const starts: number[] = [];
  let [start, end] = [0, 1];
  let cursor: Position = { row: 0, column: 0 };
  for (const block of blocks) {
    if (block.apart && gap > 0) lines.push([]);
    starts.push(lines.length);
    if (block.cursor !== undefined) {
      start = lines.length;
      end = start + block.lines.length;
      cursor = { row: start + block.cursor.row, column: block.cursor.column };
    }
    for (const line of block.lines) lines.push(line);
  }
  return { lines, cursor, start, end, starts };
}

const MARKS_FROM = 5;

/** The part of the list around the cursor, with how many rows there are above and below. */
function scrolled(
  list: List,
  room: number,
  before: number,
  { words, glyphs, size }: Scene,
): List & { readonly top: number } {
  const total = list.lines.length;
  const height = Math.max(1, room);
  if (total <= height) return { ...list, top: 0 };
  const marks = height >= MARKS_FROM;
  const inner = marks ? height - 2 : height;
  // The cursor itself first, then the end of its row, then where the list stood.
  const latest = Math.min(list.start, list.cursor.row);
  const earliest = Math.max(Math.min(list.end - inner, latest), list.cursor.row - inner + 1);
  const top = Math.max(0, Math.min(Math.max(Math.min(before, latest), earliest), total - inner));
  const shown = list.lines.slice(top, top + inner);
  const above = list.starts.filter((start) => start < top).length;
  const below = list.starts.filter((start) => start >= top + inner).length;
  const markLine = (count: number, glyph: string, text: string): StyledLine =>
    count === 0
      ? []
      : truncateLine([styled(`  ${glyph} ${text}`, { color: "muted" })], size.columns, glyphs.more);
  const lines = marks
    ? [
        markLine(above, glyphs.up, words.moreAbove(above)),
        ...shown,
        markLine(below, glyphs.down, words.moreBelow(below)),
      ]
    : shown;
  const cursor = { row: list.cursor.row - top + (marks ? 1 : 0), column: list.cursor.column };
  return { ...list, lines, cursor, top };
}

type OptionRow = Extract<Row, { kind: "option" | "text" }>;
type PreviewedOption = NonNullable<OptionRow["option"]>;

/** The option under the cursor. */
export function optionOf(view: FormView): PreviewedOption | undefined {
  const row = view.rows.find(({ cursor }) => cursor);
  return row !== undefined && "option" in row ? row.option : undefined;
}

/** HTML cannot be shown here: it is shown as it is written. */
export function previewLines(option: PreviewedOption, width: number, glyphs: Glyphs): readonly StyledLine[] {
  if (option.preview === undefined) return [];
  const { format, content } = option.preview;
  if (format === "markdown") return markdownLines(option.preview, content, width, glyphs.ascii);
  return wrapped(modelLines(content), width, { color: "code" });
}

function windowOf(
  lines: readonly StyledLine[],
  from: number,
  most: number,
  { words, glyphs }: Scene,
): { readonly lines: readonly StyledLine[]; readonly top: number } {
  if (lines.length <= most) return { lines, top: 0 };
  const height = Math.max(0, most - 1);
  const top = Math.max(0, Math.min(from, lines.length - height));
  const rest = lines.length - top - height;
  const mark =
    rest > 0
      ? `${glyphs.down} ${words.moreLines(rest, "PageDown")}`
      : `${glyphs.up} ${words.moreLines(top, "PageUp")}`;
  return {
    lines: [
      ...lines.slice(top, top + height),
      ...(most > 0 ? [[styled(mark, { color: "muted" as const })]] : []),
    ],
    top,
  };
}

function rule(option: PreviewedOption | undefined, width: number, glyphs: Glyphs): StyledLine {
  const line = glyphs.ascii ? "-" : "─";
  const title = option === undefined ? "" : ` ${modelLine(option.label)} `;
  const most = Math.max(1, width - 6);
  const [label = []] = clipped(wrapped([title], most), 1, most, glyphs.more);
  const taken = lineWidth(label) + 2;
  return truncateLine(
    [
      styled(line.repeat(2), { color: "muted" }),
      ...label,
      styled(line.repeat(Math.max(0, width - taken)), { color: "muted" }),
    ],
    width,
    "",
  );
}

function sideBySide(
  left: readonly StyledLine[],
  right: readonly StyledLine[],
  width: number,
  glyphs: Glyphs,
): readonly StyledLine[] {
  if (right.length === 0) return left;
  const bar = styled(` ${glyphs.bar} `, { color: "muted" });
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...padLine(left[index] ?? [], width),
    bar,
    ...(right[index] ?? []),
  ]);
}
