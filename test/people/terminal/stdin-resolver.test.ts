import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { AskInput, Outcome } from "../../../src/index.ts";
import { stdinResolver } from "../../../src/people/terminal/stdin-resolver.ts";
import { lines, screen } from "./streams.ts";

const AUTH: AskInput = {
  questions: [
    {
      question: "Which auth?",
      header: "Auth",
      options: [{ label: "OAuth (Recommended)", description: "Browser flow" }, "API key"],
    },
  ],
};
const LANGUAGES: AskInput = {
  questions: [
    {
      question: "Which languages?",
      header: "SDKs",
      multiSelect: true,
      options: ["Go", "TypeScript", "Rust"],
    },
  ],
};
const BY = { kind: "person", id: "local", surface: "terminal" };

async function answer(
  ask: AskInput,
  ...typed: readonly string[]
): Promise<{ readonly outcome: Outcome; readonly shown: string }> {
  const output = screen();
  const outcome = await stdinResolver({ input: lines(...typed), output: output.stream }).ask(ask);
  return { outcome, shown: output.text() };
}

function picked(selected: readonly string[], text?: string): unknown {
  return {
    kind: "answered",
    answers: [{ question: "q1", selected, ...(text !== undefined && { text }) }],
    // The labels are not what these tests are about.
    choices: [expect.objectContaining({ question: "q1", ...(text !== undefined && { text }) })],
    by: BY,
  };
}

describe("stdinResolver: prompts", () => {
  it("shows the canonical prompts", async () => {
    const both = { questions: [...(AUTH.questions ?? []), ...(LANGUAGES.questions ?? [])] };
    const { outcome, shown } = await answer(both, "2", "1,3");
    expect(shown).toBe(`
[1/2] Auth
Which auth?
  1) OAuth (Recommended) — Browser flow
  2) API key
  o) Other (type free text)
> select: 
[2/2] SDKs
Which languages?
  1) Go
  2) TypeScript
  3) Rust
  o) Other (type free text)
> select (comma-separated): 
`);
    expect(outcome).toEqual({
      kind: "answered",
      answers: [
        { question: "q1", selected: ["o2"] },
        { question: "q2", selected: ["o1", "o3"] },
      ],
      choices: [
        { question: "q1", labels: ["API key"] },
        { question: "q2", labels: ["Go", "Rust"] },
      ],
      by: BY,
    });
  });

  it("shows context first, previews below their option, and marks what is recommended", async () => {
    const { shown } = await answer(
      {
        context: "We have 40 users.",
        questions: [
          {
            question: "Layout?",
            options: [
              { label: "Grid", preview: "+-+\n| |\n+-+\n", recommended: true },
              { label: "List", preview: { format: "markdown", content: "- a" } },
            ],
          },
        ],
      },
      "1",
    );
    expect(shown).toBe(`
We have 40 users.

[1/1]
Layout?
  1) Grid (Recommended)
     | +-+
     | | |
     | +-+
  2) List
     | - a
  o) Other (type free text)
> select: 
`);
  });

  it("shows a catch-all of the model as the Other line, not twice", async () => {
    const { outcome, shown } = await answer(
      { questions: [{ question: "Màu?", options: ["Đỏ", "Khác", "Xanh"] }] },
      "o tím",
    );
    expect(shown).toContain("  1) Đỏ\n  2) Xanh\n  o) Khác (type free text)\n> select: ");
    expect(outcome).toEqual(picked([], "tím"));
  });

  it("offers no Other if free text is not allowed", async () => {
    const { outcome, shown } = await answer(
      { questions: [{ question: "Go?", options: ["Yes", "No"], freeText: false }] },
      "other maybe",
      "o",
      "1",
    );
    expect(shown).not.toContain("Other");
    expect(shown).toContain('invalid selection "other maybe"; type a number from 1 to 2\n');
    expect(outcome).toEqual(picked(["o1"]));
  });

  it("never shows escape sequences or bidi overrides raw", async () => {
    const evil = "a\u001b[2Jb\u202ec\u0007";
    const { shown } = await answer(
      {
        context: evil,
        questions: [
          {
            question: evil,
            header: evil,
            options: [
              { label: evil, description: evil, preview: evil },
              { label: `${evil}2`, input: true },
            ],
          },
        ],
      },
      evil,
      "1",
    );
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(shown).toContain("\uFFFD[2Jb\uFFFDc\uFFFD");
  });

  it("wraps between words to the width of a terminal, below the text", async () => {
    const output = screen(40);
    await stdinResolver({ input: lines("1"), output: output.stream }).ask({
      questions: [
        {
          question: "Which of these two ways should we take for the release?",
          options: [{ label: "Slow", description: "Ship to five per cent first and wait for a day" }, "Fast"],
        },
      ],
    });
    expect(output.text()).toContain(
      "Which of these two ways should we take\nfor the release?\n  1) Slow — Ship to five per cent first\n     and wait for a day\n  2) Fast\n",
    );
  });
});

