// The list as it fits the terminal. Pure. Where there is too little room, things go in this order: empty lines, what
// ended, the facts of asks that are not under the cursor; then the list scrolls.

import type { InboxKeyWord, InboxWords } from "../../../core/words/terminal-inbox.js";
import { lineWidth, type Segment, type StyledLine, styled, truncateLine } from "../../cells/line.js";
import { countOf } from "../../inbox/crowd.js";
import { clipped, type Glyphs, hangLines, wrapped } from "../rich/text.js";
import type { EditorState } from "../screen/editor.js";
import { viewEditor } from "../screen/editor-view.js";
import type { Frame, Size } from "../screen/painter.js";
import { factsOf, type ListState, type Row, rowTitle } from "./list-state.js";

export interface InboxScene {
  readonly size: Size;
  readonly words: InboxWords;
  readonly glyphs: Glyphs;
  readonly now: number;
  readonly url: string;
  readonly isLoaded: boolean;
  readonly total: number;
  readonly shown: readonly Row[];
  readonly list: ListState;
  /** The field for the search, while it is typed into. */
  readonly searching: EditorState | undefined;
  /** What the person is asked before many questions are declined. */
  readonly confirming: string | undefined;
  /** Messages, the most important first. */
  readonly notices: readonly string[];
  /** What ended lately, newest first. */
  readonly ended: readonly string[];
  /** The first ask that was shown, so that the list stands still. */
  readonly top: number;
  /** The moment in which no key acts yet. */
  readonly isWaiting: boolean;
}

export interface InboxLayout {
  readonly frame: Frame;
  readonly top: number;
  /** How many asks fit, for a page up or down. */
  readonly page: number;
}

const MOST_WIDTH = 110;
/** Of the facts below a question. */
const INDENT = "    ";
/** A deadline as near as this stands out. */
const URGENT_MS = 300_000;

const LIST_KEYS: readonly (readonly [string, InboxKeyWord])[] = [
  ["Enter", "open"],
  ["↑↓", "move"],
  ["/", "search"],
  ["f", "filter"],
  ["q", "leave"],
  ["?", "help"],
  ["d", "decline"],
  ["c", "reply"],
  ["m", "mute"],
  ["D", "declineAll"],
];
const CONFIRM_KEYS: readonly (readonly [string, InboxKeyWord])[] = [
  ["y", "declineAll"],
  ["n", "keep"],
];
const EMPTY_KEYS: readonly (readonly [string, InboxKeyWord])[] = [
  ["q", "leave"],
  ["?", "help"],
];
const NO_MATCH_KEYS: readonly (readonly [string, InboxKeyWord])[] = [
  ["Esc", "endSearch"],
  ["/", "search"],
  ["f", "filter"],
  ["q", "leave"],
];
const SEARCH_KEYS: readonly (readonly [string, InboxKeyWord])[] = [
  ["Enter", "keepSearch"],
  ["Esc", "endSearch"],
];

