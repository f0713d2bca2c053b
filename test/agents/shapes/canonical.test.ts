import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/agents/shapes/canonical.js";
import { formatAnswers, profiles } from "../../../src/index.js";
import { arbitraryAnswered, BY } from "../../support/arbitraries.js";
import { mutateJson } from "../../support/mutate-json.js";
import vectors from "../../vectors/canonical.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

const option = (label: unknown) => ({ label, description: "" });
const question = (fields: object) => ({
  question: "Q?",
  header: "H",
  options: [option("a"), option("b")],
  ...fields,
});

describe("Validate", () => {
  it.each(vectors.validate)("$name", ({ questions, error }) => {
    const found = canonical.validate({ questions });
    expect(found?.message ?? null).toBe(error === null ? null : `askuserquestion: ${error}`);
  });

  it.each([
    [
      "the count of questions before anything in them",
      Array(5).fill(question({ question: "" })),
      "too_many_questions",
    ],
    [
      "a whole question before the next",
      [question({ options: [] }), question({ question: "" })],
      "option_count",
    ],
    ["text before header", [question({ question: "", header: "" })], "blank_question"],
    ["header before options", [question({ header: " ", options: [] })], "blank_header"],
    ["the count of options before their labels", [question({ options: [option("")] })], "option_count"],
    [
      "an option before the next: repeated, then blank",
      [question({ options: ["a", "a", ""].map(option) })],
      "duplicate_label",
    ],
    [
      "an option before the next: blank, then repeated",
      [question({ options: ["a", "", "a"].map(option) })],
      "blank_label",
    ],
  ])("finds %s", (_name, questions, code) => {
    expect(canonical.validate({ questions })?.code).toBe(code);
  });

  it("says what it cannot decode before its own errors", () => {
    const questions = [question({ question: "", options: [option("a"), option(7)] })];
    expect(canonical.validate({ questions })).toEqual({
      code: "wrong_type",
      message: "invalid parameters: questions[0].options[1].label: must be a string, not number",
    });
    expect(canonical.validate("{")?.message).toMatch(/^invalid parameters: /);
  });

  it("finds an error exactly where the ask is refused", () => {
    const documents = vectors.validate.map(({ questions }) => ({ questions }));
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const params = mutateJson(documents, seed);
        expect(canonical.validate(params) === undefined).toBe(canonical.decodeAsk(params).ok);
      }),
    );
  });
});

describe("Format", () => {
  it.each(vectors.format)("$name", ({ questions, answers, text }) => {
    const params = {
      questions: questions.map(([asked, multiSelect]) => ({
        question: String(asked),
        multiSelect: Boolean(multiSelect),
      })),
    };
    expect(canonical.format(params, answers)).toBe(text);
  });

  const one = { questions: [{ question: "Q?", multiSelect: false }] };
  it.each([
    ["no answers", [], ""],
    ["extra answers are dropped", [{ selected: ["a"] }, { selected: ["b"] }], "Q?\na"],
    ["white space is no other", [{ selected: ["a"], other: " \n" }], "Q?\na"],
    ["other is not trimmed", [{ other: "  mine " }], "Q?\n  mine "],
    ["two picks of a single-select are a list", [{ selected: ["a", "b"] }], "Q?\n- a\n- b"],
  ])("%s", (_name, answers, text) => {
    expect(canonical.format(one, answers)).toBe(text);
  });
});

it("the text of encoded answers is the text of our own", () => {
  fc.assert(
    fc.property(
      arbitraryAnswered({ profile: profiles.canonical, answers: { notes: false } }),
      ({ ask, outcome }) => {
        const reply = canonical.encodeOutcome(ask, outcome);
        if (!("answers" in reply)) throw new Error("no answers");
        expect(canonical.format(ask, reply.answers)).toBe(formatAnswers(ask, outcome));
      },
    ),
  );
});

describe("replies", () => {
  const ask = decodedAsk(canonical, {
    questions: [question({ question: "One?" }), question({ question: "Two?", multiSelect: true })],
  });
  const by = { by: BY };

  it("other wins over selected", () => {
    const answers = [{ selected: ["a"], other: "mine" }, { selected: ["b"] }];
    expect(canonical.decodeOutcome(ask, { answers }, by)).toMatchObject({
      outcome: { answers: [{ selected: [], text: "mine" }, { selected: ["o2"] }] },
    });
  });

  it("an answer that names its question may come in another order", () => {
    const answers = [
      { question: "Two?", selected: ["b"] },
      { question: "One?", selected: ["a"] },
    ];
    expect(canonical.decodeOutcome(ask, answers, by)).toMatchObject({
      outcome: {
        answers: [
          { question: "q1", selected: ["o1"] },
          { question: "q2", selected: ["o2"] },
        ],
      },
    });
  });

  it.each([
    ["a missing answer", [{ selected: ["a"] }], "missing_answer"],
    ["an empty answer", [{}, { selected: ["a"] }], "empty_answer"],
    ["two picks of a single-select", [{ selected: ["a", "b"] }, { selected: ["a"] }], "too_many_picks"],
    ["an id of ours, which is no label", [{ selected: ["o1"] }, { selected: ["a"] }], "unknown_option"],
    ["an answer to something else", [{ question: "Three?", selected: ["a"] }], "unknown_question"],
    [
      "the same question twice",
      [
        { question: "One?", selected: ["a"] },
        { question: "One?", selected: ["b"] },
      ],
      "duplicate_answer",
    ],
    ["an answer that is no object", ["a", "b"], "wrong_type"],
  ])("%s is refused", (_name, answers, code) => {
    const decoded = canonical.decodeOutcome(ask, { answers }, by);
    expect(decoded.ok ? [] : decoded.issues.map((issue) => issue.code)).toContain(code);
  });

  it("extra answers are dropped", () => {
    const answers = [{ selected: ["a"] }, { selected: ["b"] }, { selected: ["c"] }];
    expect(canonical.decodeOutcome(ask, answers, by).ok).toBe(true);
  });

  it("a decline and a reply are cancelled, and come back as declined; other endings are errors", () => {
    const declined = { kind: "declined" as const, reason: "no", by: BY };
    expect(canonical.encodeOutcome(ask, declined)).toEqual({ cancelled: true });
    expect(canonical.encodeOutcome(ask, { kind: "replied", text: "x", by: BY })).toEqual({ cancelled: true });
    expect(canonical.decodeOutcome(ask, { cancelled: true }, by)).toEqual({
      ok: true,
      outcome: { kind: "declined", by: BY },
    });
    for (const kind of ["expired", "withdrawn", "unavailable"] as const) {
      const reply = canonical.encodeOutcome(ask, { kind });
      expect(reply).toEqual({ error: expect.any(String) });
      expect(canonical.decodeOutcome(ask, reply, by).ok).toBe(false);
    }
  });

  it("text beside picks that equals a label comes back as that pick: the listed loss", () => {
    const answers = [
      { question: "q1", selected: ["o1"] },
      { question: "q2", selected: ["o1"], text: "b" },
    ];
    const reply = canonical.encodeOutcome(ask, { kind: "answered", answers, by: BY });
    expect(canonical.decodeOutcome(ask, reply, by)).toMatchObject({
      outcome: { answers: [{}, { selected: ["o1", "o2"] }] },
    });
  });
});
