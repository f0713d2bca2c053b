import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IssueCode } from "../../src/core/kit/issue.js";
import type { ParsedAsk } from "../../src/core/rules/parse-ask.js";
import { parseAsk, profiles } from "../../src/index.js";

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

it.each(["always", "session", "once", " Always ", "al\u200bways", "\u00adSession"])(
  "refuses a rule of the host that is named %j, which would be taken for one of ours",
  (rule) => {
    const parsed = parseAsk({ approval: { actions: [{ name: "Bash", rules: ["npm test:*", rule] }] } });
    expect(parsed).toMatchObject({
      ok: false,
      issues: [{ code: "conflict", path: ["approval", "actions", 0, "rules", 1] }],
    });
  },
);