describe("stdinResolver: lines", () => {
  it.each([
    ["a number", AUTH, ["1"], picked(["o1"])],
    ["a number as it is shown", AUTH, [" 2) "], picked(["o2"])],
    ["the same number twice", AUTH, ["1,1"], picked(["o1"])],
    ["other with its text", AUTH, ["other some text, with a comma"], picked([], "some text, with a comma")],
    ["OTHER alone", AUTH, ["OTHER", "mTLS"], picked([], "mTLS")],
    ["o alone", AUTH, ["o", "mTLS"], picked([], "mTLS")],
    ["several numbers", LANGUAGES, ["3, 1,"], picked(["o1", "o3"])],
    ["numbers and text", LANGUAGES, ["1,3,other Zig, C"], picked(["o1", "o3"], "Zig, C")],
    ["numbers and other alone", LANGUAGES, ["o,2", "Zig"], picked(["o2"], "Zig")],
    ["CRLF", AUTH, ["2\r"], picked(["o2"])],
  ])("takes %s", async (_name, ask, typed, expected) => {
    expect((await answer(ask, ...typed)).outcome).toEqual(expected);
  });

  it.each([
    ["9", "selection 9 out of range; type a number from 1 to 2, or other followed by your text"],
    ["0", "selection 0 out of range; type a number from 1 to 2, or other followed by your text"],
    ["x", 'invalid selection "x"; type a number from 1 to 2, or other followed by your text'],
    [",", 'invalid selection ","; type a number from 1 to 2, or other followed by your text'],
    [
      "1,2",
      "question is single-select, got 2 picks; type a number from 1 to 2, or other followed by your text",
    ],
    [
      "1,other y",
      "question is single-select, got 2 picks; type a number from 1 to 2, or other followed by your text",
    ],
    [
      "9".repeat(400),
      `invalid selection "${"9".repeat(40)}…"; type a number from 1 to 2, or other followed by your text`,
    ],
  ])("explains %j and asks again", async (line, message) => {
    const { outcome, shown } = await answer(AUTH, line, "2");
    expect(shown).toContain(`> select: \n  ${message}\n> select: \n`);
    expect(outcome).toEqual(picked(["o2"]));
  });

  it("explains a line that is far too long and asks again", async () => {
    const { outcome, shown } = await answer(AUTH, "x".repeat(300_000), "2");
    expect(shown).toContain("that line is longer than 262144 bytes; type a shorter one\n> select: ");
    expect(outcome).toEqual(picked(["o2"]));
  });

  it("explains a text that is too long for an answer and asks again", async () => {
    const { outcome, shown } = await answer(AUTH, `other ${"x".repeat(40_000)}`, "2");
    expect(shown).toContain("must be at most 32768 characters, not 40000\n> select: ");
    expect(outcome).toEqual(picked(["o2"]));
  });

  it("enforces the minimum and maximum of picks, including typed text", async () => {
    const ask = {
      questions: [
        { question: "Two?", multiSelect: true, minPicks: 2, maxPicks: 2, options: ["a", "b", "c"] },
      ],
    };
    const { outcome, shown } = await answer(ask, "1", "1,2,other d", "3,o", "d");
    expect(shown).toContain("> select (comma-separated, exactly 2): \n  at least 2 must be chosen");
    expect(shown).toContain("at most 2 may be chosen");
    expect(outcome).toEqual(picked(["o3"], "d"));
  });

  it.each([
    ["a blank line", AUTH, [""]],
    ["spaces", AUTH, ["  "]],
    ["a blank Other", AUTH, ["other", ""]],
    ["a blank line at a later question", { questions: [{ question: "A?" }, { question: "B?" }] }, ["x", ""]],
  ])("declines the whole ask on %s", async (_name, ask, typed) => {
    expect((await answer(ask, ...typed)).outcome).toEqual({ kind: "declined", by: BY });
  });

  it("asks a question without options as plain text", async () => {
    const { outcome, shown } = await answer({ questions: [{ question: "Name?" }] }, " 1, other ");
    expect(shown).toBe("\n[1/1]\nName?\n> answer: \n");
    expect(outcome).toEqual(picked([], "1, other"));
  });

  it("lets a question be skipped only if the ask allows it, and says how", async () => {
    const questions = [{ question: "Which?", options: ["a", "b"] }, { question: "Name?" }];
    const { outcome, shown } = await answer({ questions, allowPartial: true }, "s", "/skip");
    expect(shown).toContain("  s) Skip this question\n> select: ");
    expect(shown).toContain("  (type /skip to skip this question)\n> answer: ");
    expect(outcome).toMatchObject({
      answers: [
        { question: "q1", skipped: true },
        { question: "q2", skipped: true },
      ],
    });
    const refused = await answer({ questions: questions.slice(0, 1) }, "s", "1");
    expect(refused.shown).toContain('invalid selection "s"');
    expect(refused.outcome).toEqual(picked(["o1"]));
  });
});

