import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createAskTool, type Question, type QuestionInput, requireAsk } from "../../../src/index.ts";
import { consoleHandler } from "../../../src/people/terminal/console-handler.ts";
import { lines, screen } from "./streams.ts";

const LIBRARY: QuestionInput = {
  question: "Which library?",
  header: "Library",
  options: [
    { label: "Day.js", description: "Light" },
    { label: "date-fns", description: "Modular" },
  ],
};

function parsed(...questions: readonly QuestionInput[]): readonly Question[] {
  return requireAsk({ questions }).questions;
}

async function answer(questions: readonly Question[], ...typed: readonly string[]): Promise<unknown> {
  return consoleHandler({ input: lines(...typed), output: screen().stream })(questions);
}

describe("consoleHandler", () => {
  it("shows the prompts of the answers-map console", async () => {
    const output = screen();
    const handler = consoleHandler({ input: lines("1", "1,2"), output: output.stream });
    const answers = await handler(
      parsed(LIBRARY, {
        question: "Which features?",
        header: "Features",
        multiSelect: true,
        options: ["Auth", "DB"],
      }),
    );
    expect(output.text()).toBe(`
Library: Which library?
  1. Day.js - Light
  2. date-fns - Modular
  (Enter a number, or type custom text)

Features: Which features?
  1. Auth
  2. DB
  (Enter numbers separated by commas, or type custom text)
`);
    expect(answers).toEqual({ "Which library?": "Day.js", "Which features?": "Auth, DB" });
  });

  it.each([
    ["2", "date-fns"],
    [" +2 ", "date-fns"],
    ["1,2", "Day.js, date-fns"],
    ["1,9", "Day.js"],
    ["1,1", "Day.js, Day.js"],
    ["1,", "Day.js"],
    ["9", "9"],
    ["-1", "-1"],
    ["0", "0"],
    ["1,foo", "1,foo"],
    [",1", ",1"],
    [",", ","],
    ["1,99999999999", "1,99999999999"],
    ["Temporal, built in", "Temporal, built in"],
    ["  Luxon  ", "Luxon"],
    ["", ""],
  ])("reads %j as %j", async (typed, expected) => {
    expect(await answer(parsed(LIBRARY), typed)).toEqual({ "Which library?": expected });
  });

  it("asks for the text of an option that opens the text field", async () => {
    const questions = parsed({ question: "Colour?", multiSelect: true, options: ["Red", "Other"] });
    expect(await answer(questions, "1,2", "mauve")).toEqual({ "Colour?": "Red, mauve" });
  });

  it("keeps a question called __proto__", async () => {
    const answers = await answer(parsed({ question: "__proto__", options: ["a", "b"] }), "2");
    expect(Object.entries(answers as object)).toEqual([["__proto__", "b"]]);
  });

  it("rejects when the input ends or the signal aborts", async () => {
    await expect(answer(parsed(LIBRARY))).rejects.toMatchObject({ code: "closed" });
    const abort = new AbortController();
    const output = screen();
    const handler = consoleHandler({ input: new PassThrough(), output: output.stream });
    const waiting = handler(parsed(LIBRARY), { signal: abort.signal });
    await output.shows("custom text)\n");
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(handler(parsed(LIBRARY), { signal: abort.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it("handles concurrent calls of a tool one after the other", async () => {
    const handler = consoleHandler({ input: lines("1", "2"), output: screen().stream });
    const tool = createAskTool({ handler });
    const results = await Promise.all([
      tool.execute({ questions: [LIBRARY] }),
      tool.execute({ questions: [LIBRARY] }),
    ]);
    expect(results.map(({ text }) => text)).toEqual([
      'User has answered your questions: {"Which library?":"Day.js"}',
      'User has answered your questions: {"Which library?":"date-fns"}',
    ]);
  });
});
