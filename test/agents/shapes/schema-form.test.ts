import { describe, expect, it } from "vitest";
import { formContent, formQuestions } from "../../../src/agents/shapes/shared/schema-form.js";
import { requireAsk } from "../../../src/index.js";

function asked(properties: object, required: readonly string[] = []) {
  const schema = { type: "object", properties, required };
  const form = formQuestions(schema);
  if (!form.ok) throw new Error(form.message);
  const { questions } = requireAsk(form);
  return {
    questions,
    content: (...answers: readonly { readonly picks?: readonly string[]; readonly text?: string }[]) =>
      formContent(
        schema,
        questions,
        answers.map(({ picks = [], ...rest }, index) => ({
          question: questions[index]?.id ?? "",
          selected: picks,
          ...rest,
        })),
      ),
  };
}

describe("the content of a form", () => {
  it("has the values of the choices, in their own types", () => {
    const { content } = asked({
      level: { type: "integer", enum: [1, 2], enumNames: ["Low", "High"] },
      list: { type: "array", items: { anyOf: [{ const: "a" }, { const: "b", title: "B" }] } },
      sure: { type: "boolean" },
    });
    expect(content({ picks: ["o2"] }, { picks: ["o1", "o2"] }, { picks: ["o2"] })).toEqual({
      content: { level: 2, list: ["a", "b"], sure: false },
      problems: [],
    });
  });

  it("has a property of any name", () => {
    const long = "n".repeat(300);
    const { content } = asked(JSON.parse(`{ "__proto__": { "type": "string" }, "": {"type": "string"} }`));
    expect(Object.entries(content({ text: "a" }, { text: "b" }).content)).toEqual([
      ["__proto__", "a"],
      ["", "b"],
    ]);
    expect(asked({ [long]: { type: "string" } }).content({ text: "c" }).content).toEqual({ [long]: "c" });
  });

  it("names what does not fit, and keeps it as it was typed", () => {
    const properties = {
      count: { type: "number", title: "Count", minimum: 1 },
      code: { type: "string", maxLength: 2 },
      size: { type: "string", enum: ["s", "l"] },
    };
    const { questions, content } = asked(properties, ["size"]);
    expect(questions.map(({ question }) => question)).toEqual([
      "Count\nA number, at least 1.",
      "code\nText, at most 2 characters.",
      "size",
    ]);
    expect(content({ text: "few" }, { text: "abc" })).toEqual({
      content: { count: "few", code: "abc" },
      problems: [
        { title: "Count", problem: '"few" is not a number' },
        { title: "code", problem: "may have at most 2 characters, not 3" },
        { title: "size", problem: "needs an answer" },
      ],
    });
  });
});

it("a form's texts are never cut: what is too long is refused by the hub", () => {
  const text = "x".repeat(9_000);
  const form = formQuestions({
    properties: {
      a: { type: "string", title: text, description: text, oneOf: [{ const: "b", title: text }] },
    },
  });
  expect(form).toMatchObject({ questions: [{ question: text, header: text, options: [{ label: text }] }] });
});

describe("a form that questions cannot express", () => {
  it.each([
    ["no schema", undefined],
    ["no properties", { properties: {} }],
    ["an object in it", { properties: { a: { type: "object", properties: {} } } }],
    ["a list of anything", { properties: { a: { type: "array" } } }],
    ["no choices", { properties: { a: { type: "string", enum: [] } } }],
  ])("%s is refused", (_name, schema) => {
    expect(formQuestions(schema)).toMatchObject({ ok: false });
  });
});
