// The rows of the place where the person is, in the order in which a cursor passes them. Surfaces paint them;
// the form moves its cursor over them.

import { isBlank } from "../../core/kit/fold.js";
import type { Action, Decision } from "../../core/model/approval.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import type { Option } from "../../core/model/option.js";
import type { Answer } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { answerOf, decisionOf, isEdited, isUsed, type Mark, markOf, panelIssues } from "./check.js";
import { idOf } from "./parts.js";
import {
  type AnswerPart,
  type DecisionPart,
  type FormAsk,
  type FormIssue,
  type FormState,
  hasChoices,
  mostPicks,
  type Part,
  stepsOf,
  type TextField,
  type TextPart,
  takesText,
} from "./state.js";

interface RowBase {
  /** Tells a row from the others of its step; what `focus`, `pick` and `toggle` take. */
  readonly key: string;
  readonly cursor: boolean;
  /** Shown, but picking it does nothing now. */
  readonly disabled: boolean;
  /** Problems to show at this row. */
  readonly issues: readonly FormIssue[];
}

/** A text field: `value` is what was typed, also while it is not a part of the answer. */
interface FieldRow {
  readonly field: TextField;
  readonly value: string;
  /** Keys go into it now. */
  readonly typing: boolean;
  /** Something is typed that would not be sent as things stand. */
  readonly unused: boolean;
}

export type Command = "next" | "submit" | "skip" | "reply" | "decline" | "back";

export type Row =
  | (RowBase & {
      readonly kind: "option";
      /** The digit that picks it, counted from 1. */
      readonly number: number;
      readonly option: Option;
      readonly picked: boolean;
      readonly recommended: boolean;
    })
  | (RowBase &
      FieldRow & {
        readonly kind: "text";
        /** Absent where the text field is all there is. */
        readonly number?: number | undefined;
        /** The model's own option for the text field; without it, surfaces have a word of theirs. */
        readonly option?: Option | undefined;
        readonly picked: boolean;
        readonly recommended: boolean;
      })
  | (RowBase & {
      readonly kind: "decision";
      readonly number: number;
      readonly decision: DecisionKind;
      readonly picked: boolean;
    })
  | (RowBase & FieldRow & { readonly kind: "field" })
  | (RowBase & {
      readonly kind: "step";
      readonly number: number;
      /** The step that picking it opens. */
      readonly step: number;
      /** What would be sent; absent while there is nothing, or nothing valid. */
      readonly answer?: Answer | undefined;
      readonly decision?: Decision | undefined;
      readonly mark: Mark;
    })
  | (RowBase & { readonly kind: "command"; readonly command: Command; readonly picked: boolean });

/** Stands for an open panel in `state.tried`. */
export const PANEL_STEP = -1;

export const TEXT_KEY = "text";

export function optionKey(id: string): string {
  return `option:${id}`;
}

export function isField(row: Row | undefined): row is Extract<Row, FieldRow> {
  return row?.kind === "field" || row?.kind === "text";
}

/** Whether a row is marked as (a part of) the answer. */
export function isPicked(row: Row): boolean {
  return "picked" in row && row.picked;
}

/** The rows of the current step or panel. There is always at least one. */
export function rowsOf(state: FormState): readonly Row[] {
  const rows = plainRows(state);
  const issues = shownIssues(state).filter((issue) => stepOfIssue(state, issue) === stepNumber(state));
  return rows.map((row) => ({
    ...row,
    cursor: row.key === state.cursor,
    issues: issues.filter((issue) => keyOfIssue(state, issue) === row.key),
    ...(isField(row) && { typing: state.typing && row.key === state.cursor }),
  }));
}

/** The problems that a person should see now: not what is merely missing from a step they have not left yet. */
export function shownIssues(state: FormState): readonly FormIssue[] {
  const { tried, notice, refusal } = state;
  const found = panelIssues(state).filter(
    (issue) => !UNFINISHED.has(issue.code) || tried.includes(stepOfIssue(state, issue)),
  );
  return [...found, ...(notice === null ? [] : [notice]), ...(refusal?.issues ?? [])];
}

const UNFINISHED: ReadonlySet<FormIssue["code"]> = new Set<FormIssue["code"]>([
  "missing_answer",
  "empty_answer",
  "too_few_picks",
  "text_required",
  "missing_decision",
  "not_shown",
]);

/** The step that shows a problem; the last one shows those without a question or action. */
export function stepOfIssue({ ask }: FormState, { id, field }: FormIssue): number {
  if (field === "reply" || field === "reason") return PANEL_STEP;
  const steps = stepsOf(ask);
  const index = id === undefined ? -1 : steps.findIndex((step) => step.kind !== "review" && step.id === id);
  return index < 0 ? steps.length - 1 : index;
}

/** The row of its step at which a problem is shown; a problem with the choice belongs to all rows together. */
export function keyOfIssue({ ask }: FormState, { id, field }: FormIssue): string | undefined {
  if (field !== "choice") return field;
  const question = ask.questions.find((one) => one.id === id);
  return question === undefined || hasChoices(question) ? undefined : TEXT_KEY;
}

