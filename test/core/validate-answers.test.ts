import { describe, expect, it } from "vitest";
import type { IssueCode } from "../../src/core/kit/issue.js";
import { validateDecisions } from "../../src/core/rules/validate-decisions.js";
import { LIMITS, requireAsk, validateAnswers, validateEnding } from "../../src/index.js";

const ask = requireAsk({
  questions: [
    { question: "Auth?", options: ["OAuth", "API key"] },
    { question: "Languages?", options: ["Go", "Rust", "Zig"], multiSelect: true, minPicks: 2, maxPicks: 3 },
    { question: "Region?", options: ["EU", "US"], freeText: false },
    { question: "Database?", options: ["SQLite", "Other"] },
  ],
});
const good = [
  { question: "q1", selected: ["o2"] },
  { question: "q2", selected: ["o1", "o3"] },
  { question: "q3", selected: ["o1"] },
  { question: "q4", selected: ["o1"] },
];

/** The good answers with one replaced. */
function but(answer: { question: string; [field: string]: unknown }): readonly unknown[] {
  return good.map((other) => (other.question === answer.question ? answer : other));
}

describe("an answer in which nothing was said", () => {
  const codes = (submission: object) => {
    const checked = validateEnding({ ...ask, allowPartial: true }, { type: "answer", ...submission });
    return checked.ok ? "answered" : checked.issues.map(({ code }) => code);
  };

  it.each([
    [[]],
    [[{ question: "q1" }]],
    [[{ question: "q1", selected: [] }, { question: "q2" }]],
    [[{ question: "q1", text: "" }]],
    [[{ question: "q1", text: "\u200b\u3164" }]],
    [[{ question: "q1", note: "\u2800" }]],
    [[{ question: "q1", skipped: false }]],
  ])("%j was taken for one", (answers) => {
    expect(codes({ answers })).toEqual(["empty_answer"]);
    expect(codes({ answers, note: "\u00ad" })).toEqual(["empty_answer"]);
  });

  it.each([
    [{ answers: [{ question: "q2", skipped: true }] }],
    [{ answers: [{ question: "q2", note: "ask Bo" }] }],
    [{ answers: [], note: "ask Bo" }],
    [{ answers: [{ question: "q1", selected: ["o1"] }] }],
  ])("%j says something, and leaves the rest out", (submission) => {
    expect(codes(submission)).toBe("answered");
  });

  it("has only the issue of an answer that is invalid", () => {
    expect(codes({ answers: [{ question: "q1", selected: ["o9"] }] })).toEqual(["unknown_option"]);
  });
});

describe("answers that fit", () => {
  it("come back in the order of the questions and options, frozen", () => {
    const checked = validateAnswers(ask, [
      { question: "q4", selected: ["o1"] },
      { question: "q2", selected: ["Zig", "o1"] },
      { question: "q3", selected: ["EU"], note: "for now" },
      { question: "q1", selected: [], text: "mTLS" },
    ]);
    expect(checked).toEqual({
      ok: true,
      answers: [
        { question: "q1", selected: [], text: "mTLS" },
        { question: "q2", selected: ["o1", "o3"] },
        { question: "q3", selected: ["o1"], note: "for now" },
        { question: "q4", selected: ["o1"] },
      ],
    });
    expect(checked.ok && Object.isFrozen(checked.answers[1]?.selected)).toBe(true);
  });

  it("may combine picks and text in a multi-select, the text counting as a pick", () => {
    expect(validateAnswers(ask, but({ question: "q2", selected: ["o1"], text: "C" })).ok).toBe(true);
  });

  it("the text field's own option is not repeated beside its text", () => {
    const checked = validateAnswers(ask, but({ question: "q4", selected: ["o2"], text: "DuckDB" }));
    expect(checked.ok && checked.answers[3]).toEqual({ question: "q4", selected: [], text: "DuckDB" });
  });

  it("a label that looks like a generated id means its own option", () => {
    const tricky = requireAsk({ questions: [{ question: "Q", options: ["o2", "o1"] }] });
    const checked = validateAnswers(tricky, [{ question: "q1", selected: ["o2"] }]);
    expect(checked.ok && checked.answers[0]?.selected).toEqual([tricky.questions[0]?.options[0]?.id]);
  });

  it("a hole in a list is nothing that was sent", () => {
    const holed: unknown[] = [];
    holed[1] = "o3";
    holed[2] = "o1";
    const answers: unknown[] = [];
    answers[1] = { question: "q2", selected: holed };
    const checked = validateAnswers(ask, answers, { partial: true });
    expect(checked.ok && checked.answers[1]).toEqual({ question: "q2", selected: ["o1", "o3"] });
  });

  it("a blank question is skipped where the ask or the caller allows it, and its note is kept", () => {
    const some = [
      { question: "q1", selected: ["o1"] },
      { question: "q2", text: "  ", note: "later" },
    ];
    const checked = validateAnswers(ask, some, { partial: true });
    expect(checked.ok && checked.answers.slice(1)).toEqual([
      { question: "q2", selected: [], note: "later", skipped: true },
      { question: "q3", selected: [], skipped: true },
      { question: "q4", selected: [], skipped: true },
    ]);
    expect(validateAnswers({ ...ask, allowPartial: true }, some).ok).toBe(true);
  });
});

