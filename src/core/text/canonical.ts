import type { Issue, IssueCode } from "../kit/issue.js";
import type { AskContent } from "../model/ask.js";
import type { Outcome } from "../model/outcome.js";
import { answerParts } from "./text-answer.js";

/** One question with its answer, as source 000's text shows them. */
export interface AnsweredQuestion {
  readonly question: string;
  readonly multiSelect: boolean;
  readonly selected: readonly string[];
  /** Free text; where it is not blank it stands instead of the labels. */
  readonly other?: string;
  readonly note?: string;
}

/**
 * The canonical text of the answers, as source 000 defines it: questions in order, a blank line between;
 * a bare label, or a `- ` line for each pick of a multi-select; typed text verbatim. Where a multi-select
 * answer has both, the text is its last `- ` line. A note, which source 000 has no place for, follows on a
 * line of its own: what a person said is not dropped. Any outcome but `answered` gives `""`.
 *
 * Typed text is verbatim, so it can look like another question: use `describeOutcome` where that matters.
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
        ...(!both && answer.text !== undefined && { other: answer.text }),
        ...(answer.note !== undefined && { note: answer.note }),
      },
    ];
  });
  const text = formatPairs(answered);
  return outcome.note === undefined ? text : `${text}\n\nNote: ${outcome.note}`;
}

/** The text of questions and answers that are already paired. */
export function formatPairs(pairs: readonly AnsweredQuestion[]): string {
  return pairs.map((pair) => [pair.question, ...bodyLines(pair)].join("\n")).join("\n\n");
}

function bodyLines({ multiSelect, selected, other, note }: AnsweredQuestion): readonly string[] {
  const notes = note === undefined ? [] : [`Note: ${note}`];
  if (other !== undefined && other.trim() !== "") return [other, ...notes];
  const asList = multiSelect || selected.length > 1;
  return [...selected.map((label) => (asList ? `- ${label}` : label)), ...notes];
}

/** The codes of source 000's seven errors. */
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
 * Source 000 stops at its first error; `parseAsk` finds them all, in the same order. This is the first of
 * them in 000's wording, or undefined where there is none of its seven.
 */
export function canonicalError(issues: readonly Issue[]): string | undefined {
  const first = issues.find(({ code }) => CANONICAL_CODES.includes(code));
  return first && `askuserquestion: ${first.message}`;
}
