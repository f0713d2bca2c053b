// The rows of a form as blocks of lines: a pointer, a number, a mark, and text that hangs below its beginning.

import { isBlank } from "../../../core/kit/fold.js";
import type { Decision } from "../../../core/model/approval.js";
import type { Answer } from "../../../core/model/outcome.js";
import type { Question } from "../../../core/model/question.js";
import { panelWords } from "../../../core/words/basics.js";
import type { FormWords } from "../../../core/words/form.js";
import { freeTextOption } from "../../../core/words/free-text-option.js";
import { issueText } from "../../../core/words/issues.js";
import { lineWidth, type StyledLine, styled } from "../../cells/line.js";
import { textWidth } from "../../cells/width.js";
import { argsText } from "../../form/json-text.js";
import type { Command, Row } from "../../form/rows.js";
import { type FormAsk, type FormIssue, stepsOf, type TextField } from "../../form/state.js";
import type { FormView } from "../../form/view.js";
import type { EditorState } from "../screen/editor.js";
import { viewEditor } from "../screen/editor-view.js";
import type { Position } from "../screen/painter.js";
import { markRow } from "./seen.js";
import { clipped, type Glyphs, hangLines, modelLine, modelLines, wrapped } from "./text.js";

export interface Block {
  readonly lines: readonly StyledLine[];
  /** Where the real cursor stands within these lines, if this is the row under the cursor. */
  readonly cursor?: Position | undefined;
  /** Begins a group that stands apart from the rows before it. */
  readonly apart: boolean;
}

export interface BlockContext {
  readonly ask: FormAsk;
  readonly view: FormView;
  readonly width: number;
  readonly words: FormWords;
  readonly locale: string | undefined;
  readonly glyphs: Glyphs;
  /** Whether rows without the cursor show everything, or only the beginning of their label. */
  readonly detail: "all" | "cursor";
  /** How many rows of a text field may be shown. */
  readonly fieldHeight: number;
  /** The text field that keys go into, and where its view began the last time. */
  readonly editor?:
    | {
        readonly state: EditorState;
        readonly first: number;
        shown(first: number, width: number): void;
      }
    | undefined;
}

/** How many lines of a label, a value or an answer a row without the cursor shows. */
const MOST_LABEL = 3;
const MOST_VALUE = 4;

export function rowBlocks(context: BlockContext): readonly Block[] {
  let group = "";
  return context.view.rows.map((row) => {
    const next =
      row.kind === "command" ? "command" : row.kind === "field" && isOwnGroup(row.field) ? "field" : "choice";
    const apart = group !== "" && group !== next;
    group = next;
    return { ...rowBlock(row, context), apart };
  });
}

function isOwnGroup(field: TextField): boolean {
  return field === "note" || field === "overall";
}

function rowBlock(row: Row, context: BlockContext): Omit<Block, "apart"> {
  const { lines, cursor } = contentOf(row, context);
  const issues = row.issues.flatMap((issue) => issueLines(issue, context, 4));
  return {
    lines: [...lines, ...issues],
    cursor: row.cursor ? (cursor ?? { row: 0, column: 0 }) : undefined,
  };
}

interface Content {
  readonly lines: readonly StyledLine[];
  readonly cursor?: Position | undefined;
}

function contentOf(row: Row, context: BlockContext): Content {
  const { words, glyphs, width } = context;
  switch (row.kind) {
    case "option":
      return { lines: optionLines(row, context) };
    case "text":
      return fieldContent(row, textLabel(row, context), context);
    case "field":
      return fieldContent(row, FIELD_LABELS[row.field](words), context);
    case "decision": {
      const prefix = [...head(row, context), ...mark(row.picked, glyphs.single)];
      return {
        lines: hangLines(prefix, (room) => wrapped([words[row.decision]], room, rowStyle(row)), width),
      };
    }
    case "step":
      return { lines: reviewLines(row, context) };
    case "command": {
      const text = commandLabel(row.command, context);
      const symbol = row.command === "skip" && row.picked ? glyphs.single[1] : glyphs.command;
      const prefix = [...pointer(row, glyphs), styled(`${symbol} `, { color: "muted" })];
      return { lines: hangLines(prefix, (room) => wrapped([text], room, rowStyle(row)), width) };
    }
  }
}

