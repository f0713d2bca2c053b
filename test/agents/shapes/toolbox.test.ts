import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeToolbox, executeToolbox, runToolbox } from "../../../src/agents/shapes/toolbox/command.js";
import { toolbox } from "../../../src/agents/shapes/toolbox.js";
import { BY, nastyText } from "../../support/arbitraries.js";
import { mutateJson } from "../../support/mutate-json.js";
import vectors from "../../vectors/toolbox.json" with { type: "json" };
import more from "../../vectors/toolbox-more.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

describe("the cases of the original", () => {
  it.each([...vectors.execute, ...more.execute])("$stdin", ({ stdin, exit, expect: expected }) => {
    const { output, exitCode } = executeToolbox(stdin);
    expect(output).not.toMatch(LINE_BREAK);
    expect(JSON.parse(output)).toMatchObject(expected);
    expect(exitCode).toBe(exit);
  });

  it("prints its fields in the documented order and no others", () => {
    const { output } = executeToolbox('{"question":"Pick one","options":["A","B"]}');
    expect(output).toBe(
      '{"tool":"ask_user","version":1,"status":"ok","prompt":{"question":"Pick one","kind":"single_select","options":[{"id":"1","label":"A","description":""},{"id":"2","label":"B","description":""}],"answer_instructions":"Reply with the option number (1-2).","answer_format":{"type":"integer","min":1,"max":2}},"rendered_markdown":"**Question:** Pick one\\n\\n1. A\\n2. B\\n\\n_Reply with the option number._"}',
    );
  });

  it.each(["not json", "", '{"question":"Q?","options":"nope"}'])("reports why %j is not JSON", (stdin) => {
    expect(JSON.parse(executeToolbox(stdin).output).error.parseError).toMatch(/JSON/);
  });
});

describe("actions", () => {
  const noStdin = () => {
    throw new Error("stdin is closed");
  };

  it("describes itself without reading stdin", () => {
    const { output, exitCode } = runToolbox("describe", noStdin);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toEqual(describeToolbox());
    expect(Object.keys(JSON.parse(output))).toEqual(["name", "description", "args", "output"]);
    expect(Object.keys(JSON.parse(output).args)).toEqual(["question", "options", "context"]);
  });

  it("executes what is on stdin", () => {
    const stdin = '{"question":"Q?","options":["A","B"]}';
    expect(runToolbox("execute", () => stdin)).toEqual(executeToolbox(stdin));
  });

  it.each([undefined, "", "Describe", "rm -rf\n"])("%j is an unknown action", (action) => {
    const { output, exitCode } = runToolbox(action, noStdin);
    expect(JSON.parse(output)).toMatchObject({ status: "error", error: { code: "UNKNOWN_ACTION" } });
    expect([exitCode, LINE_BREAK.test(output)]).toEqual([1, false]);
  });

  it("answers with INTERNAL_ERROR where stdin cannot be read", () => {
    const { output, exitCode } = runToolbox("execute", noStdin);
    expect(JSON.parse(output).error).toEqual({ code: "INTERNAL_ERROR", message: "stdin is closed" });
    expect(exitCode).toBe(1);
  });
});

