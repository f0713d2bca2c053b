import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type IssueCode,
  LIMITS,
  type ParsedAsk,
  parseAsk,
  profiles,
  validateDecisions,
} from "../../src/core/index.js";

const two = ["A", "B"];
const question = { question: "Q?", header: "H", options: two };

function codes(parsed: ParsedAsk): readonly IssueCode[] {
  return parsed.ok ? [] : parsed.issues.map(({ code }) => code);
}

function ask(input: unknown, profile = profiles.open) {
  const parsed = parseAsk(input, { profile });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.ask;
}

describe("what models get wrong is understood", () => {
  it.each([
    ["questions as a JSON string", { questions: JSON.stringify([question]) }],
    ["options as a JSON string", { questions: [{ ...question, options: '["A","B"]' }] }],
    [
      "options as objects named by name",
      { questions: [{ ...question, options: [{ name: "A" }, { name: "B" }] }] },
    ],
    ["multiSelect null", { questions: [{ ...question, multiSelect: null }] }],
    ["unknown fields", { questions: [{ ...question, colour: "red" }], mood: "fine" }],
    ["the whole as a JSON string", JSON.stringify({ questions: [question] })],
  ])("%s", (_name, input) => {
    expect(ask(input)).toEqual(ask({ questions: [question] }));
  });

  it.each(["multiSelect", "multi_select", "multiple"])("%s makes a multi-select", (field) => {
    expect(ask({ questions: [{ ...question, [field]: true }] }).questions[0]?.multiSelect).toBe(true);
  });

  it("keeps an over-long header", () => {
    const header = "a header of many more than twelve characters";
    expect(ask({ questions: [{ ...question, header }] }, profiles.claude).questions[0]?.header).toBe(header);
  });
});

describe("the parsed question", () => {
  it("gives ids by position and keeps given ones, without a clash", () => {
    const { questions } = ask({
      questions: [
        { ...question, options: ["A", { id: "o1", label: "B" }, "C"] },
        { ...question, id: "q1" },
      ],
    });
    expect(questions.map(({ id }) => id)).toEqual(["q2", "q1"]);
    expect(questions[0]?.options.map(({ id }) => id)).toEqual(["o2", "o1", "o3"]);
  });

  it("takes a trailing (Recommended) as a recommendation and leaves it in the label", () => {
    const options = ask({
      questions: [{ ...question, options: ["OAuth (Recommended)", "(Recommended) not"] }],
    }).questions[0]?.options;
    expect(options).toEqual([
      { id: "o1", label: "OAuth (Recommended)", recommended: true },
      { id: "o2", label: "(Recommended) not" },
    ]);
  });

  it.each(["Other", "Khác"])("takes %s as the text field, counted as an option", (label) => {
    const { questions } = ask({ questions: [{ ...question, options: ["A", label] }] }, profiles.claude);
    expect(questions[0]?.options[1]).toEqual({ id: "o2", label, input: true });
  });

  it("leaves Other a plain option where free text is refused, and others that only resemble it", () => {
    const { questions } = ask({
      questions: [
        { ...question, options: ["A", "Other"], freeText: false },
        { ...question, options: ["Other things", "other"] },
      ],
    });
    expect(questions.flatMap(({ options }) => options).some(({ input }) => input)).toBe(false);
  });

  it.each([[[]], ["[]"], [undefined]])("refuses a question that nobody can answer: options %j", (options) => {
    const parsed = parseAsk({ questions: [{ question: "Which?", options, freeText: false }] });
    expect(parsed).toMatchObject({
      ok: false,
      issues: [{ code: "conflict", path: ["questions", 0, "freeText"] }],
    });
  });

  it("marks only one text field", () => {
    const { questions } = ask({
      questions: [{ ...question, options: ["Other", { label: "Else", input: true }] }],
    });
    expect(questions[0]?.options.map(({ input }) => input ?? false)).toEqual([false, true]);
  });

  it("takes a preview as Markdown unless a format is given", () => {
    const { questions } = ask({
      questions: [
        {
          ...question,
          options: [
            { label: "A", preview: "x" },
            { label: "B", preview: { format: "html", content: "<p>" } },
            { label: "C", preview: { format: "text", content: "**x**" } },
          ],
        },
      ],
    });
    expect(questions[0]?.options.map(({ preview }) => preview)).toEqual([
      { format: "markdown", content: "x" },
      { format: "html", content: "<p>" },
      { format: "text", content: "**x**" },
    ]);
  });

  it("needs no options in the open profile: free text only", () => {
    expect(ask({ questions: [{ question: "Why?" }] }).questions[0]).toEqual({
      id: "q1",
      question: "Why?",
      options: [],
      multiSelect: false,
      freeText: true,
    });
  });
});

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

