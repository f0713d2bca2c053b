import { describe, expect, it } from "vitest";
import { type Ask, parseAsk, profiles, validateAnswers } from "../../src/index.js";

const question = "Delete the database?";

function issuesOf(input: unknown): readonly string[] {
  const parsed = parseAsk(input);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("an id that an agent chose shadowed the label that a person read", () => {
  it.each(["No", "no", " NO ", "Ｎｏ"])("refuses the option id %j beside another option's label No", (id) => {
    const options = [
      { id, label: "Yes, delete it" },
      { id: "x", label: "No" },
    ];
    expect(issuesOf({ questions: [{ question, options }] })).toEqual([
      `questions.0.options.0.id: the id "${id}" is the label of another option; choose another id`,
    ]);
  });

  it("takes an id that equals its own label", () => {
    expect(issuesOf({ questions: [{ question, options: [{ id: "No", label: "no" }, "Yes"] }] })).toEqual([]);
  });

  it("refuses a question id that is the header of another question", () => {
    const questions = [
      { id: "Auth", question: "Which store?", header: "Store" },
      { id: "x", question: "Which auth?", header: "auth" },
    ];
    expect(issuesOf({ questions })).toEqual([
      `questions.0.id: the id "Auth" is the header of another question; choose another id`,
    ]);
  });

  it("gives an option another id than the label of another option", () => {
    const parsed = parseAsk({ questions: [{ question, options: ["o2", "O1", "o5", "c"] }] });
    expect(parsed.ok && parsed.ask.questions[0]?.options.map(({ id }) => id)).toEqual([
      "o6",
      "o7",
      "o3",
      "o4",
    ]);
  });

  it("gives a question another id than the header of another question", () => {
    const questions = [
      { question: "a", header: "Q2" },
      { question: "b", header: "B" },
    ];
    const parsed = parseAsk({ questions });
    expect(parsed.ok && parsed.ask.questions.map(({ id }) => id)).toEqual(["q1", "q3"]);
  });

  it("parses its own result to the same ids", () => {
    const parsed = parseAsk({ questions: [{ question, options: ["o2", "o1", "c"] }] });
    expect(parsed.ok).toBe(true);
    expect(parseAsk(JSON.parse(JSON.stringify(parsed.ok && parsed.ask)))).toEqual(parsed);
  });
});

describe("an answer that could mean two options", () => {
  // As a store from before the rule above may have it.
  const option = { id: "No", label: "Yes, delete it" };
  const ask = {
    questions: [
      {
        id: "q1",
        question,
        options: [option, { id: "x", label: "No" }],
        multiSelect: false,
        freeText: false,
      },
    ],
  } satisfies Pick<Ask, "questions">;

  it("is refused, with both meanings named", () => {
    expect(validateAnswers(ask, [{ question: "q1", selected: ["No"] }])).toEqual({
      ok: false,
      issues: [
        {
          code: "conflict",
          path: ["answers", 0, "selected", 0],
          message:
            '"No" is the id of "Yes, delete it" and the label of option "x"; send the label "Yes, delete it" or the id "x"',
        },
      ],
    });
  });

  it("is taken by what means one option only", () => {
    for (const [value, id] of [
      ["x", "x"],
      ["Yes, delete it", "No"],
    ]) {
      const checked = validateAnswers(ask, [{ question: "q1", selected: [value] }]);
      expect(checked.ok && checked.answers[0]?.selected).toEqual([id]);
    }
  });

  it("is refused where two options have the same label", () => {
    const same = [
      { id: "o1", label: "Yes" },
      { id: "o2", label: "Yes" },
    ];
    const twice = { questions: [{ ...ask.questions[0], id: "q1", options: same }] } as Pick<Ask, "questions">;
    const checked = validateAnswers(twice, [{ question: "q1", selected: ["Yes"] }]);
    expect(!checked.ok && checked.issues.map(({ message }) => message)).toEqual([
      '"Yes" is the label of the options "o1" and "o2"; send an id',
    ]);
    expect(validateAnswers(twice, [{ question: "q1", selected: ["o2"] }]).ok).toBe(true);
  });
});

describe("labels that look alike", () => {
  const alike = [
    ["Yes", "Yes\u200b", "an invisible character"],
    ["Yes", "Y\u{e0041}es", "a tag character"],
    ["Café", "Cafe\u0301", "normalisation"],
    ["Yes", "Yes ", "a trailing space"],
    ["Yes", "\u00a0Yes", "a leading space"],
    ["Yes", "\u202eYes", "a bidi override"],
  ] as const;

  it.each(alike)("%j and %j differ only by %s: duplicates in open and chat", (one, other) => {
    for (const profile of [profiles.open, profiles.chat]) {
      const parsed = parseAsk({ questions: [{ question, options: [one, other] }] }, { profile });
      expect(!parsed.ok && parsed.issues).toEqual([
        {
          code: "duplicate_label",
          path: ["questions", 0, "options", 1, "label"],
          message: "option labels within a question must be unique, also to the eye",
        },
      ]);
    }
  });

  it.each(alike)("%j and %j stay two options in canonical", (one, other) => {
    const input = { questions: [{ question, header: "Sure", options: [one, other] }] };
    const parsed = parseAsk(input, { profile: profiles.canonical });
    expect(parsed.ok && parsed.ask.questions[0]?.options.map(({ id }) => id)).toEqual(["o1", "o2"]);
    // A hub takes what a dialect has accepted.
    expect(parsed.ok && parseAsk(parsed.ask).ok).toBe(true);
  });

  it("takes labels that only differ in case, inner space or compatibility", () => {
    expect(issuesOf({ questions: [{ question, options: ["yes", "Yes", "a b", "ab", "m2", "m²"] }] })).toEqual(
      [],
    );
  });
});
