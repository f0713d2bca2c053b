import { describe, expect, it } from "vitest";
import type { IssueCode } from "../../src/core/kit/issue.js";
import type { ParsedAsk } from "../../src/core/rules/parse-ask.js";
import { validateDecisions } from "../../src/core/rules/validate-decisions.js";
import { LIMITS, parseAsk, profiles } from "../../src/index.js";

const two = ["A", "B"];
const question = { question: "Q?", header: "H", options: two };

function codes(parsed: ParsedAsk): readonly IssueCode[] {
  return parsed.ok ? [] : parsed.issues.map(({ code }) => code);
}

describe("what would change the meaning is refused", () => {
  const cases: readonly [string, unknown, readonly IssueCode[]][] = [
    ["nothing", undefined, ["wrong_type"]],
    ["a list", [question], ["wrong_type"]],
    ["text that is no JSON", "questions?", ["invalid_json"]],
    ["text that is too long to look at", `{"context":"${"x".repeat(LIMITS.askLength)}"}`, ["too_large"]],
    ["no questions", {}, ["no_questions"]],
    ["an empty list", { questions: [] }, ["no_questions"]],
    ["questions as a number", { questions: 3 }, ["wrong_type"]],
    [
      "five questions",
      {
        questions: Array(5)
          .fill(question)
          .map((q, i) => ({ ...q, question: `${i}` })),
      },
      ["too_many_questions"],
    ],
    ["a question that is null", { questions: [null] }, ["wrong_type"]],
    ["a blank question", { questions: [{ ...question, question: " \n" }] }, ["blank_question"]],
    ["a blank header", { questions: [{ ...question, header: " " }] }, ["blank_header"]],
    ["one option", { questions: [{ ...question, options: ["A"] }] }, ["option_count"]],
    ["five options", { questions: [{ ...question, options: ["1", "2", "3", "4", "5"] }] }, ["option_count"]],
    ["a blank label", { questions: [{ ...question, options: ["A", " "] }] }, ["blank_label"]],
    ["no label", { questions: [{ ...question, options: ["A", {}] }] }, ["blank_label"]],
    [
      "a label that is a number",
      { questions: [{ ...question, options: ["A", { label: 7 }] }] },
      ["wrong_type"],
    ],
    ["an option that is a number", { questions: [{ ...question, options: ["A", 7] }] }, ["wrong_type"]],
    ["the same label twice", { questions: [{ ...question, options: ["A", "A"] }] }, ["duplicate_label"]],
    [
      "the same id twice",
      {
        questions: [
          {
            ...question,
            options: [
              { id: "x", label: "A" },
              { id: "x", label: "B" },
            ],
          },
        ],
      },
      ["duplicate_id"],
    ],
    ["the same text twice", { questions: [question, question] }, ["duplicate_question"]],
    ["a control character in an id", { questions: [{ ...question, id: "a\u0000" }] }, ["invalid_value"]],
    ["half a character in a key", { questions: [question], key: "a\ud83d" }, ["invalid_value"]],
    [
      "two text fields",
      {
        questions: [
          {
            ...question,
            options: [
              { label: "A", input: true },
              { label: "B", input: true },
            ],
          },
        ],
      },
      ["conflict"],
    ],
    [
      "a text field without free text",
      { questions: [{ ...question, freeText: false, options: ["A", { label: "B", input: true }] }] },
      ["conflict"],
    ],
    ["picks of a single-select", { questions: [{ ...question, maxPicks: 2 }] }, ["conflict"]],
    [
      "more picks than there are",
      { questions: [{ ...question, multiSelect: true, minPicks: 4 }] },
      ["conflict"],
    ],
    [
      "least above most",
      { questions: [{ ...question, multiSelect: true, minPicks: 2, maxPicks: 1 }] },
      ["conflict"],
    ],
    ["a secret", { questions: [{ ...question, secret: true }] }, ["secret_refused"]],
    ["multiSelect as text", { questions: [{ ...question, multiSelect: "yes" }] }, ["wrong_type"]],
    [
      "questions and an approval",
      { questions: [question], approval: { actions: [{ name: "x" }] } },
      ["conflict"],
    ],
    ["an approval of nothing", { approval: { actions: [] } }, ["no_actions"]],
    ["an action without a name", { approval: { actions: [{ args: {} }] } }, ["blank_name"]],
    ["arguments that are a list", { approval: { actions: [{ name: "x", args: [] }] } }, ["wrong_type"]],
    [
      "a decision that is none",
      { approval: { actions: [{ name: "x", allow: ["maybe"] }] } },
      ["invalid_value"],
    ],
    ["deadline and timeout", { questions: [question], deadline: 5, timeoutMs: 5 }, ["conflict"]],
    ["a date without a zone", { questions: [question], deadline: "2030-01-01T00:00:00" }, ["invalid_value"]],
    ["a policy that is none", { questions: [question], onDeadline: "panic" }, ["invalid_value"]],
    ["a deadline in the past of latest", { questions: [question], deadline: 9, latest: 8 }, ["conflict"]],
    ["metadata that is a list", { questions: [question], metadata: [] }, ["wrong_type"]],
    ["metadata that is no JSON", { questions: [question], metadata: { at: () => 0 } }, ["wrong_type"]],
  ];
  it.each(cases)("%s", (_name, input, expected) => {
    expect(codes(parseAsk(input, { profile: profiles.claude }))).toEqual(expected);
  });

  it("finds every problem in one pass, each with its place", () => {
    const parsed = parseAsk(
      {
        questions: [
          { header: "", options: ["", "B", "B"] },
          { question: "Q", header: "H", options: [1] },
        ],
      },
      { profile: profiles.claude },
    );
    expect(parsed.ok ? [] : parsed.issues.map(({ code, path }) => `${code} ${path.join(".")}`)).toEqual([
      "blank_question questions.0.question",
      "blank_header questions.0.header",
      "blank_label questions.0.options.0.label",
      "duplicate_label questions.0.options.2.label",
      "option_count questions.1.options",
      "wrong_type questions.1.options.0",
    ]);
  });

  it("looks at no more than the profile allows: ten thousand questions are one problem", () => {
    const parsed = parseAsk({ questions: Array(10_000).fill({}) }, { profile: profiles.toolbox });
    expect(codes(parsed)).toEqual(["too_many_questions", "blank_question", "option_count"]);
  });
});