function optionLines(row: Extract<Row, { kind: "option" }>, context: BlockContext): readonly StyledLine[] {
  const { glyphs, view, words, width } = context;
  const marks = view.picks === undefined ? glyphs.single : glyphs.multi;
  const prefix = [...head(row, context), ...mark(row.picked, marks)];
  const shown = row.cursor || context.detail === "all";
  const label = modelLine(row.option.label);
  const recommended = row.recommended && !/\(recommended\)\s*$/i.test(label) ? ` (${words.recommended})` : "";
  return hangLines(
    prefix,
    (room) => {
      const most = row.cursor ? Number.POSITIVE_INFINITY : shown ? MOST_LABEL : 1;
      // No more of a long label than can be seen.
      const text = `${label}${recommended}`.slice(0, (most + 1) * room);
      const labelLines = clipped(wrapped([text], room, rowStyle(row)), most, room, glyphs.more);
      const { description } = row.option;
      if (!shown || description === undefined) return labelLines;
      return [...labelLines, ...wrapped(modelLines(description), room, { color: "muted" })];
    },
    width,
  );
}

/** A text field: its label, and behind or below it what is typed. */
function fieldContent(
  row: Extract<Row, { kind: "text" | "field" }>,
  label: string,
  context: BlockContext,
): Content {
  const { glyphs, words, view, width, editor } = context;
  const marks = view.picks === undefined ? glyphs.single : glyphs.multi;
  const before =
    row.kind === "text" && row.number !== undefined
      ? [...head(row, context), ...mark(row.picked, marks)]
      : [...pointer(row, glyphs)];
  const flag = row.unused ? ` (${words.unused})` : "";
  const title = styled(
    `${label}${flag}:`,
    row.cursor ? { bold: true } : row.disabled ? { color: "muted" } : {},
  );
  const prefix = [...before, title, styled(" ")];
  if (!row.typing || editor === undefined) {
    const value = isBlank(row.value) ? [] : row.value.split("\n").map(modelLine);
    // The title shows arguments in full.
    const isShort = context.detail === "cursor" || row.field === "args";
    const most = row.cursor ? context.fieldHeight : isShort ? 1 : MOST_VALUE;
    const room = (inside: number): readonly StyledLine[] =>
      value.length === 0 ? [[]] : clipped(wrapped(value, inside), most, inside, glyphs.more);
    return { lines: hangLines(prefix, room, width) };
  }
  // Arguments have lines of their own, and a long label leaves no room behind it.
  const isBelow = row.field === "args" || lineWidth(prefix) > width / 2;
  const bar = isBelow ? [styled("  "), styled(`${glyphs.bar} `, { color: "accent" })] : prefix;
  const taken = lineWidth(bar) < width ? lineWidth(bar) : 0;
  const space = { width: Math.max(1, width - taken), height: context.fieldHeight };
  const shown = viewEditor(editor.state, space, editor.first);
  editor.shown(shown.first, space.width);
  const indent = isBelow ? bar : [styled(" ".repeat(taken))];
  const rows = shown.rows.map(
    (text, index): StyledLine => [...(taken === 0 ? [] : index === 0 ? bar : indent), styled(text)],
  );
  const { step } = view;
  if (row.field === "args" && step.kind === "action") {
    const { args } = step.action;
    const of = { id: step.id, args: row.value, isChanged: row.value !== argsText(args) };
    for (const [index, place] of shown.places.entries()) {
      markRow(rows[index] ?? [], of, { ...place, line: place.line + 1 }, space.width);
    }
  }
  const above: readonly StyledLine[] = isBelow ? [prefix] : [];
  return {
    lines: [...above, ...rows],
    cursor: { row: above.length + shown.cursor.row, column: taken + shown.cursor.column },
  };
}