export function layOutInbox(scene: InboxScene): InboxLayout {
  const { size, words, glyphs, shown, list } = scene;
  const width = Math.max(2, Math.min(size.columns, MOST_WIDTH));
  const { rows } = size;
  const head = headLines(scene, width);
  const search = searchLine(scene, width);
  const notices = clipped(
    [
      ...wrapped(scene.confirming === undefined ? [] : [scene.confirming], width, { bold: true }),
      ...scene.notices.flatMap((text) => wrapped([text], width, { color: "warning" })),
    ],
    rows < 20 ? 2 : 4,
    width,
    glyphs.more,
  );
  const empty = !scene.isLoaded
    ? words.loading
    : scene.total === 0
      ? words.nothing
      : shown.length === 0
        ? words.noMatch
        : undefined;
  const keys =
    scene.searching !== undefined
      ? SEARCH_KEYS
      : scene.confirming !== undefined
        ? CONFIRM_KEYS
        : scene.total === 0
          ? EMPTY_KEYS
          : shown.length === 0
            ? NO_MATCH_KEYS
            : LIST_KEYS;
  const footer = rows < 4 ? [] : keyLines(keys, words, glyphs, width, rows < 12 ? 1 : 2);
  const above = rows < 6 ? [...search, ...notices.slice(0, 1)] : [...head, ...search, ...notices];
  const endedRoom = Math.max(1, width - 2);
  const endedLines = scene.ended.flatMap((text) =>
    clipped(wrapped([text], endedRoom, { color: "muted" }), 1, endedRoom, glyphs.more).map((line) => [
      styled(`${glyphs.done} `, { color: "success" }),
      ...line,
    ]),
  );

  const blocksWith = (detail: "all" | "cursor"): readonly (readonly StyledLine[])[] =>
    empty === undefined
      ? shown.map((entry, index) => askLines(entry, index === list.index, detail, scene, width))
      : [wrapped([empty], width, { color: "muted" })];
  const heightOf = (blocks: readonly (readonly StyledLine[])[]): number =>
    blocks.reduce((sum, lines) => sum + lines.length, 0);

  for (const { gap, ended, detail } of [
    { gap: 1, ended: endedLines.length, detail: "all" },
    { gap: 0, ended: endedLines.length, detail: "all" },
    { gap: 0, ended: Math.min(1, endedLines.length), detail: "all" },
    { gap: 0, ended: 0, detail: "all" },
    { gap: 0, ended: 0, detail: "cursor" },
  ] as const) {
    // Every ask takes a line at least: no need to lay out thousands to see that they do not fit.
    if (shown.length > rows) break;
    const blocks = blocksWith(detail);
    const room =
      rows -
      above.length -
      footer.length -
      ended -
      gap * (1 + (ended > 0 ? 1 : 0)) -
      (above.length > 0 ? gap : 0);
    if (heightOf(blocks) <= room) return compose(blocks, { gap, ended, marks: undefined, first: 0 });
  }
  return scrolledList();

  /** The asks around the cursor, with how many there are above and below. */
  function scrolledList(): InboxLayout {
    const room = Math.max(1, rows - above.length - footer.length);
    const hasMarks = room >= 5;
    const inner = hasMarks ? room - 2 : room;
    const linesAt = (index: number): readonly StyledLine[] => {
      const entry = shown[index];
      return entry === undefined ? [] : askLines(entry, index === list.index, "cursor", scene, width);
    };
    const under = linesAt(list.index).slice(0, inner);
    // The others take one line each.
    const others = Math.max(0, inner - under.length);
    const most = Math.max(0, shown.length - others - 1);
    const first = Math.max(list.index - others, Math.min(scene.top, list.index, most), 0);
    const count = Math.min(shown.length - first, others + 1);
    const blocks = Array.from({ length: count }, (_, offset) =>
      first + offset === list.index ? under : linesAt(first + offset),
    );
    const below = shown.length - first - count;
    return compose(blocks, {
      gap: 0,
      ended: 0,
      first,
      marks: hasMarks ? [moreLine(first, "up"), moreLine(below, "down")] : undefined,
    });
  }

  function moreLine(count: number, direction: "up" | "down"): StyledLine {
    return count === 0 ? [] : [styled(`  ${glyphs[direction]} ${count}`, { color: "muted" })];
  }

  function compose(
    blocks: readonly (readonly StyledLine[])[],
    {
      gap,
      ended,
      first,
      marks,
    }: {
      readonly gap: number;
      readonly ended: number;
      readonly first: number;
      readonly marks: readonly [StyledLine, StyledLine] | undefined;
    },
  ): InboxLayout {
    const space: readonly StyledLine[] = gap > 0 ? [[]] : [];
    const top = [...above, ...(above.length > 0 ? space : []), ...(marks === undefined ? [] : [marks[0]])];
    const before = blocks.slice(0, Math.max(0, list.index - first)).flat().length;
    const row = top.length + (empty === undefined ? before : 0);
    const searchRow = rows < 6 ? 0 : head.length;
    const cursor =
      scene.searching === undefined
        ? { row, column: 0 }
        : { row: searchRow, column: searchColumn(scene, width) };
    return {
      frame: {
        lines: [
          ...top,
          ...blocks.flat(),
          ...(marks === undefined ? [] : [marks[1]]),
          ...(ended > 0 ? [...space, ...endedLines.slice(0, ended)] : []),
          ...(footer.length > 0 ? space : []),
          ...footer,
        ],
        cursor: scene.isWaiting ? undefined : cursor,
      },
      top: first,
      page: Math.max(1, blocks.length - 1),
    };
  }
}

function headLines(scene: InboxScene, width: number): readonly StyledLine[] {
  const { words, glyphs, total, shown, list } = scene;
  const isPart = list.search !== "" || list.filter !== "all";
  const parts: StyledLine[] = [
    [styled(words.title, { bold: true, color: "accent" })],
    isPart
      ? [styled(words.matching(countOf(shown), total), { color: "warning" })]
      : [styled(scene.isLoaded ? words.waiting(total) : words.loading)],
    ...(list.filter === "all" ? [] : [[styled(words.filters[list.filter], { color: "warning" })]]),
    [styled(scene.url, { color: "muted" })],
  ];
  const line: Segment[] = [];
  for (const part of parts) {
    const separator = line.length === 0 ? [] : [styled(glyphs.separator, { color: "muted" })];
    if (lineWidth([...line, ...separator, ...part]) > width) continue;
    line.push(...separator, ...part);
  }
  return [line];
}

const SEARCH_ROOM = 4;