describe("stdinResolver: endings", () => {
  it("is unavailable, with a reason, when the input ends", async () => {
    const outcome = { kind: "unavailable", reason: "the input ended before everything was answered" };
    expect((await answer(AUTH)).outcome).toEqual(outcome);
    expect((await answer(AUTH, "9")).outcome).toEqual(outcome);
    expect((await answer(AUTH, "other")).outcome).toEqual(outcome);
  });

  it("is withdrawn when the signal aborts, and the next ask continues reading", async () => {
    const input = new PassThrough();
    const output = screen();
    const resolver = stdinResolver({ input, output: output.stream });
    const abort = new AbortController();
    const first = resolver.ask(AUTH, { signal: abort.signal });
    await output.shows("> select: ");
    abort.abort();
    expect(await first).toEqual({ kind: "withdrawn" });
    const second = resolver.ask(AUTH);
    await output.shows("> select: ", 2);
    input.write("1\n");
    expect(await second).toEqual(picked(["o1"]));
    expect(output.text()).toContain("> select: \n\n[1/1] Auth");
  });

  it("shows nothing for an ask that was aborted before its turn", async () => {
    const input = new PassThrough();
    const output = screen();
    const resolver = stdinResolver({ input, output: output.stream });
    const abort = new AbortController();
    const first = resolver.ask(AUTH);
    const second = resolver.ask(LANGUAGES, { signal: abort.signal });
    const third = resolver.ask(AUTH);
    await output.shows("> select: ");
    abort.abort();
    expect(await second).toEqual({ kind: "withdrawn" });
    input.write("1\n2\n");
    expect(await first).toEqual(picked(["o1"]));
    expect(await third).toEqual(picked(["o2"]));
    expect(output.text()).not.toContain("languages");
  });

  it("asks one after another when several ask at once, on one resolver or two", async () => {
    const input = lines("1", "3,2", "2");
    const output = screen();
    const one = stdinResolver({ input, output: output.stream });
    const two = stdinResolver({
      input,
      output: output.stream,
      by: { kind: "person", id: "ada", surface: "x" },
    });
    const outcomes = await Promise.all([one.ask(AUTH), two.ask(LANGUAGES), one.ask(AUTH)]);
    expect(outcomes[0]).toEqual(picked(["o1"]));
    expect(outcomes[1]).toMatchObject({ answers: [{ selected: ["o2", "o3"] }], by: { id: "ada" } });
    expect(outcomes[2]).toEqual(picked(["o2"]));
    expect(output.text()).toMatch(/Auth.*SDKs.*Auth/s);
  });

  it("rejects an invalid ask and shows nothing of it", async () => {
    const output = screen();
    const resolver = stdinResolver({ input: lines(), output: output.stream });
    await expect(resolver.ask({ questions: [] })).rejects.toMatchObject({ code: "invalid_ask" });
    expect(output.text()).toBe("");
  });
});
