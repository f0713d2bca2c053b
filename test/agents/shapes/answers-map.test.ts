import { describe, expect, it } from "vitest";
import { answersMap } from "../../../src/agents/shapes/answers-map.js";
import { BY } from "../../support/arbitraries.js";
import vectors from "../../vectors/answers-map.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

describe("the cases of the original", () => {
  const ask = decodedAsk(answersMap, vectors.questions);

  it.each(vectors.cases)("$name", ({ answers, error }) => {
    const decoded = answersMap.decodeOutcome(ask, answers, { by: BY });
    expect(decoded.ok ? null : decoded.issues[0]?.message).toBe(error);
  });

  it("reads labels, joined labels and typed text", () => {
    expect(answersMap.decodeOutcome(ask, vectors.cases[0]?.answers, { by: BY })).toMatchObject({
      outcome: { answers: [{ selected: ["o1"] }, { selected: ["o1", "o2"] }] },
    });
    expect(answersMap.decodeOutcome(ask, vectors.cases[1]?.answers, { by: BY })).toMatchObject({
      outcome: { answers: [{ selected: [], text: "Temporal, built in" }, { selected: ["o1"] }] },
    });
  });

  it("takes the wrapped input as well as the list", () => {
    expect(decodedAsk(answersMap, { questions: vectors.questions })).toEqual(ask);
    expect(decodedAsk(answersMap, JSON.stringify({ questions: vectors.questions }))).toEqual(ask);
  });
});

it("text that reads as labels comes back as those picks: the listed loss", () => {
  const ask = decodedAsk(answersMap, vectors.questions);
  const [first, second] = vectors.questions.map(({ question }) => question);
  const map = { [first ?? ""]: "Day.js", [second ?? ""]: "Database, Authentication" };
  const outcome = {
    kind: "answered" as const,
    answers: [
      { question: "q1", selected: [], text: "Day.js" },
      { question: "q2", selected: [], text: "Database, Authentication" },
    ],
    by: BY,
  };
  expect(answersMap.encodeOutcome(ask, outcome)).toEqual({ ok: true, output: map });
  expect(answersMap.decodeOutcome(ask, map, { by: BY })).toMatchObject({
    outcome: { answers: [{ selected: ["o1"] }, { selected: ["o1", "o2"] }] },
  });
});

it("has no map for an ending without answers, nor for two questions of the same text", () => {
  const ask = decodedAsk(answersMap, vectors.questions);
  expect(answersMap.encodeOutcome(ask, { kind: "expired" })).toMatchObject({ ok: false });
  const twice = {
    ...ask,
    questions: [ask.questions[0], ask.questions[0]].filter((each) => each !== undefined),
  };
  const answered = { kind: "answered" as const, answers: [], by: BY };
  expect(answersMap.encodeOutcome(twice, answered)).toMatchObject({ ok: false });
  expect(answersMap.decodeOutcome(twice, {}, { by: BY })).toMatchObject({
    ok: false,
    issues: [{ code: "duplicate_question" }],
  });
});
