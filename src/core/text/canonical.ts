import { isBlank } from "../kit/fold.js";
import type { Issue, IssueCode } from "../kit/issue.js";
import type { AskContent } from "../model/ask.js";
import type { Outcome } from "../model/outcome.js";
import { answerParts } from "./text-answer.js";

/** One question with its answer, as the canonical text shows them. */
export interface AnsweredQuestion {
  readonly question: string;
  readonly multiSelect: boolean;
  readonly selected: readonly string[];
  /** Typed text. If it is not blank, it replaces the labels. */
  readonly other?: string | undefined;
  readonly note?: string | undefined;
}

/**
 * The answers in the canonical format: questions in order with a blank line between them, each followed by the label,
 * by a `- ` line for each pick of a multi-select, or by the typed text verbatim. If a multi-select answer has both, the
 * text is the last `- ` line. A note, which the format does not define, follows on its own line. Any outcome except
 * `answered` gives `""`.
 *
 * Typed text is verbatim, so it can look like another question. Use `describeOutcome` if that matters.
 */
export function formatAnswers(ask: AskContent, outcome: Outcome): string {
  if (outcome.kind !== "answered") return "";
  const answered = ask.questions.flatMap((question): AnsweredQuestion[] => {
    const answer = outcome.answers.find((candidate) => candidate.question === question.id);
    if (answer === undefined) return [];
    const both = answer.selected.length > 0 && answer.text !== undefined;
    return [
      {
        question: question.question,
        multiSelect: question.multiSelect,
        selected: both || answer.text === undefined ? answerParts(question, answer) : [],
        other: both ? undefined : answer.text,
        note: answer.note,
      },
    ];
  });
  const text = formatPairs(answered);
  return outcome.note === undefined ? text : `${text}\n\nNote: ${outcome.note}`;
}

/** {@link formatAnswers} for questions that already have their answers. */
export function formatPairs(pairs: readonly AnsweredQuestion[]): string {
  return pairs.map((pair) => [pair.question, ...bodyLines(pair)].join("\n")).join("\n\n");
}

function bodyLines({ multiSelect, selected, other, note }: AnsweredQuestion): readonly string[] {
  const notes = note === undefined ? [] : [`Note: ${note}`];
  if (other !== undefined && !isBlank(other)) return [other, ...notes];
  const asList = multiSelect || selected.length > 1;
  return [...selected.map((label) => (asList ? `- ${label}` : label)), ...notes];
}

/** The codes of the seven errors that the canonical format defines. */
export const CANONICAL_CODES: readonly IssueCode[] = [
  "no_questions",
  "too_many_questions",
  "blank_question",
  "blank_header",
  "option_count",
  "blank_label",
  "duplicate_label",
];

/**
 * The first of the canonical errors among the issues, in the canonical wording; undefined if there is none. `parseAsk`
 * reports all issues in the order in which a canonical parser would stop at them.
 */
export function canonicalError(issues: readonly Issue[]): string | undefined {
  const first = issues.find(({ code }) => CANONICAL_CODES.includes(code));
  return first && `askuserquestion: ${first.message}`;
}
