// What each declared loss does to an ask or an outcome that is encoded and decoded again.

import type { AskLoss, Dialect, OutcomeLoss } from "../../../../src/agents/shapes/dialect.js";
import { foldName } from "../../../../src/core/kit/fold.js";
import type { AskRequest } from "../../../../src/core/model/ask.js";
import { CATCH_ALL_LABELS } from "../../../../src/core/model/option.js";
import {
  type Action,
  type Option,
  type Outcome,
  profiles,
  type Question,
  requireAsk,
} from "../../../../src/index.js";

type Change<T> = (value: T, dialect: Dialect) => T;

const LOST_FROM_ASK: Readonly<Record<AskLoss, Change<AskRequest>>> = {
  address: ({ questions, approval, context, allowPartial }) => ({
    questions,
    ...(approval !== undefined && { approval }),
    ...(context !== undefined && { context }),
    session: "",
    recipients: [],
    onDeadline: "expire",
    allowPartial,
    requireSurface: false,
  }),
  recipients: (ask) => ({ ...ask, recipients: [] }),
  metadata: ({ metadata: _, ...ask }) => ask,
  onDeadline: (ask) => ({ ...ask, onDeadline: "expire" }),
  context: ({ context: _, ...ask }) => ask,
  header: eachQuestion(({ header: _, ...question }) => question),
  ids: (ask, { name }) => {
    const numbered = eachAction((action, index) => ({ ...action, id: `a${index + 1}` }))(ask);
    if (ask.questions.length === 0) return numbered;
    const without = ask.questions.map(({ id: _, header, options }, index) => ({
      question: `${index}`,
      ...(header !== undefined && { header }),
      options: options.map(({ label }, place) => ({
        label,
        ...(name === "toolbox" &&
          !isLabelOfAnother(options, place, `${place + 1}`) && { id: `${place + 1}` }),
      })),
    }));
    const { distinctLabels: _, ...profile } = profiles.open;
    const { questions } = requireAsk({ questions: without }, { profile });
    return eachQuestion((question, index) => ({
      ...question,
      id: questions[index]?.id ?? "",
      options: question.options.map((option, place) => ({
        ...option,
        id: questions[index]?.options[place]?.id ?? "",
      })),
    }))(numbered);
  },
  previews: eachOption(({ preview: _, ...option }) => option),
  "preview format": eachOption(({ preview, ...option }) => ({
    ...option,
    ...(preview !== undefined && { preview: { ...preview, format: "markdown" } }),
  })),
  "minPicks, maxPicks": eachQuestion(({ minPicks: _least, maxPicks: _most, ...question }) => question),
  "freeText: false": eachQuestion((question) => ({ ...question, freeText: true })),
  "freeText: true": eachQuestion((question) => ({ ...question, freeText: false })),
  "allowPartial: false": (ask) => ({ ...ask, allowPartial: true }),
  "allowPartial: true": (ask) => ({ ...ask, allowPartial: false }),
  recommended: eachOption(({ recommended: _, ...option }) => option),
  input: eachOption(({ input: _, ...option }) => option),
  "white space": (ask) => ({
    ...eachOption(({ description, ...option }) => ({
      ...option,
      ...(description !== undefined && { description: description.trim() }),
    }))(ask),
    ...(ask.context !== undefined && { context: ask.context.trim() }),
  }),
  "several actions": (ask) => {
    const [first, ...more] = ask.approval?.actions ?? [];
    if (first === undefined || more.length === 0) return ask;
    const actions = [first, ...more];
    const name = actions.map((action) => action.name).join(", ");
    const args = Object.fromEntries(actions.map(({ id, args: own }) => [id, own]));
    return { ...ask, approval: { actions: [{ id: "a1", name, args, allow: first.allow }] } };
  },
  edits: eachAction((action) => ({ ...action, id: "a1", allow: ["approve", "reject"] })),
};

function isLabelOfAnother(options: readonly Option[], place: number, id: string): boolean {
  return options.some(({ label }, other) => other !== place && foldName(label) === id);
}

const LOST_FROM_OUTCOME: Readonly<Record<OutcomeLoss, Change<Outcome>>> = {
  notes: (outcome) => {
    if (outcome.kind !== "answered") return outcome;
    const { note: _, ...rest } = outcome;
    return { ...rest, answers: outcome.answers.map(({ note: _note, ...answer }) => answer) };
  },
  // These depend on what was typed or chosen. The suite leaves such outcomes out, and each has a test of its own.
  "overall note": (outcome) => outcome,
  reasons: (outcome) => outcome,
  "ambiguous text": (outcome) => outcome,
  "text beside picks": (outcome) => outcome,
  "[No preference]": (outcome) => outcome,
  "typed text": (outcome) => outcome,
  skips: (outcome) => outcome,
  "all skipped": (outcome) => outcome,
  edits: (outcome) => outcome,
  "declined approvals": (outcome) => outcome,
};

export const ASK_LOSSES = Object.keys(LOST_FROM_ASK) as AskLoss[];
export const OUTCOME_LOSSES = Object.keys(LOST_FROM_OUTCOME) as OutcomeLoss[];

/** An ask as it comes back. */
export function askAfter(dialect: Dialect, ask: AskRequest): AskRequest {
  const left = ASK_LOSSES.filter((loss) => dialect.losses.ask.includes(loss)).reduce(
    (before, loss) => LOST_FROM_ASK[loss](before, dialect),
    ask,
  );
  return eachQuestion(flaggedByLabel)(left);
}

/** An outcome as it comes back. */
export function outcomeAfter(dialect: Dialect, outcome: Outcome): Outcome {
  return dialect.losses.outcome.reduce(
    (before: Outcome, loss) => LOST_FROM_OUTCOME[loss](before, dialect),
    outcome,
  );
}

/** What any parser of an ask does: a label alone marks the recommended option and the one for typed text. */
function flaggedByLabel(question: Question): Question {
  const marked = question.options.some(({ input }) => input);
  const catchAll =
    marked || !question.freeText
      ? -1
      : question.options.findIndex(({ label }) => CATCH_ALL_LABELS.includes(label));
  return {
    ...question,
    options: question.options.map((option, index) => ({
      ...option,
      ...(/\(recommended\)\s*$/i.test(option.label) && { recommended: true as const }),
      ...(index === catchAll && { input: true as const }),
    })),
  };
}

type ChangeAsk = (ask: AskRequest) => AskRequest;

function eachQuestion(change: (question: Question, index: number) => Question): ChangeAsk {
  return (ask) => ({ ...ask, questions: ask.questions.map(change) });
}

function eachOption(change: (option: Option, index: number) => Option): ChangeAsk {
  return eachQuestion((question) => ({ ...question, options: question.options.map(change) }));
}

function eachAction(change: (action: Action, index: number) => Action): ChangeAsk {
  return (ask) =>
    ask.approval === undefined ? ask : { ...ask, approval: { actions: ask.approval.actions.map(change) } };
}