describe("answers that do not fit", () => {
  const cases: readonly [string, unknown, readonly IssueCode[]][] = [
    ["no list", { q1: "o1" }, ["wrong_type"]],
    ["an answer that is null", [null, ...good.slice(1)], ["wrong_type", "missing_answer"]],
    [
      "an unknown question",
      [...good.slice(0, 3), { question: "q9", selected: ["o1"] }],
      ["unknown_question", "missing_answer"],
    ],
    ["an unknown option", but({ question: "q1", selected: ["o7"] }), ["unknown_option"]],
    ["a pick that is no text", but({ question: "q1", selected: [2] }), ["unknown_option"]],
    ["a label in another case", but({ question: "q1", selected: ["oauth"] }), ["unknown_option"]],
    ["two picks of one", but({ question: "q1", selected: ["o1", "o2"] }), ["too_many_picks"]],
    [
      "a pick and text of one",
      but({ question: "q1", selected: ["o1"], text: "and more" }),
      ["too_many_picks"],
    ],
    ["too few picks", but({ question: "q2", selected: ["o1"] }), ["too_few_picks"]],
    ["too many picks", but({ question: "q2", selected: ["o1", "o2", "o3"], text: "C" }), ["too_many_picks"]],
    ["one pick twice", but({ question: "q2", selected: ["o1", "Go"] }), ["duplicate_pick", "too_few_picks"]],
    ["text where none is taken", but({ question: "q3", text: "Mars" }), ["text_not_allowed"]],
    ["the text field without text", but({ question: "q4", selected: ["Other"] }), ["text_required"]],
    ["a missing question", good.slice(0, 3), ["missing_answer"]],
    ["an empty answer", but({ question: "q1", selected: [] }), ["empty_answer"]],
    ["a blank text", but({ question: "q1", text: " \t" }), ["empty_answer"]],
    ["skipping where it is not allowed", but({ question: "q1", skipped: true }), ["empty_answer"]],
    ["skipped and answered", but({ question: "q1", selected: ["o1"], skipped: true }), ["conflict"]],
    [
      "one question twice",
      [...good.slice(0, 3), { question: "q1", selected: ["o1"] }],
      ["duplicate_answer", "missing_answer"],
    ],
    ["more answers than questions", [...good, ...good], ["duplicate_answer", "duplicate_answer"]],
    ["a text too long", but({ question: "q1", text: "x".repeat(LIMITS.textLength + 1) }), ["too_long"]],
    [
      "a note too long",
      but({ question: "q1", selected: ["o1"], note: "x".repeat(LIMITS.noteLength + 1) }),
      ["too_long"],
    ],
  ];
  it.each(cases)("%s", (_name, answers, expected) => {
    const checked = validateAnswers(ask, answers);
    expect(checked.ok ? [] : checked.issues.map(({ code }) => code)).toEqual(expected);
  });

  it("all are told at once", () => {
    const checked = validateAnswers(ask, [
      { question: "q1", selected: ["o9"] },
      { question: "q3", text: "Mars" },
    ]);
    expect(checked.ok ? [] : checked.issues.map(({ code }) => code)).toEqual([
      "unknown_option",
      "text_not_allowed",
      "missing_answer",
      "missing_answer",
    ]);
  });

  it("a prototype's name is no question", () => {
    const checked = validateAnswers(ask, but({ question: "q1", selected: ["constructor", "__proto__"] }));
    expect(checked.ok ? [] : checked.issues.map(({ code }) => code)).toEqual([
      "unknown_option",
      "unknown_option",
    ]);
  });
});

