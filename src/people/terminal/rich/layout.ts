// What stands where. Pure: a scene gives a frame that fits the terminal.
//
// Where there is too little room, things go in this order, each step trying again:
//
//   1. empty lines between the parts
//   2. the preview below the options gets shorter
//   3. the preview goes
//   4. descriptions and long labels of rows without the cursor
//   5. the rows scroll; context, question and messages are folded. The last to scroll is an action, with its arguments:
//      nothing else takes room from it but the decisions
//
// What is folded or gone can be read in full with `o`. Beside the options, from 100 columns on, the preview takes
// no room from them and stays.

import type { StyledLine } from "../../cells/line.js";
import type { Frame } from "../screen/painter.js";
import { type BlockContext, rowBlocks } from "./blocks.js";
import { listLines, scrolled } from "./list.js";
import { optionOf, previewLines, rule, sideBySide, windowOf } from "./preview.js";
import type { Scene, Scroll } from "./scene.js";
import { heightOf, joined, surroundings, trimmed } from "./sections.js";

export interface Layout {
  readonly frame: Frame;
  readonly scroll: Scroll;
}

const BESIDE_FROM = 100;
/** Longer lines are hard to read. */
const MOST_WIDTH = 110;
const MOST_PREVIEW = 14;
const LEAST_PREVIEW = 3;
const MOST_FIELD = 8;
/** An action leaves so many of its rows on the screen. */
const LEAST_ROWS = 3;

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
  const around = surroundings(scene, {
    width,
    isTight: level === SCROLLING,
    share: level < SHORT_PREVIEW ? 4 : 6,
  });
  const isAction = view.panel === "steps" && view.step.kind === "action";
  const share = Math.floor(rows / (level === SCROLLING ? 3 : 2));
  // Arguments are all there is to read while they are edited.
  const fieldHeight =
    isAction && level === SCROLLING
      ? Math.max(share, rows - heightOf(around) - LEAST_ROWS - 1)
      : Math.min(isAction ? rows : MOST_FIELD, share);
  let field = { first: scroll.field, width: scroll.fieldWidth };
  const blocks = rowBlocks({
    ask: scene.state.ask,
    view,
    width: left,
    words,
    locale: scene.locale,
    glyphs,
    detail: level >= CURSOR_ONLY ? "cursor" : "all",
    fieldHeight: Math.max(1, fieldHeight),
    editor: scene.editor && {
      state: scene.editor.state,
      first: field.first,
      shown: (first: number, width: number) => {
        field = { first, width };
      },
    },
  } satisfies BlockContext);

  // An action is never cut: where there is no room for all of it, it scrolls.
  const roomForTitle = Math.max(1, rows - heightOf({ ...around, title: [] }) - LEAST_ROWS);
  if (isAction && level < SCROLLING && around.title.length > roomForTitle) return undefined;
  const title = isAction
    ? windowOf(around.title, scroll.title, roomForTitle, scene)
    : { lines: around.title, top: 0 };
  const sections = trimmed({ ...around, title: title.lines }, rows);
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
      // Where no row has the cursor, it stands on the title.
      cursor: view.rows.some(({ cursor }) => cursor)
        ? { row: start + visible.cursor.row, column: visible.cursor.column }
        : { row: joined([sections.context, sections.chips, [[]]], gap).length - 1, column: 0 },
    },
    scroll: {
      list: visible.top,
      title: title.top,
      titleHeight: title.lines.length - 1,
      preview: shown.top,
      field: field.first,
      fieldWidth: field.width,
      height: total + filler,
    },
  };
}
