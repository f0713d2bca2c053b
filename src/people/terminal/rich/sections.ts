// The parts around the rows: context, steps, question, messages, keys.

import { panelWords } from "../../../core/words/basics.js";
import type { FormWords } from "../../../core/words/form.js";
import { lineWidth, type StyledLine, styled, truncateLine } from "../../cells/line.js";
import type { FormView } from "../../form/view.js";
import { argsLines, nameLines, textsOf } from "./action.js";
import { issueLines } from "./blocks.js";
import { footerKeys, footerLines } from "./key-list.js";
import type { Scene } from "./scene.js";
import { clipped, type Glyphs, markdownLines, modelLine, modelLines, wrapped } from "./text.js";

export interface Sections {
  readonly context: readonly StyledLine[];
  readonly chips: readonly StyledLine[];
  readonly title: readonly StyledLine[];
  readonly notices: readonly StyledLine[];
  readonly footer: readonly StyledLine[];
}

/** How much room there is. */
export interface Room {
  readonly width: number;
  /** The rows scroll: everything else is as short as it can be. */
  readonly isTight: boolean;
  /** The context gets one line of so many. */
  readonly share: number;
}

const MOST_CONTEXT = 8;

/** Everything but the rows and the preview. */
export function surroundings(scene: Scene, { width, isTight: tight, share }: Room): Sections {
  const { view, words, glyphs, size, context, locale } = scene;
  const { rows } = size;
  const key = "o";
  const mostContext = tight ? 1 : Math.min(MOST_CONTEXT, Math.floor(rows / share));
  // An action is never folded: it scrolls.
  const isAction = view.panel === "steps" && view.step.kind === "action";
  const mostTitle = isAction
    ? Number.POSITIVE_INFINITY
    : tight
      ? Math.max(1, Math.floor(rows / 4))
      : Math.max(3, Math.floor(rows / 2));
  const contextLines =
    context === undefined || view.panel !== "steps"
      ? []
      : markdownLines(scene.state.ask, context, width, glyphs.ascii);
  const readFirst = words.readFirst(scene.state.typing ? "Ctrl+O" : key);
  const notices = [
    ...view.issues
      .filter((issue) => issue.field === "choice" && view.rows.every(({ issues }) => issues.length === 0))
      .flatMap((issue) =>
        issueLines(issue, { width, locale, glyphs }, 0, issue.code === "not_shown" ? readFirst : undefined),
      ),
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
  if (view.panel !== "steps") return wrapped([panelWords(words)[view.panel].title], width, bold);
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
      const { own, current, isEdit } = textsOf(state, step);
      const isEditing = state.typing && view.rows.some((row) => row.cursor && row.key === "args");
      const shown = isEdit || isEditing ? current : own;
      return [...nameLines(step, shown, width), ...(isEditing ? [] : argsLines(shown, words, width))];
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
  const { state, view, words, glyphs, prompt, left, remembering, size } = scene;
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
  const change = state.typing ? "" : " (m)";
  const counts = remembering === undefined ? [] : wrapped([`${remembering}${change}`], width);
  const items = footerKeys(state, view, glyphs);
  return [
    ...time,
    ...clipped(counts, Math.max(1, Math.floor(size.rows / 4)), width, `${glyphs.more} (o)`),
    ...footerLines(items, { ...base, help: !state.typing }),
  ];
}

/** The parts that leave room for at least some rows, given up in this order where they do not. */
export function trimmed(sections: Sections, rows: number): Sections {
  const least = Math.min(3, rows);
  let kept = sections;
  for (const name of ["context", "chips", "notices", "title", "footer", "title", "notices"] as const) {
    if (heightOf(kept) + least <= rows) return kept;
    // The question keeps one line for as long as it can.
    const isTitle = name === "title" && kept.title.length > 1;
    kept = { ...kept, [name]: isTitle ? kept.title.slice(0, 1) : [] };
  }
  return kept;
}

export function heightOf(parts: Sections): number {
  return Object.values(parts).reduce((sum, lines: readonly StyledLine[]) => sum + lines.length, 0);
}

export function joined(parts: readonly (readonly StyledLine[])[], gap: number): readonly StyledLine[] {
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
