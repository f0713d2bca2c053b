import { describe, expect, it } from "vitest";
import { checkAnswersByText } from "../../src/core/text/answers-by-text.js";
import { requireAsk } from "../../src/index.js";
import vectors from "../vectors/answers-map.json" with { type: "json" };

const { questions } = requireAsk({ questions: vectors.questions });

describe("the cases of the answers map's own tool", () => {
  it.each(vectors.cases)("$name", ({ answers, error, warns }) => {
    const checked = checkAnswersByText(questions, answers);
    expect(checked.ok ? null : checked.message).toBe(error);
    if (checked.ok) expect(checked.unknownKeys.length).toBe(warns ? 1 : 0);
  });
});

it.each([[null], [undefined], ["text"], [["Day.js"]]])("refuses %j instead of a map", (answers) => {
  const checked = checkAnswersByText(questions, answers);
  expect(checked.ok ? "" : checked.message).toMatch(
    /returned \w+\. Must return a non-null Map<String, String>$/,
  );
});

it("refuses a value that is no string", () => {
  const checked = checkAnswersByText(questions.slice(0, 1), { "Which library should we use?": 7 });
  expect(checked.ok ? "" : checked.message).toBe(
    'Answer for question "Which library should we use?" is number. Answer values must be strings.',
  );
});

it("takes whatever is there where it is told not to validate", () => {
  expect(checkAnswersByText(questions, null, { validate: false })).toMatchObject({
    ok: true,
    answers: [{ skipped: true }, { skipped: true }],
  });
});

it("looks only at what the map itself holds", () => {
  const nasty = ["__proto__", "constructor", "toString"];
  const asked = requireAsk({ questions: nasty.map((question) => ({ question })) }).questions;
  expect(checkAnswersByText(asked, {}).ok).toBe(false);
  const map = Object.fromEntries(nasty.map((question) => [question, `about ${question}`]));
  const checked = checkAnswersByText(asked, map);
  expect(checked.ok && checked.answers.map(({ text }) => text)).toEqual(Object.values(map));
});