describe("a submission", () => {
  it("carries one note on the whole", () => {
    const checked = validateEnding(ask, { type: "answer", answers: good, note: "go ahead" });
    expect(checked).toMatchObject({ ok: true, ending: { note: "go ahead" } });
    expect(validateEnding(ask, "yes").ok).toBe(false);
  });
});

describe("decisions", () => {
  const approval = requireAsk({
    approval: {
      actions: [
        { name: "mail", args: { to: "ana" } },
        { name: "delete", args: {}, allow: ["approve", "reject"] },
      ],
    },
  });
  const approve = { action: "a2", kind: "approve" };

  it("come back in the order of the actions, edited arguments copied", () => {
    const args = { to: "bo" };
    const checked = validateDecisions(approval, {
      decisions: [approve, { action: "a1", kind: "edit", args }],
      note: "ok",
    });
    args.to = "eve";
    expect(checked).toEqual({
      ok: true,
      decisions: [{ action: "a1", kind: "edit", args: { to: "bo" } }, approve],
      note: "ok",
    });
  });

  const cases: readonly [string, unknown, readonly IssueCode[]][] = [
    ["not decided", { decisions: [approve] }, ["missing_decision"]],
    ["decided twice", { decisions: [approve, approve] }, ["duplicate_decision", "missing_decision"]],
    [
      "unknown action",
      { decisions: [approve, { action: "a9", kind: "approve" }] },
      ["unknown_action", "missing_decision"],
    ],
    [
      "not allowed",
      {
        decisions: [
          { action: "a1", kind: "approve" },
          { action: "a2", kind: "edit", args: {} },
        ],
      },
      ["decision_not_allowed"],
    ],
    ["no kind", { decisions: [approve, { action: "a1" }] }, ["invalid_value"]],
    [
      "edited to no object",
      { decisions: [approve, { action: "a1", kind: "edit", args: "rm" }] },
      ["wrong_type"],
    ],
    [
      "edited beyond bounds",
      { decisions: [approve, { action: "a1", kind: "edit", args: { x: "x".repeat(LIMITS.argsLength) } }] },
      ["too_large"],
    ],
    ["no object", [approve], ["wrong_type"]],
    [
      "an approval lost the arguments that were sent with it",
      { decisions: [approve, { action: "a1", kind: "approve", args: { to: "bo" } }] },
      ["conflict"],
    ],
    [
      "an approval lost the message that was sent with it",
      { decisions: [approve, { action: "a1", kind: "approve", message: "only to Bo" }] },
      ["conflict"],
    ],
    [
      "an edit lost the message that was sent with it",
      { decisions: [approve, { action: "a1", kind: "edit", args: {}, message: "only to Bo" }] },
      ["conflict"],
    ],
    [
      "a rejection lost the arguments that were sent with it",
      { decisions: [approve, { action: "a1", kind: "reject", args: {} }] },
      ["conflict"],
    ],
  ];
  it.each(cases)("%s", (_name, submission, expected) => {
    const checked = validateDecisions(approval, submission);
    expect(checked.ok ? [] : checked.issues.map(({ code }) => code)).toEqual(expected);
  });

  it("say what to do with arguments and a message that do not belong to an approval", () => {
    const submission = {
      decisions: [approve, { action: "a1", kind: "approve", args: {}, message: "only to Bo" }],
    };
    const checked = validateDecisions(approval, submission);
    const told = checked.ok ? [] : checked.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
    expect(told).toEqual([
      expect.stringMatching(/^decisions\.1\.args .*"edit"/),
      expect.stringMatching(/^decisions\.1\.message .*rejection/),
    ]);
  });

  it("may have a message that was left blank, and arguments that are null", () => {
    const blank = { action: "a1", kind: "approve", args: null, message: " " };
    expect(validateDecisions(approval, { decisions: [approve, blank] })).toEqual({
      ok: true,
      decisions: [{ action: "a1", kind: "approve" }, approve],
    });
  });
});
