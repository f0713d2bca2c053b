import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profiles, validateAnswers } from "../../src/core/index.js";
import { answersMap } from "../../src/dialects/answers-map.js";
import {
  arbitraryAnswered,
  arbitraryAnsweredOf,
  arbitraryAsk,
  BY,
  plainText,
} from "../support/arbitraries.js";
import vectors from "../vectors/answers-map.json" with { type: "json" };
import {
  flaggedByLabel,
  questionsAlone,
  withFreeText,
  withFreshIds,
  withoutBounds,
  withPreviews,
} from "./losses.js";

function decodedAsk(input: unknown) {
  const decoded = answersMap.decodeAsk(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  return decoded.ask;
}

describe("source 003's cases", () => {
  const ask = decodedAsk(vectors.questions);

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
    expect(decodedAsk({ questions: vectors.questions })).toEqual(ask);
    expect(decodedAsk(JSON.stringify({ questions: vectors.questions }))).toEqual(ask);
  });
});

it("takes nothing from the input but the questions", () => {
  const question = { ...vectors.questions[0], id: "mine", freeText: false, minPicks: 1 };
  const ask = decodedAsk({ questions: [question], session: "theirs", recipients: ["eve"], deadline: "bad" });
  expect(ask).toMatchObject({ session: "", recipients: [], questions: [{ id: "q1", freeText: true }] });
});

it("an ask comes back with the listed losses and no others", () => {
  fc.assert(
    fc.property(arbitraryAsk({ profile: profiles.spring }), (ask) => {
      const encoded = answersMap.encodeAsk(ask);
      const left = withFreeText(
        withPreviews(withoutBounds(withFreshIds(questionsAlone(ask, true))), undefined),
        true,
      );
      expect(encoded.ok && decodedAsk(JSON.parse(JSON.stringify(encoded.input)))).toEqual(
        flaggedByLabel(left),
      );
    }),
  );
});

it("answers come back whole where no string can be read in two ways", () => {
  const unambiguous = { text: plainText("label"), profile: profiles.spring };
  const answers = { text: plainText("typed"), notes: false };
  fc.assert(
    fc.property(arbitraryAnswered({ ...unambiguous, answers }), ({ ask, outcome }) => {
      const encoded = answersMap.encodeOutcome(ask, outcome);
      const map = encoded.ok && JSON.parse(JSON.stringify(encoded.output));
      expect(answersMap.decodeOutcome(ask, map, { by: BY })).toEqual({ ok: true, outcome });
    }),
  );
});

const answeredInThisShape = arbitraryAsk({ profile: profiles.spring }).chain((ask) =>
  arbitraryAnsweredOf(withFreeText(withoutBounds(ask), true)),
);

it("whatever is typed and however labels look, each question keeps a valid answer of its own", () => {
  fc.assert(
    fc.property(answeredInThisShape, ({ ask, outcome }) => {
      const encoded = answersMap.encodeOutcome(ask, outcome);
      if (!encoded.ok) throw new Error(encoded.message);
      expect(Object.keys(encoded.output).sort()).toEqual(
        ask.questions.map(({ question }) => question).sort(),
      );
      const decoded = answersMap.decodeOutcome(ask, encoded.output, { by: BY });
      if (!decoded.ok || decoded.outcome.kind !== "answered") throw new Error(JSON.stringify(decoded));
      expect(validateAnswers(ask, decoded.outcome.answers)).toEqual({
        ok: true,
        answers: decoded.outcome.answers,
      });
    }),
  );
});

it("text that reads as labels comes back as those picks: the listed loss", () => {
  const ask = decodedAsk(vectors.questions);
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

it("has no map for an ending that is no answer, nor for two questions of the same text", () => {
  const ask = decodedAsk(vectors.questions);
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

it("refuses to encode an approval", () => {
  const approval = { actions: [{ id: "a1", name: "deploy", args: {}, allow: ["approve" as const] }] };
  expect(answersMap.encodeAsk({ questions: [], approval })).toMatchObject({
    ok: false,
    issues: [{ path: ["approval"] }],
  });
});