describe("sizes", () => {
  const fields: readonly [string, number, (text: string) => unknown][] = [
    ["question", LIMITS.questionLength, (text) => ({ questions: [{ question: text }] })],
    ["header", LIMITS.headerLength, (text) => ({ questions: [{ question: "Q", header: text }] })],
    ["label", LIMITS.labelLength, (text) => ({ questions: [{ question: "Q", options: [text] }] })],
    [
      "description",
      LIMITS.descriptionLength,
      (text) => ({ questions: [{ question: "Q", options: [{ label: "A", description: text }] }] }),
    ],
    [
      "preview",
      LIMITS.previewLength,
      (text) => ({ questions: [{ question: "Q", options: [{ label: "A", preview: text }] }] }),
    ],
    ["context", LIMITS.contextLength, (text) => ({ questions: [{ question: "Q" }], context: text })],
    ["id", LIMITS.idLength, (text) => ({ questions: [{ question: "Q", id: text }] })],
    ["key", LIMITS.keyLength, (text) => ({ questions: [{ question: "Q" }], key: text })],
    ["session", LIMITS.sessionLength, (text) => ({ questions: [{ question: "Q" }], session: text })],
  ];
  it.each(fields)("a %s of %i characters passes, one more does not", (_name, limit, build) => {
    expect(codes(parseAsk(build("x".repeat(limit))))).toEqual([]);
    expect(codes(parseAsk(build("x".repeat(limit + 1))))).toEqual(["too_long"]);
  });

  it("bounds the whole, the metadata and its depth", () => {
    const preview = "x".repeat(LIMITS.previewLength);
    const options = Array.from({ length: 17 }, (_, index) => ({ label: `${index}`, preview }));
    expect(codes(parseAsk({ questions: [{ question: "Q", options }] }))).toEqual(["too_large"]);
    const metadata = { text: "x".repeat(LIMITS.metadataLength) };
    expect(codes(parseAsk({ questions: [{ question: "Q" }], metadata }))).toEqual(["too_large"]);
    const names = Object.fromEntries(
      Array.from({ length: LIMITS.metadataLength / 4 }, (_, at) => [`k${at}`, {}]),
    );
    expect(codes(parseAsk({ questions: [{ question: "Q" }], metadata: names }))).toEqual(["too_large"]);
    let deep: unknown = 1;
    for (let level = 0; level <= LIMITS.jsonDepth; level += 1) deep = { deep };
    expect(codes(parseAsk({ questions: [{ question: "Q" }], metadata: { deep } }))).toEqual(["wrong_type"]);
  });

  it("counts a cyclic value as too deep instead of looping", () => {
    const metadata: Record<string, unknown> = {};
    metadata.self = metadata;
    expect(codes(parseAsk({ questions: [{ question: "Q" }], metadata }))).toEqual(["wrong_type"]);
  });
});

