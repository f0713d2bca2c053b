import { describe, expect, it, vi } from "vitest";
import {
  ASK_TOOL_DESCRIPTION,
  SDK_TOOL_NAME,
  type ToolSchema,
} from "../../../src/agents/tool/ask-tool-definition.js";
import {
  type AskInput,
  AsklineError,
  createAskTool,
  InvalidAnswersError,
  type Outcome,
  profiles,
  type Resolver,
  resolverOf,
  staticResolver,
} from "../../../src/index.js";

const ana = { kind: "person", id: "ana", surface: "test" } as const;
const auth = { question: "Auth?", header: "Auth", options: [{ label: "OAuth" }, { label: "API key" }] };
const input = { questions: [auth] };

/** A resolver that remembers what it was asked. */
function spy(outcome: Outcome): { readonly resolver: Resolver; readonly asked: AskInput[] } {
  const asked: AskInput[] = [];
  return {
    asked,
    resolver: {
      async ask(request) {
        asked.push(request);
        return outcome;
      },
    },
  };
}

describe("the definition", () => {
  it("has the canonical name by default, another if wanted, and a description on every property", () => {
    const tool = createAskTool({ resolver: staticResolver({ kind: "expired" }) });
    expect(tool.name).toBe("ask_user_question");
    expect(createAskTool({ name: SDK_TOOL_NAME, resolver: staticResolver([]) }).name).toBe("AskUserQuestion");
    expect(tool.description).toBe(ASK_TOOL_DESCRIPTION);
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      const { properties, items, description } = schema as {
        properties?: Record<string, unknown>;
        items?: unknown;
        description?: string;
      };
      if (path !== "" && !description) undescribed.push(path);
      for (const [name, inner] of Object.entries(properties ?? {})) visit(inner, `${path}/${name}`);
      if (items !== undefined) visit(items, `${path}/items`);
    };
    visit(tool.inputSchema, "");
    expect(undescribed).toEqual([]);
  });

  it("failed only at its first call without a resolver or a handler", () => {
    const message = "createAskTool needs a resolver or a handler";
    for (const options of [
      undefined,
      {},
      { resolver: undefined },
      { handler: undefined },
      { resolver: {} },
    ]) {
      expect(() => createAskTool(options as never)).toThrow(message);
    }
  });

  it("has a strict form, in which every property is required and nothing else is allowed", () => {
    const { inputSchema } = createAskTool({ resolver: staticResolver([]), strict: true });
    const visit = (schema: ToolSchema): void => {
      if (schema.type === "object") {
        expect(schema.additionalProperties).toBe(false);
        expect(schema.required).toEqual(Object.keys(schema.properties ?? {}));
      }
      expect(schema).not.toHaveProperty("default");
      for (const inner of Object.values(schema.properties ?? {})) visit(inner);
      if (schema.items !== undefined) visit(schema.items);
    };
    visit(inputSchema);
    expect(inputSchema.properties.context?.type).toEqual(["string", "null"]);
    const { items } = inputSchema.properties.questions ?? {};
    expect(items?.properties?.question?.type).toBe("string");
    expect(items?.properties?.multiSelect?.type).toEqual(["boolean", "null"]);
  });

  it("has a schema that frameworks take without a cast", () => {
    // The types of @openai/agents, of the AI SDK (JSON Schema 7) and of MCP, as far as they matter here.
    interface OpenAi<Additional> {
      type: "object";
      properties: Record<string, Record<string, unknown>>;
      required: PropertyKey[];
      additionalProperties: Additional;
    }
    interface JsonSchema7 {
      type?: TypeName | TypeName[];
      properties?: { [key: string]: JsonSchema7 | boolean };
      items?: JsonSchema7 | boolean | (JsonSchema7 | boolean)[];
      required?: string[];
      additionalProperties?: JsonSchema7 | boolean;
      default?: string | number | boolean | null;
      description?: string;
    }
    type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";
    interface Mcp {
      [key: string]: unknown;
      type: "object";
      properties?: { [key: string]: object };
      required?: string[];
    }
    const resolver = staticResolver([]);
    const loose: OpenAi<true> & JsonSchema7 & Mcp = createAskTool({ resolver }).inputSchema;
    const strict: OpenAi<false> & JsonSchema7 & Mcp = createAskTool({ resolver, strict: true }).inputSchema;
    expect([loose.additionalProperties, strict.additionalProperties]).toEqual([true, false]);
  });

  it("refuses a subagent with a resolver too; it asked the person", async () => {
    const { resolver, asked } = spy({ kind: "expired" });
    expect((await createAskTool({ resolver }).execute(input, { subagent: true })).isError).toBe(true);
    expect(asked).toEqual([]);
  });

  it("takes null for what the strict form requires and a model leaves out", async () => {
    const { resolver, asked } = spy({ kind: "expired" });
    const option = { description: "d", preview: null };
    const options = [
      { ...option, label: "A" },
      { ...option, label: "B" },
    ];
    const strict = { questions: [{ ...auth, options, multiSelect: null }], context: null };
    const result = await createAskTool({ resolver, strict: true }).execute(strict);
    expect(result.isError).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it("states the limits of its profile", () => {
    const schema = createAskTool({ resolver: staticResolver([]), profile: profiles.spring }).inputSchema;
    expect(schema).toMatchObject({
      properties: {
        questions: { maxItems: 10, items: { properties: { options: { minItems: 2, maxItems: 4 } } } },
      },
    });
  });
});

describe("bad input", () => {
  const blank = { question: "Q?", header: "H", options: ["a", "b"] };
  const cases: readonly [string, unknown, string, string][] = [
    [
      "no questions",
      { questions: [] },
      "no_questions",
      "askuserquestion: questions must be a non-empty array",
    ],
    [
      "five",
      { questions: Array(5).fill(blank) },
      "too_many_questions",
      "askuserquestion: maximum 4 questions allowed",
    ],
    [
      "no text",
      { questions: [{ ...blank, question: "" }] },
      "blank_question",
      "askuserquestion: each question must have non-empty question text",
    ],
    [
      "no header",
      { questions: [{ ...blank, header: undefined }] },
      "blank_header",
      "askuserquestion: each question must have a non-empty header",
    ],
    [
      "one option",
      { questions: [{ ...blank, options: ["a"] }] },
      "option_count",
      "askuserquestion: each question must have 2-4 options",
    ],
    [
      "no label",
      { questions: [{ ...blank, options: ["a", ""] }] },
      "blank_label",
      "askuserquestion: each option must have a non-empty label",
    ],
    [
      "the same label",
      { questions: [{ ...blank, options: ["a", "a", ""] }] },
      "duplicate_label",
      "askuserquestion: option labels within a question must be unique",
    ],
  ];
  it.each(cases)("%s is the canonical error, and nobody is asked", async (_name, bad, code, text) => {
    const { resolver, asked } = spy({ kind: "expired" });
    const result = await createAskTool({ resolver }).execute(bad);
    expect(result).toMatchObject({
      isError: true,
      text,
      issues: [{ code }, ...(code === "duplicate_label" ? [{}] : [])],
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ["text", "{nope"],
    ["a list", []],
    ["questions as a number", { questions: 7 }],
  ])("%s is invalid parameters", async (_name, bad) => {
    const result = await createAskTool({ resolver: staticResolver([]) }).execute(bad);
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/^invalid parameters: ./);
  });

  it("described: lists every problem with its place", async () => {
    const tool = createAskTool({ resolver: staticResolver([]), text: "described" });
    const { text } = await tool.execute({ questions: [{ ...blank, header: "", options: ["a"] }] });
    expect(text.split("\n").slice(1)).toEqual([
      "questions[0].header: each question must have a non-empty header",
      "questions[0].options: each question must have 2-4 options",
    ]);
  });
});

describe("endings", () => {
  const answered: Outcome = { kind: "answered", answers: [{ question: "q1", selected: ["o2"] }], by: ana };
  const cases: readonly [Outcome, string][] = [
    [answered, "Auth?\nAPI key"],
    [{ kind: "declined", by: ana }, "[cancelled by user]"],
    [{ kind: "replied", text: "what?", by: ana }, "[cancelled by user]"],
    [{ kind: "expired" }, "No one responded before the deadline. Do not assume approval or refusal."],
    [{ kind: "unavailable" }, "No one could be reached. Continue without an answer, or ask again later."],
    [{ kind: "withdrawn" }, "The request was withdrawn before anyone responded."],
  ];
  it.each(cases)("$kind", async (outcome, text) => {
    const result = await createAskTool({ resolver: spy(outcome).resolver }).execute(input);
    const choices = outcome.kind === "answered" ? { choices: [{ question: "q1", labels: ["API key"] }] } : {};
    expect(result).toEqual({ text, isError: false, outcome: { ...outcome, ...choices } });
  });

  it("described: every ending in its own words", async () => {
    const tool = createAskTool({ resolver: spy(answered).resolver, text: "described" });
    expect((await tool.execute(input)).text).toBe('The person answered:\n1. "Auth?"\n   chose: "API key"');
  });

  it("a resolver that fails is an error result", async () => {
    const resolver = resolverOf(() => Promise.reject(new Error("no line")));
    expect(await createAskTool({ resolver }).execute(input)).toEqual({
      text: "resolver error: no line",
      isError: true,
    });
  });

  it("an abort of its own signal rejects with the reason", async () => {
    const controller = new AbortController();
    const resolver = resolverOf(() => new Promise<Outcome>(() => undefined));
    const running = createAskTool({ resolver }).execute(input, { signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(running).rejects.toThrow("stop");
  });
});

describe("what reaches the resolver", () => {
  it("is the model's questions and context, the call's id as key, and what the host says; no more", async () => {
    const { resolver, asked } = spy({ kind: "expired" });
    const tool = createAskTool({ resolver, ask: { session: "s1", timeoutMs: 5 } });
    await tool.execute(
      {
        ...input,
        context: "why",
        session: "stolen",
        recipients: ["eve"],
        key: "k",
        onDeadline: "recommended",
      },
      { toolCallId: "call_1" },
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      context: "why",
      session: "s1",
      key: "call_1",
      recipients: [],
      timeoutMs: 5,
      onDeadline: "expire",
    });
  });
});

describe("with a handler", () => {
  const answers = { "Auth?": "OAuth" };

  it("gives the map as JSON after the answers map's own words, the empty string included", async () => {
    const tool = createAskTool({ handler: async () => ({ "Auth?": "" }) });
    expect(await tool.execute(input)).toEqual({
      text: 'User has answered your questions: {"Auth?":""}',
      isError: false,
    });
  });

  it.each([
    ["null", null, /returned null\. Must return a non-null Map<String, String>/],
    ["a missing answer", {}, 'Missing answer for question: "Auth?". All questions must have answers.'],
    [
      "a null answer",
      { "Auth?": null },
      'Answer for question "Auth?" is null. Answer values should not be null (empty strings are acceptable).',
    ],
  ])("%s is an error for the host", async (_name, returned, message) => {
    const tool = createAskTool({ handler: () => returned as unknown as Record<string, string> });
    const running = tool.execute(input);
    await expect(running).rejects.toBeInstanceOf(InvalidAnswersError);
    await expect(running).rejects.toBeInstanceOf(AsklineError);
    await expect(running).rejects.toThrow(message);
    const unchecked = createAskTool({
      handler: () => returned as unknown as Record<string, string>,
      validateAnswers: false,
    });
    expect((await unchecked.execute(input)).isError).toBe(false);
  });

  it("said that extra keys are ignored, and passed them on to the model", async () => {
    const warnings: string[] = [];
    const logger = { warn: (message: string) => void warnings.push(message), error: () => undefined };
    const tool = createAskTool({ handler: () => ({ ...answers, "Else?": "x" }), logger });
    const { text, isError } = await tool.execute(input);
    expect(isError).toBe(false);
    expect(text).toBe('User has answered your questions: {"Auth?":"OAuth","Else?":"x"}');
    expect(warnings).toEqual([
      'The answer handler returned keys that are not the text of any question: "Else?". They are passed on to the model with the answers.',
    ]);
  });

  it("warned nobody without a logger; it is the console by default", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await createAskTool({ handler: () => ({ ...answers, "Else?": "x" }) }).execute(input);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('"Else?"')]]);
    warn.mockRestore();
  });

  it("refused a Map, and wrote it as an empty object", async () => {
    const tool = createAskTool({ handler: async () => new Map([["Auth?", "OAuth"]]) });
    expect((await tool.execute(input)).text).toBe('User has answered your questions: {"Auth?":"OAuth"}');
    const missing = createAskTool({ handler: () => new Map([["Other?", "x"]]) });
    await expect(missing.execute(input)).rejects.toThrow('Missing answer for question: "Auth?"');
    const unchecked = createAskTool({ handler: () => new Map([["Auth?", ""]]), validateAnswers: false });
    expect((await unchecked.execute(input)).text).toBe('User has answered your questions: {"Auth?":""}');
  });

  it("keeps overlapping calls apart", async () => {
    const waiting: (() => void)[] = [];
    const tool = createAskTool({
      handler: (questions) =>
        new Promise((resolve) =>
          waiting.push(() => resolve({ [questions[0]?.question ?? ""]: questions[0]?.header ?? "" })),
        ),
    });
    const one = tool.execute({ questions: [{ ...auth, question: "One?", header: "1" }] });
    const two = tool.execute({ questions: [{ ...auth, question: "Two?", header: "2" }] });
    for (const answer of waiting.reverse()) answer();
    expect((await one).text).toContain('{"One?":"1"}');
    expect((await two).text).toContain('{"Two?":"2"}');
  });

  it("gives the handler questions that it cannot change", async () => {
    const tool = createAskTool({
      handler: (questions) => {
        expect(() => (questions as unknown[]).push("more")).toThrow(TypeError);
        return answers;
      },
    });
    await tool.execute(input);
    expect.assertions(1);
  });

  it("is refused to a subagent, and to bad input, without calling the handler", async () => {
    let called = 0;
    const tool = createAskTool({
      handler: () => {
        called += 1;
        return answers;
      },
    });
    expect(await tool.execute(input, { subagent: true })).toMatchObject({ isError: true });
    expect(await tool.execute({ questions: [auth, auth] })).toMatchObject({
      isError: true,
      issues: [{ code: "duplicate_question" }],
    });
    expect(called).toBe(0);
  });

  it("does not hang on a handler that ignores the abort", async () => {
    const controller = new AbortController();
    const tool = createAskTool({ handler: () => new Promise(() => undefined) });
    const running = tool.execute(input, { signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(running).rejects.toThrow("stop");
  });
});