export function stepNumber({ panel, step }: FormState): number {
  return panel === "steps" ? step : PANEL_STEP;
}

function plainRows(state: FormState): readonly Row[] {
  const { ask, parts, panel } = state;
  const submit = command("submit");
  if (panel !== "steps") {
    return [field(ask, textPart(parts, panel === "reply" ? "reply" : "reason")), submit, command("back")];
  }
  const steps = stepsOf(ask);
  const step = steps[state.step];
  const part = parts[state.step];
  const sole = steps.length === 1;
  const onward = sole ? submit : command("next");
  const overall = field(ask, textPart(parts, "note"));
  const others = [command("reply"), command("decline")];
  if (step?.kind === "question" && part?.kind === "answer") {
    return [
      ...answerRows(ask, step.question, part),
      ownField(ask, part, "note", part.note),
      ...(sole && !isBlank(overall.value) ? [overall] : []),
      ...(ask.allowPartial ? [command("skip", part.skipped)] : []),
      onward,
      ...others,
    ];
  }
  if (step?.kind === "action" && part?.kind === "decision") {
    return [...decisionRows(ask, step.action, part), ...(sole ? [overall] : []), onward, ...others];
  }
  return [...parts.flatMap((one, index) => reviewRow(ask, one, index)), overall, submit, ...others];
}

function answerRows(ask: FormAsk, question: Question, part: AnswerPart): readonly Row[] {
  const most = mostPicks(question);
  const full = question.multiSelect && !part.skipped && part.selected.length + (part.own ? 1 : 0) >= most;
  // While the text is the answer, a pick that it has replaced is only remembered.
  const replaced = part.own && !question.multiSelect;
  const alone = !hasChoices(question);
  const text = (option: Option | undefined, number: number): Row => {
    const picked = !part.skipped && (alone ? !isBlank(part.text) : part.own);
    return {
      ...base(TEXT_KEY, full && !picked),
      kind: "text",
      ...fieldOf(ask, part, "text", part.text),
      number: alone ? undefined : number,
      option,
      picked,
      recommended: option?.recommended === true,
    };
  };
  const rows = question.options.map((option, index): Row => {
    if (option.input) return text(option, index + 1);
    const picked = !part.skipped && !replaced && part.selected.includes(option.id);
    return {
      ...base(optionKey(option.id), full && !picked),
      kind: "option",
      number: index + 1,
      option,
      picked,
      recommended: option.recommended === true,
    };
  });
  const hasText = rows.some(({ kind }) => kind === "text") || !takesText(question);
  return hasText ? rows : [...rows, text(undefined, rows.length + 1)];
}

/** The text fields appear with the decision that they belong to, and stay while they hold something. */
function decisionRows(ask: FormAsk, action: Action, part: DecisionPart): readonly Row[] {
  return action.allow.flatMap((decision, index): readonly Row[] => {
    const row: Row = {
      ...base(decision),
      kind: "decision",
      number: index + 1,
      decision,
      picked: part.decision === decision,
    };
    if (decision === "edit" && (row.picked || isEdited(action, part))) {
      return [row, ownField(ask, part, "args", part.args)];
    }
    if (decision === "reject" && (row.picked || !isBlank(part.message))) {
      return [row, ownField(ask, part, "message", part.message)];
    }
    return [row];
  });
}

function reviewRow(ask: FormAsk, part: Part, step: number): readonly Row[] {
  if (part.kind !== "answer" && part.kind !== "decision") return [];
  return [
    {
      ...base(`step:${step}`),
      kind: "step",
      number: step + 1,
      step,
      answer: part.kind === "answer" ? answerOf(ask, part) : undefined,
      decision: part.kind === "decision" ? decisionOf(part) : undefined,
      mark: markOf(ask, part),
    },
  ];
}

type PlainField = Extract<Row, { kind: "field" }>;

/** The field of the overall note, the reply or the reason. */
function field(ask: FormAsk, part: TextPart): PlainField {
  return ownField(ask, part, part.kind === "note" ? "overall" : part.kind, part.text);
}

function ownField(ask: FormAsk, part: Part, name: TextField, value: string): PlainField {
  return { ...base(name), kind: "field", ...fieldOf(ask, part, name, value) };
}

function fieldOf(ask: FormAsk, part: Part, name: TextField, value: string): FieldRow {
  return { field: name, value, typing: false, unused: !isBlank(value) && !isUsed(ask, part, name) };
}

function command(name: Command, picked = false): Row {
  return { ...base(name), kind: "command", command: name, picked };
}

function base(key: string, disabled = false): RowBase {
  return { key, cursor: false, disabled, issues: [] };
}

function textPart(parts: readonly Part[], kind: TextPart["kind"]): TextPart {
  const part = parts.find((one): one is TextPart => one.kind === kind && idOf(one) === undefined);
  return part ?? { kind, text: "", at: 0, surface: "" };
}
