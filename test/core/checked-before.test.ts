// What was parsed or validated once is not looked at again. That must never let through what a second look
// would have refused.

import { expect, it } from "vitest";
import type { AskRequest } from "../../src/core/model/ask.js";
import { parseAsk, profiles, validateAnswers } from "../../src/index.js";

const question = { question: "Ship it?", header: "Ship", options: ["Yes", "No"] };

function parsed(input: unknown): AskRequest {
  const result = parseAsk(input);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.ask;
}

it("a parsed ask is the same ask again", () => {
  const ask = parsed({ questions: [question] });
  const again = parseAsk(ask);
  expect(again.ok && again.ask).toBe(ask);
});

it("a parsed ask is looked at anew for a narrower profile", () => {
  const five = parsed({ questions: [{ ...question, options: ["a", "b", "c", "d", "e"] }] });
  expect(parseAsk(five, { profile: profiles.claude })).toMatchObject({ issues: [{ code: "option_count" }] });
  const headless = parsed({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
  expect(parseAsk(headless, { profile: profiles.claude })).toMatchObject({
    issues: [{ code: "blank_header" }],
  });
  const twice = parsed({ questions: [question, question] });
  expect(parseAsk(twice, { profile: profiles.chat })).toMatchObject({
    issues: [{ code: "duplicate_question" }],
  });
  const many = parsed({
    questions: Array.from({ length: 5 }, (_, index) => ({ ...question, id: `${index}` })),
  });
  expect(parseAsk(many, { profile: profiles.canonical })).toMatchObject({
    issues: [{ code: "too_many_questions" }],
  });
});

it("a copy of a parsed ask that was changed is looked at anew", () => {
  const ask = parsed({ questions: [question] });
  expect(parseAsk({ ...ask, timeoutMs: -1 }).ok).toBe(false);
  expect(parseAsk({ ...ask, questions: [] }).ok).toBe(false);
});

it("answers that were checked are no answers to other questions", () => {
  const ask = parsed({ questions: [question] });
  const other = parsed({ questions: [{ ...question, options: [{ id: "later", label: "Later" }] }] });
  const checked = validateAnswers(ask, [{ question: "q1", selected: ["o2"] }]);
  if (!checked.ok) throw new Error("not valid");
  expect(validateAnswers(ask, checked.answers)).toEqual(checked);
  expect(validateAnswers(other, checked.answers)).toMatchObject({ issues: [{ code: "unknown_option" }] });
});

it("answers that were checked with a gap are refused where none may be", () => {
  const ask = parsed({ questions: [question, { ...question, question: "When?" }], allowPartial: true });
  const checked = validateAnswers(ask, [{ question: "q1", selected: ["o1"] }]);
  if (!checked.ok) throw new Error("not valid");
  expect(validateAnswers(ask, checked.answers).ok).toBe(true);
  expect(validateAnswers(ask, checked.answers, { partial: false })).toMatchObject({
    issues: [{ code: "empty_answer" }],
  });
});

it("answers to questions that can still be changed are checked each time", () => {
  const questions = [...parsed({ questions: [question] }).questions];
  const checked = validateAnswers({ questions }, [{ question: "q1", selected: ["o1"] }]);
  if (!checked.ok) throw new Error("not valid");
  questions.splice(0, 1, ...parsed({ questions: [{ ...question, options: [] }] }).questions);
  expect(validateAnswers({ questions }, checked.answers).ok).toBe(false);
});