function searchLine(scene: InboxScene, width: number): readonly StyledLine[] {
  const { words, searching, list, glyphs } = scene;
  const label = `${words.search}: `;
  if (searching === undefined) {
    if (list.search === "") return [];
    return [truncated([styled(label, { bold: true }), styled(list.search)], width, glyphs)];
  }
  const room = Math.max(SEARCH_ROOM, width - label.length);
  const { rows } = viewEditor(searching, { width: room, height: 1 });
  return [[styled(label, { bold: true }), styled(rows[0] ?? "")]];
}

function searchColumn({ words, searching }: InboxScene, width: number): number {
  if (searching === undefined) return 0;
  const label = `${words.search}: `;
  const room = Math.max(SEARCH_ROOM, width - label.length);
  return label.length + viewEditor(searching, { width: room, height: 1 }).cursor.column;
}

/** One ask: what is asked, and below it what is known about it. */
function askLines(
  entry: Row,
  isCursor: boolean,
  detail: "all" | "cursor",
  scene: InboxScene,
  width: number,
): readonly StyledLine[] {
  const { words, glyphs, size } = scene;
  const pointer = styled(isCursor ? `${glyphs.pointer} ` : "  ", { color: "accent", bold: true });
  const indent = styled("  ");
  const titleWidth = Math.max(1, width - 2);
  // Under the cursor a long question gets a few lines, as many as leave room for others.
  const most = isCursor ? Math.max(1, Math.min(3, Math.floor(size.rows / 6))) : 1;
  const title = clipped(
    wrapped([rowTitle(entry, words)], titleWidth, isCursor ? { bold: true } : {}),
    most,
    titleWidth,
    glyphs.more,
  );
  const lines = title.map((line, index) => [index === 0 ? pointer : indent, ...line]);
  if (detail === "cursor" && !isCursor) return lines;
  return [...lines, ...factLines(entry, isCursor, scene, width)];
}

/** The facts on one line, as many as fit; under the cursor all of them, on as many lines as that takes. */
function factLines(
  entry: Row,
  isCursor: boolean,
  { now, words, glyphs, size }: InboxScene,
  width: number,
): readonly StyledLine[] {
  const { deadline } = entry.ask;
  const most = isCursor ? Math.max(1, Math.min(3, Math.floor(size.rows / 6))) : 1;
  const lines: Segment[][] = [];
  for (const [index, fact] of factsOf(entry, now, words).entries()) {
    const isUrgent =
      fact === words.overdue || (index === 1 && deadline !== undefined && deadline - now < URGENT_MS);
    const color = isUrgent ? "warning" : fact === words.awaited ? "success" : "muted";
    const room = Math.max(1, width - INDENT.length);
    const [item = []] = clipped(wrapped([fact], room, { color }), 1, room, glyphs.more);
    const line = lines.at(-1);
    const separator = styled(glyphs.separator, { color: "muted" });
    if (line !== undefined && lineWidth([...line, separator, ...item]) <= width)
      line.push(separator, ...item);
    else if (lines.length < most) lines.push([styled(INDENT), ...item]);
    else break;
  }
  return lines;
}

function truncated(line: StyledLine, width: number, glyphs: Glyphs): StyledLine {
  return truncateLine(line, width, glyphs.more);
}

function keyLines(
  items: readonly (readonly [string, InboxKeyWord])[],
  words: InboxWords,
  glyphs: Glyphs,
  width: number,
  most: number,
): readonly StyledLine[] {
  const lines: Segment[][] = [[]];
  for (const [keys, word] of items) {
    const item = [
      styled(keys === "↑↓" ? glyphs.arrows : keys, { bold: true }),
      styled(` ${words.keys[word]}`, { color: "muted" }),
    ];
    const line = lines.at(-1) ?? [];
    const separator = line.length === 0 ? [] : [styled(glyphs.separator, { color: "muted" })];
    if (lineWidth([...line, ...separator, ...item]) <= width) line.push(...separator, ...item);
    else if (lines.length < most && lineWidth(item) <= width) lines.push(item);
  }
  return lines.filter((line) => line.length > 0);
}

const HELP: readonly (readonly [string, InboxKeyWord])[] = [
  ["Up, Down, k, j, Home, End", "move"],
  ["PageUp, PageDown", "page"],
  ["Enter, Right, o", "open"],
  ["/", "search"],
  ["Esc", "endSearch"],
  ["f", "filter"],
  ["d", "decline"],
  ["c", "reply"],
  ["m", "mute"],
  ["D", "declineAll"],
  ["Ctrl+Z", "suspend"],
  ["q, Esc, Ctrl+C", "leave"],
];

export function helpLines(words: InboxWords, width: number): readonly StyledLine[] {
  const widest = Math.max(...HELP.map(([keys]) => keys.length));
  return HELP.flatMap(([keys, word]) =>
    hangLines(
      [styled(`${keys.padEnd(widest)}  `, { bold: true })],
      (room) => wrapped([words.keys[word]], room),
      width,
    ),
  );
}
