// The answers map of Spring AI's AskUserQuestionTool: questions as a list, answers as a map from question text to
// one string; labels joined with ", ", typed text as it is, "" for a skipped question.

import { profiles } from "../../core/kit/profiles.js";
import type { AskContent } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AnswersMap } from "../../core/model/stream-event.js";
import type { ParsedAsk } from "../../core/rules/parse-ask.js";
import { checkAnswersByText } from "../../core/text/answers-by-text.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type {
  AnswerableAsk,
  DecodedOutcome,
  DecodeOutcomeOptions,
  Dialect,
  EncodedAsk,
  EncodedOutcome,
} from "./dialect.js";
import {
  ALL_LOST,
  answered,
  answersByText,
  checkEncoded,
  neverThrowing,
  PLAIN_LOSSES,
  type PlainQuestion,
  parsePicked,
  pickQuestions,
  plainQuestions,
  repeatedTexts,
} from "./shared.js";

interface AnswersMapInput {
  readonly questions: readonly PlainQuestion[];
}

/**
 * @example
 * const decoded = answersMap.decodeAsk({ questions });
 * const encoded = answersMap.encodeOutcome(ask, outcome); // { ok: true, output: { "Which auth?": "OAuth" } }
 */
export const answersMap: Dialect<AnswersMapInput, EncodedOutcome<AnswersMap>> = {
  name: "answers-map",
  profile: profiles.spring,
  carries: ["questions", "multiSelect"],
  endings: { ...ALL_LOST, answered: "answered" },
  losses: {
    ask: [...PLAIN_LOSSES, "context", "previews", "allowPartial: false", "input"],
    outcome: ["notes", "ambiguous text"],
  },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
};

function decodeAsk(input: unknown): ParsedAsk {
  // The tool hands its answer handler the list of questions alone.
  const whole = Array.isArray(input) ? { questions: input } : input;
  return parsePicked(whole, profiles.spring, (fields) => ({
    questions: pickQuestions(fields.questions),
    allowPartial: true,
  }));
}

function encodeAsk(ask: AskContent): EncodedAsk<AnswersMapInput> {
  return checkEncoded(ask, { questions: plainQuestions(ask) }, decodeAsk);
}

function encodeOutcome(ask: AskContent, outcome: Outcome): EncodedOutcome<AnswersMap> {
  if (outcome.kind !== "answered" || repeatedTexts(ask).length > 0) {
    return { ok: false, message: describeOutcome(ask, outcome) };
  }
  return { ok: true, output: answersByText(ask, outcome.answers, { skip: () => "" }) };
}

function decodeOutcome(ask: AnswerableAsk, map: unknown, { by }: DecodeOutcomeOptions): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const repeated = repeatedTexts(ask);
    if (repeated.length > 0) return { ok: false, issues: repeated };
    const checked = checkAnswersByText(ask.questions, map);
    return checked.ok ? answered(ask, checked.answers, by) : { ok: false, issues: checked.issues };
  });
}
