// Reads an answers map, as an answer handler returns it: from question text to one string.

import { isBlank } from "../kit/fold.js";
import type { Issue } from "../kit/issue.js";
import { isRecord } from "../kit/json.js";
import type { Answer } from "../model/outcome.js";
import type { Question } from "../model/question.js";
import { typeName } from "../read/input-reader.js";
import { decodeTextAnswer } from "./text-answer.js";

export type CheckedAnswersByText =
  | {
      readonly ok: true;
      readonly answers: readonly Answer[];
      /** Keys that are not the text of any question; they are not among the answers. */
      readonly unknownKeys: readonly string[];
    }
  /** `message` is the first problem in the wording of the answers map's own tool; `issues` has all of them. */
  | { readonly ok: false; readonly message: string; readonly issues: readonly Issue[] };

/**
 * Reads a map from question text to answer. Every question needs a string, where `""` skips it; unknown keys are
 * only listed. With `validate: false`, a missing or invalid answer skips its question too. `validateAnswers` then checks
 * whether the ask allows such answers.
 *
 * @example
 * checkAnswersByText(ask.questions, { "Which auth?": "OAuth" });
 */
export function checkAnswersByText(
  questions: readonly Question[],
  answers: unknown,
  options: { readonly validate?: boolean } = {},
): CheckedAnswersByText {
  const issues = (options.validate ?? true) ? findIssues(questions, answers) : [];
  const [first] = issues;
  if (first !== undefined) return { ok: false, message: first.message, issues };
  const given = isRecord(answers) ? answers : {};
  return {
    ok: true,
    answers: questions.map((question) => {
      const text = ownValue(given, question.question);
      if (typeof text !== "string") return decodeTextAnswer(question, "");
      // Only the empty string skips a question; one that only looks empty leaves it out.
      const isLeft = text !== "" && isBlank(text);
      return isLeft ? { question: question.id, selected: [] } : decodeTextAnswer(question, text);
    }),
    unknownKeys: findUnknownKeys(questions, given),
  };
}

/** The map's own value for a key: a question may be called `constructor` or `__proto__`. */
export function ownValue(map: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function findIssues(questions: readonly Question[], answers: unknown): readonly Issue[] {
  if (!isRecord(answers)) {
    const what = answers === undefined ? "null" : typeName(answers);
    const message = `The answer handler returned ${what}. Must return a non-null Map<String, String>`;
    return [{ code: "wrong_type", path: [], message }];
  }
  return questions.flatMap(({ question }): Issue[] => {
    const path = [question];
    if (!Object.hasOwn(answers, question) || answers[question] === undefined) {
      const message = `Missing answer for question: "${question}". All questions must have answers.`;
      return [{ code: "missing_answer", path, message }];
    }
    const text = answers[question];
    if (text === null) {
      const message = `Answer for question "${question}" is null. Answer values should not be null (empty strings are acceptable).`;
      return [{ code: "wrong_type", path, message }];
    }
    if (typeof text !== "string") {
      const message = `Answer for question "${question}" is ${typeName(text)}. Answer values must be strings.`;
      return [{ code: "wrong_type", path, message }];
    }
    return [];
  });
}

function findUnknownKeys(
  questions: readonly Question[],
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const asked = new Set(questions.map(({ question }) => question));
  return Object.keys(given).filter((key) => !asked.has(key));
}