function reviewLines(row: Extract<Row, { kind: "step" }>, context: BlockContext): readonly StyledLine[] {
  const { ask, words, glyphs, width } = context;
  const step = stepsOf(ask)[row.step];
  const title =
    step?.kind === "question"
      ? (step.question.header ?? step.question.question)
      : step?.kind === "action"
        ? step.action.name
        : words.review;
  const done = row.mark === "done" || row.mark === "skipped";
  const symbol = done
    ? styled(`${glyphs.done} `, { color: "success" })
    : styled(`${glyphs.open} `, { color: row.mark === "open" ? "warning" : "muted" });
  const text =
    step?.kind === "question"
      ? answerText(step.question, row.answer, words)
      : step?.kind === "action"
        ? decisionText(row.decision, words)
        : words.notAnswered;
  const most = row.cursor || context.detail === "all" ? MOST_VALUE : 1;
  return hangLines(
    [...head(row, context), symbol],
    (room) => [
      ...clipped(
        wrapped([modelLine(title)], room, rowStyle(row)),
        row.cursor ? MOST_LABEL : 1,
        room,
        glyphs.more,
      ),
      ...clipped(wrapped(modelLines(text), room, done ? {} : { color: "muted" }), most, room, glyphs.more),
    ],
    width,
  );
}

/** What an answer says, on one line for each part. */
export function answerText(question: Question, answer: Answer | undefined, words: FormWords): string {
  if (answer === undefined) return words.notAnswered;
  if (answer.skipped === true) return words.skipped;
  const labels = answer.selected.map(
    (id) => question.options.find((option) => option.id === id)?.label ?? id,
  );
  const texts =
    answer.text === undefined ? labels : [...labels.map((label) => modelLine(label)), answer.text];
  const note = answer.note === undefined ? "" : `\n${words.note}: ${answer.note}`;
  return `${texts.join(", ")}${note}`;
}

export function decisionText(decision: Decision | undefined, words: FormWords): string {
  if (decision === undefined) return words.notAnswered;
  const message = decision.kind === "reject" && decision.message !== undefined ? `: ${decision.message}` : "";
  const args = decision.kind === "edit" ? `: ${JSON.stringify(decision.args)}` : "";
  return `${words[decision.kind]}${message}${args}`;
}

/** A problem, marked as one also without colour. */
export function issueLines(
  issue: FormIssue,
  { width, locale, glyphs }: Pick<BlockContext, "width" | "locale" | "glyphs">,
  indent = 0,
  text: string = issueText(issue, locale),
): readonly StyledLine[] {
  const prefix = [styled(`${" ".repeat(indent)}${glyphs.problem} `, { color: "warning", bold: true })];
  return hangLines(prefix, (room) => wrapped([text], room, { color: "warning" }), width);
}

export const FIELD_LABELS: Readonly<Record<TextField, (words: FormWords) => string>> = {
  text: (words) => words.answer,
  note: (words) => words.note,
  overall: (words) => words.overall,
  args: (words) => words.args,
  message: (words) => words.message,
  reply: (words) => words.replyField,
  reason: (words) => words.reason,
};

function textLabel(row: Extract<Row, { kind: "text" }>, { locale, words }: BlockContext): string {
  if (row.number === undefined) return words.answer;
  return row.option === undefined ? freeTextOption(locale).label : modelLine(row.option.label);
}

function commandLabel(command: Command, { view, words }: BlockContext): string {
  if (command !== "submit") return words[command];
  return view.panel === "steps" ? words.send : panelWords(words)[view.panel].send;
}

function rowStyle({ cursor, disabled }: Row): { readonly bold?: boolean; readonly color?: "muted" } {
  return { ...(cursor && { bold: true }), ...(disabled && { color: "muted" as const }) };
}

function pointer({ cursor }: Row, glyphs: Glyphs): StyledLine {
  return [styled(cursor ? `${glyphs.pointer} ` : "  ", { color: "accent", bold: true })];
}

/** The pointer and the number, as wide as the widest of them. */
function head(
  row: Row & { readonly number?: number | undefined },
  { view, glyphs }: BlockContext,
): StyledLine {
  const most = Math.max(...view.rows.map((other) => ("number" in other ? (other.number ?? 0) : 0)));
  const number = `${row.number ?? ""}`.padStart(`${most}`.length);
  return [...pointer(row, glyphs), styled(`${number}. `, { color: "muted" })];
}

function mark(on: boolean, [off, filled]: readonly [string, string]): StyledLine {
  const text = on ? filled : off;
  return [
    styled(
      `${text}${" ".repeat(Math.max(1, textWidth(filled) + 1 - textWidth(text)))}`,
      on ? { color: "accent" } : { color: "muted" },
    ),
  ];
}