describe("the result", () => {
  it("is frozen and shares nothing with the input", () => {
    const args = { to: ["ana"] };
    const input = { approval: { actions: [{ name: "mail", args }] }, metadata: { run: { id: 1 } } };
    const parsed = ask(input);
    args.to.push("eve");
    input.metadata.run.id = 2;
    expect(parsed.approval?.actions[0]?.args).toEqual({ to: ["ana"] });
    expect(parsed.metadata).toEqual({ run: { id: 1 } });
    const frozenThrough = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozenThrough));
    expect(frozenThrough(parsed)).toBe(true);
    expect(
      frozenThrough(ask({ questions: [{ ...question, options: [{ label: "A", preview: "x" }, "Other"] }] })),
    ).toBe(true);
  });

  it("keeps a key named __proto__ as data", () => {
    const parsed = ask(
      JSON.parse('{"questions":[{"question":"Q"}],"metadata":{"__proto__":{"admin":true}}}'),
    );
    expect(JSON.stringify(parsed.metadata)).toBe('{"__proto__":{"admin":true}}');
    expect((parsed.metadata as Record<string, unknown>).admin).toBeUndefined();
  });

  it("refuses a list with a hole in it, which no JSON has", () => {
    const holed: unknown[] = ["A"];
    holed[2] = "B";
    expect(codes(parseAsk({ questions: [{ question: "Q", options: holed }] }))).toEqual(["wrong_type"]);
    const questions: unknown[] = [];
    questions[1] = { question: "Q" };
    expect(codes(parseAsk({ questions }))).toEqual(["wrong_type"]);
  });

  it("survives an object whose getter throws", () => {
    const hostile = Object.defineProperty({}, "questions", {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
    expect(codes(parseAsk(hostile))).toEqual(["wrong_type"]);
  });

  it("parses again to the same", () => {
    const optionInput = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.record(
        {
          label: fc.string({ minLength: 1 }),
          description: fc.string(),
          recommended: fc.boolean(),
          preview: fc.string(),
        },
        { requiredKeys: ["label"] },
      ),
    );
    const input = fc.record(
      {
        questions: fc.array(
          fc.record(
            {
              question: fc.string({ minLength: 1 }),
              header: fc.string(),
              options: fc.array(optionInput, { maxLength: 6 }),
              multiSelect: fc.boolean(),
              freeText: fc.boolean(),
            },
            { requiredKeys: ["question"] },
          ),
          { minLength: 1, maxLength: 4 },
        ),
        context: fc.string(),
        session: fc.string(),
        recipients: fc.array(fc.string()),
        metadata: fc.dictionary(fc.string(), fc.jsonValue()),
        timeoutMs: fc.nat(),
        allowPartial: fc.boolean(),
      },
      { requiredKeys: ["questions"] },
    );
    let kept = 0;
    fc.assert(
      fc.property(input, (value) => {
        const first = parseAsk(value);
        if (!first.ok) return;
        kept += 1;
        expect(parseAsk(first.ask)).toEqual(first);
        expect(parseAsk(JSON.parse(JSON.stringify(first.ask)))).toEqual(first);
      }),
      { numRuns: 2_000 },
    );
    expect(kept).toBeGreaterThan(100);
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