describe("the reply", () => {
  const ask = decodedAsk(toolbox, { question: "Q?", options: ["A", "B", "Other"] });

  it.each([2, "2", " 2 ", "2\n", "02"])("%j is the second option", (reply) => {
    expect(toolbox.decodeOutcome(ask, reply, { by: BY })).toEqual({
      ok: true,
      outcome: { kind: "answered", answers: [{ question: "q1", selected: ["2"] }], by: BY },
    });
  });

  it.each([
    0,
    4,
    "99",
    -1,
    "-1",
    1.5,
    "1.5",
    "1e0",
    "0x1",
    "A",
    "",
    " ",
    "1 2",
    "１",
    null,
    undefined,
    true,
    [1],
    Number.NaN,
  ])("%j is refused with the range", (reply) => {
    const decoded = toolbox.decodeReply({ min: 1, max: 3 }, reply);
    expect(decoded.ok ? "" : decoded.issues[0]?.message).toContain("1-3");
    expect(toolbox.decodeOutcome(ask, reply, { by: BY }).ok).toBe(false);
  });

  it("an option called Other is an option like the others here", () => {
    expect(toolbox.decodeOutcome(ask, 3, { by: BY })).toMatchObject({
      outcome: { answers: [{ selected: ["3"] }] },
    });
  });

  it("only a chosen option is a reply", () => {
    const answered = (answer: object) => ({
      kind: "answered" as const,
      answers: [{ question: "q1", selected: [], ...answer }],
      by: BY,
    });
    expect(toolbox.encodeOutcome(ask, answered({ selected: ["3"] }))).toEqual({ ok: true, output: 3 });
    expect(toolbox.encodeOutcome(ask, answered({ text: "mine" }))).toMatchObject({ ok: false });
    expect(toolbox.encodeOutcome(ask, answered({ skipped: true }))).toMatchObject({ ok: false });
    expect(toolbox.encodeOutcome(ask, { kind: "expired" })).toMatchObject({ ok: false });
  });
});

it("takes the document it printed as well as its input", () => {
  const input = { question: "Q?", context: "why", options: ["A", { label: "B", description: "d" }] };
  const { output } = executeToolbox(JSON.stringify(input));
  expect(decodedAsk(toolbox, JSON.parse(output))).toEqual(decodedAsk(toolbox, input));
  expect(decodedAsk(toolbox, input)).toMatchObject({
    context: "why",
    questions: [
      {
        id: "q1",
        freeText: false,
        multiSelect: false,
        options: [{ id: "1" }, { id: "2", description: "d" }],
      },
    ],
  });
});

it("printed a question of nothing but an override as one that can be asked", () => {
  const { exitCode } = executeToolbox(JSON.stringify({ question: "\u202e", options: ["A", "B"] }));
  expect(exitCode).not.toBe(0);
});

it("prints one line that can be asked, whatever the input", () => {
  const options = fc.array(
    fc.oneof(nastyText(), fc.record({ label: nastyText(), description: nastyText() })),
  );
  const broken = fc.nat().map((seed) => {
    const input = mutateJson([{ question: "Pick one", options: ["A", "B"], context: "why" }], seed);
    return typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  });
  const nasty = fc.record({ question: nastyText(), options, context: nastyText() });
  fc.assert(
    fc.property(
      fc.oneof(
        broken,
        nasty.map((input) => JSON.stringify(input)),
      ),
      (stdin) => {
        const { output, exitCode } = executeToolbox(stdin);
        expect(output).not.toMatch(LINE_BREAK);
        expect(JSON.parse(output).status).toBe(exitCode === 0 ? "ok" : "error");
        expect(toolbox.decodeAsk(JSON.parse(output)).ok).toBe(exitCode === 0);
        expect(toolbox.decodeAsk(stdin).ok).toBe(exitCode === 0);
      },
    ),
    { numRuns: 500 },
  );
});

it.each([
  ["two questions", [{}, {}], "too_many_questions"],
  ["a multi-select", [{ multiSelect: true }], "invalid_value"],
  ["free text alone", [{ options: [] }], "option_count"],
  ["labels that differ in white space only", [{ options: ["a", "a "] }], "duplicate_label"],
])("cannot encode %s", (_name, questions, code) => {
  const ask = {
    questions: questions.map((fields: { options?: string[]; multiSelect?: boolean }, index) => ({
      id: `q${index}`,
      question: "Q?",
      multiSelect: fields.multiSelect ?? false,
      freeText: true,
      options: (fields.options ?? ["a", "b"]).map((label) => ({ id: label, label })),
    })),
  };
  expect(toolbox.encodeAsk(ask)).toMatchObject({ ok: false, issues: [{ code }] });
});