describe("a whole number beyond 2^53 in arguments was approved as one and run as another", () => {
  const message = "is a whole number beyond 9007199254740991, which may be rounded; send it as a string";

  it.each(['{"id":9007199254740993}', '{"id":-9007199254740993}', '{"id":1e30}', '{"id":9007199254740992}'])(
    "refuses %s",
    (args) => {
      const parsed = parseAsk(`{"approval":{"actions":[{"name":"pay","args":{"to":[${args}]}}]}}`);
      expect(!parsed.ok && parsed.issues).toEqual([
        { code: "invalid_value", path: ["approval", "actions", 0, "args", "to", 0, "id"], message },
      ]);
    },
  );

  it("takes safe whole numbers, fractions and strings", () => {
    const args = { a: 2 ** 53 - 1, b: 0.1, c: "9007199254740993" };
    expect(parseAsk({ approval: { actions: [{ name: "pay", args }] } }).ok).toBe(true);
  });

  it("refuses it in edited arguments", () => {
    const approval = { actions: [{ id: "a1", name: "pay", args: {}, allow: ["edit" as const] }] };
    const decisions = [{ action: "a1", kind: "edit", args: { id: 2 ** 53 } }];
    const checked = validateDecisions({ questions: [], approval }, { decisions });
    expect(!checked.ok && checked.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe("a misspelt field counted for nothing", () => {
  const question = { question: "Which?", options: ["A", "B"] };
  it.each([
    [{ questions: [{ ...question, multiselect: true }] }, "multiselect", "multiSelect"],
    [{ questions: [{ ...question, multselect: true }] }, "multselect", "multiSelect"],
    [{ questions: [{ ...question, min_picks: 1 }] }, "min_picks", "minPicks"],
    [{ questions: [{ ...question, headre: "Pick" }] }, "headre", "header"],
    [{ questions: [{ ...question, freetext: false }] }, "freetext", "freeText"],
    [{ questions: JSON.stringify([{ ...question, haeder: "Pick" }]) }, "haeder", "header"],
    [
      { questions: [{ ...question, options: [{ label: "A", descripton: "x" }, "B"] }] },
      "descripton",
      "description",
    ],
    [{ approval: { actions: [{ name: "deploy", arg: {} }] } }, "arg", "args"],
    [{ questions: [question], recipient: ["ana"] }, "recipient", "recipients"],
  ])("%j", (input, name, meant) => {
    const parsed = parseAsk(input);
    expect(parsed.ok ? [] : parsed.issues).toEqual([
      {
        ...{ code: "invalid_value", path: expect.arrayContaining([name]) },
        message: `unknown field; did you mean "${meant}"?`,
      },
    ]);
  });

  it.each([
    { questions: [{ ...question, optional: true, kind: "choice", selected: [], title: "x" }] },
    { questions: [{ ...question, options: [{ label: "A", value: 1, hint: "x" }, "B"] }] },
    { questions: [{ ...question, option: "beside options" }] },
    { questions: [{ ...question, _id: "5f", uid: 7 }] },
    { questions: [question], [`recipients${"s".repeat(40)}`]: 1 },
  ])("but others are passed over: %j", (input) => {
    expect(parseAsk(input).ok).toBe(true);
  });
});
