import { describe, expect, it } from "vitest";
import { harness } from "../../../src/agents/shapes/harness.js";
import type { Outcome } from "../../../src/index.js";
import { BY } from "../../support/arbitraries.js";
import vectors from "../../vectors/harness.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

const ask = decodedAsk(harness, vectors.input);

it("gives what the types of the AI SDK take, lists that can be changed included", () => {
  const by = BY;
  const output: { action: string } | { action: string; answers: Record<string, { optionIds: string[] }> } =
    harness.encodeOutcome(ask, {
      kind: "answered",
      answers: [{ question: "question-1", selected: ["option-1"] }],
      by,
    });
  expect(output).toMatchObject({ answers: { "question-1": { optionIds: ["option-1"] } } });
  const encoded = harness.encodeAsk(ask);
  const questions: { options?: { id: string; label: string }[] }[] = encoded.ok
    ? encoded.input.questions
    : [];
  expect(questions).toHaveLength(ask.questions.length);
});

describe("golden cases", () => {
  it("reads the input", () => {
    expect(ask.questions).toEqual(vectors.questions);
    expect(ask.allowPartial).toBe(true);
  });

  it("writes the same input again", () => {
    expect(harness.encodeAsk(ask)).toEqual({ ok: true, input: vectors.input });
  });

  it.each(vectors.outcomes)("$name", ({ outcome, output }) => {
    expect(JSON.stringify(harness.encodeOutcome(ask, outcome as Outcome))).toBe(output);
    expect(harness.decodeOutcome(ask, JSON.parse(output), { by: BY })).toEqual({ ok: true, outcome });
  });

  it.each(vectors.cancelled)(
    "$kind is cancelled, and comes back as withdrawn: the listed loss",
    (outcome) => {
      const output = harness.encodeOutcome(ask, outcome as Outcome);
      expect(output).toEqual({ action: "cancelled" });
      expect(harness.decodeOutcome(ask, output, { by: BY })).toMatchObject({
        outcome: { kind: "withdrawn" },
      });
    },
  );

  it.each(vectors.refuseAsk)("refuses to ask: $name", ({ input, codes, path }) => {
    const decoded = harness.decodeAsk(input);
    if (decoded.ok) throw new Error("decoded");
    expect(decoded.issues.map(({ code }) => code)).toEqual(codes);
    expect(decoded.issues[0]?.path).toEqual(path);
  });

  it.each(vectors.refuseOutcome)("refuses: $name", ({ output, codes }) => {
    const decoded = harness.decodeOutcome(ask, JSON.parse(output), { by: BY });
    expect(decoded.ok ? [] : decoded.issues.map(({ code }) => code)).toEqual(codes);
  });
});

it.each([
  [{ options: [{ id: "a", label: "A" }] }, false],
  [{ options: [] }, true],
  [{}, true],
  [{ options: [{ id: "a", label: "A" }], allowFreeForm: { secret: false } }, true],
])("free text of %j is %s", (fields, freeText) => {
  const asked = decodedAsk(harness, {
    allowPartialAnswers: false,
    questions: [{ id: "q", question: "Q?", ...fields }],
  });
  expect(asked.questions[0]?.freeText).toBe(freeText);
});
