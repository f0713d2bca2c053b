import { describe, expect, it } from "vitest";
import { approvalNumberOf, blockEvents } from "../../../src/agents/shapes/stream/events.js";
import { stream } from "../../../src/agents/shapes/stream.js";
import { type Outcome, requireAsk } from "../../../src/index.js";
import { BY } from "../../support/arbitraries.js";
import vectors from "../../vectors/stream.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

const { start, delta, stop } = vectors.approvalRequest;

const ask = decodedAsk(stream, delta.delta);
const approval = requireAsk({
  approval: {
    actions: [
      { name: "buy", args: { count: 1 } },
      { name: "sell", allow: ["approve", "reject"] },
    ],
  },
});

function codesOf(target: Parameters<typeof stream.decodeOutcome>[0], answer: unknown): readonly string[] {
  const decoded = stream.decodeOutcome(target, answer, { by: BY });
  return decoded.ok ? [] : decoded.issues.map(({ code }) => code);
}

describe("the document's block", () => {
  it("is written byte for byte", () => {
    const encoded = stream.encodeAsk(ask, { timeoutSeconds: 600 });
    if (!encoded.ok) throw new Error(JSON.stringify(encoded.issues));
    const block = { type: "approval_request" as const, approval_key: "session-id_1" };
    expect(JSON.stringify(blockEvents(3, block, encoded.input))).toBe(JSON.stringify([start, delta, stop]));
  });

  it("is read: the option with input is the text field, and questions may be skipped", () => {
    expect(ask.allowPartial).toBe(true);
    expect(ask.questions[0]?.options.map(({ input }) => input === true)).toEqual([false, false, true]);
    expect(ask.questions[0]?.options[0]?.recommended).toBe(true);
  });
});

describe("the approval message", () => {
  it("is read and written again", () => {
    const decoded = stream.decodeMessage(vectors.approval);
    expect(decoded).toMatchObject({
      ok: true,
      message: { approval_key: "abc-123_1", session_id: "abc-123" },
    });
    const outcome = stream.decodeOutcome(ask, vectors.approval, { by: BY });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    expect(outcome.outcome).toMatchObject({ answers: [{ selected: ["o1"] }, { selected: ["o1"] }] });
    const written = stream.encodeOutcome(ask, outcome.outcome);
    expect(written).toEqual({ ok: true, output: { answers: vectors.approval.answers } });
  });

  it("joins several choices with a comma, as in the document", () => {
    const [text = ""] = Object.keys(vectors.multiSelect.answers);
    const sectors = requireAsk({
      questions: [{ question: text, multiSelect: true, options: ["Ngân hàng", "Thép (Steel)", "Dầu khí"] }],
    });
    const outcome = stream.decodeOutcome(sectors, vectors.multiSelect, { by: BY });
    expect(outcome).toMatchObject({ outcome: { answers: [{ selected: ["o1", "o2"] }] } });
    if (!outcome.ok) return;
    expect(stream.encodeOutcome(sectors, outcome.outcome)).toEqual({ ok: true, output: vectors.multiSelect });
  });

  it("skips with [No preference], and says so again", () => {
    const [text = ""] = Object.keys(vectors.skip.answers);
    const one = requireAsk({ questions: [{ question: text, options: ["A"] }], allowPartial: true });
    const outcome = stream.decodeOutcome(one, vectors.skip, { by: BY });
    expect(outcome).toMatchObject({ outcome: { answers: [{ skipped: true }] } });
    if (!outcome.ok) return;
    expect(stream.encodeOutcome(one, outcome.outcome)).toEqual({ ok: true, output: vectors.skip });
  });

  it("chooses an option with the label [No preference], which was read as a skip", () => {
    const options = ["[No preference]", "A"];
    const one = requireAsk({ questions: [{ question: "Q?", options }], allowPartial: true });
    const chosen: Outcome = { kind: "answered", answers: [{ question: "q1", selected: ["o1"] }], by: BY };
    const skipped: Outcome = {
      kind: "answered",
      answers: [{ question: "q1", selected: [], skipped: true }],
      by: BY,
    };
    const answers = [chosen, skipped].map((outcome) => {
      const written = stream.encodeOutcome(one, outcome);
      expect(written.ok && stream.decodeOutcome(one, written.output, { by: BY })).toEqual({
        ok: true,
        outcome,
      });
      return written.ok && "answers" in written.output && written.output.answers;
    });
    expect(answers).toEqual([{ "Q?": "[No preference]" }, { "Q?": "" }]);
  });

  it("refused a question that was left out, which is a skip where skipping is allowed, as an empty text is", () => {
    const questions = ["One?", "Two?"].map((question) => ({ question, options: ["A", "B"] }));
    const [may, must] = [true, false].map((allowPartial) => requireAsk({ questions, allowPartial }));
    if (may === undefined || must === undefined) throw new Error("no asks");
    const [leftOut, empty] = [{ "One?": "A" }, { "One?": "A", "Two?": "" }].map((answers) =>
      stream.decodeOutcome(may, { answers }, { by: BY }),
    );
    expect(leftOut).toMatchObject({
      outcome: { answers: [{ selected: ["o1"] }, { question: "q2", skipped: true }] },
    });
    expect(leftOut).toEqual(empty);
    expect(codesOf(must, { answers: { "One?": "A" } })).toEqual(["missing_answer"]);
  });

  it.each(["Khác", "Other"])("took %s with nothing typed for an answer", (label) => {
    const options = ["A", { label, input: true }];
    const one = requireAsk({
      questions: [
        { question: "Q?", options },
        { question: "Many?", options, multiSelect: true },
      ],
      allowPartial: true,
    });
    const decoded = stream.decodeOutcome(
      one,
      { answers: { "Q?": label, "Many?": `A, ${label}` } },
      { by: BY },
    );
    const message = `"${label}" is the option for typed text, and nothing was typed; send the text in its place, or "[No preference]" to skip the question`;
    expect(decoded).toEqual({
      ok: false,
      issues: ["Q?", "Many?"].map((text) => ({ code: "text_required", path: ["answers", text], message })),
    });
    expect(stream.decodeOutcome(one, { answers: { "Q?": "mine" } }, { by: BY })).toMatchObject({
      outcome: { answers: [{ text: "mine" }, { skipped: true }] },
    });
  });

  it("reads typed text that equals [No preference] as a skip: the listed loss", () => {
    const one = requireAsk({ questions: [{ question: "Q?", options: ["A"] }], allowPartial: true });
    const typed: Outcome = {
      kind: "answered",
      answers: [{ question: "q1", selected: [], text: "[No preference]" }],
      by: BY,
    };
    const written = stream.encodeOutcome(one, typed);
    expect(written.ok && stream.decodeOutcome(one, written.output, { by: BY })).toMatchObject({
      outcome: { answers: [{ skipped: true }] },
    });
  });

  it.each([
    [{ type: "approval", answers: {} }, ["approval_key"]],
    [{ type: "approval", approval_key: "s_1", session_id: 7, answers: {} }, ["session_id"]],
    [{ type: "message", text: " " }, ["text"]],
    [{ type: "other" }, ["type"]],
    ["approval", []],
  ])("%j is refused", (input, path) => {
    const decoded = stream.decodeMessage(input);
    expect(decoded.ok ? undefined : decoded.issues[0]?.path).toEqual(path);
  });

  const [q1 = "", q2 = ""] = Object.keys(vectors.approval.answers);
  it.each([
    ["an unknown question", { answers: { [q1]: "x", [q2]: "y", "Q?": "z" } }, ["unknown_question"]],
    ["an answer that is no text", { answers: { [q1]: 1, [q2]: "y" } }, ["wrong_type"]],
    ["decisions", { decisions: [{ type: "approve" }] }, ["invalid_value"]],
    ["nothing", {}, ["invalid_value"]],
  ])("questions refuse %s", (_name, answer, codes) => {
    expect(codesOf(ask, answer)).toEqual(codes);
  });

  it.each([
    ["answers", { answers: {} }, ["invalid_value"]],
    ["too few", { decisions: [{ type: "approve" }] }, ["missing_decision"]],
    [
      "too many",
      { decisions: [{ type: "approve" }, { type: "approve" }, { type: "approve" }] },
      ["unknown_action"],
    ],
    [
      "an edit that makes another action of it",
      { decisions: [{ type: "edit", edited_action: { name: "sell", args: {} } }, { type: "approve" }] },
      ["invalid_value"],
    ],
    [
      "what the action does not allow",
      { decisions: [{ type: "approve" }, { type: "edit", args: {} }] },
      "decision_not_allowed",
    ],
    [
      "an edited action that an approval would lose",
      { decisions: [{ type: "approve", edited_action: { name: "buy", args: {} } }, { type: "approve" }] },
      ["conflict"],
    ],
    [
      "arguments that an approval would lose",
      { decisions: [{ type: "approve", args: {} }, { type: "approve" }] },
      ["conflict"],
    ],
    [
      "a message that an approval would lose",
      { decisions: [{ type: "approve", message: "only one" }, { type: "approve" }] },
      ["conflict"],
    ],
    ["an unknown kind", { decisions: [{ type: "respond" }, { type: "approve" }] }, ["invalid_value"]],
  ])("approvals refuse %s", (_name, answer, codes) => {
    expect(codesOf(approval, answer)).toEqual(
      typeof codes === "string" ? expect.arrayContaining([codes]) : codes,
    );
  });

  it("carries one decision an action, in their order", () => {
    const decisions = [
      { type: "edit", edited_action: { name: "buy", args: { count: 2 } } },
      { type: "reject", message: "not now" },
    ];
    const decoded = stream.decodeOutcome(approval, { decisions }, { by: BY });
    expect(decoded).toEqual({
      ok: true,
      outcome: {
        kind: "decided",
        by: BY,
        decisions: [
          { action: "a1", kind: "edit", args: { count: 2 } },
          { action: "a2", kind: "reject", message: "not now" },
        ],
      },
    });
    if (decoded.ok)
      expect(stream.encodeOutcome(approval, decoded.outcome)).toEqual({ ok: true, output: { decisions } });
  });
});

describe("the history's block", () => {
  it("is the document's for an answer", () => {
    const [expected] = vectors.resolvedMessage.content;
    const abridged = {
      ...delta.delta,
      action_requests: [{ name: "ask_user_question", args: expected?.actionRequests[0]?.args }],
    };
    const asked = decodedAsk(stream, abridged);
    const decoded = stream.decodeOutcome(asked, { answers: expected?.submittedAnswers }, { by: BY });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
    const block = stream.encodeHistoryBlock(asked, { approvalKey: "s_1", outcome: decoded.outcome });
    expect(JSON.stringify(block)).toBe(JSON.stringify(expected));
  });

  const endings: readonly Outcome[] = [
    { kind: "declined", reason: "no", by: BY },
    { kind: "replied", text: "Let us talk", by: BY },
    { kind: "expired" },
    { kind: "withdrawn", reason: "changed" },
    { kind: "unavailable" },
  ];
  it.each(endings)("$kind holds nothing that reads like an answer", (outcome) => {
    const block = stream.encodeHistoryBlock(ask, { approvalKey: "s_1", outcome });
    expect(block).toMatchObject({ isResolved: false, status: outcome.kind });
    expect(JSON.stringify(block)).not.toMatch(/"(answers|submittedAnswers|submittedDecisions|approvalKey)"/);
  });

  it("tells of a pending one what it takes to answer it", () => {
    expect(stream.encodeHistoryBlock(approval, { approvalKey: "s_2", timeoutSeconds: 300 })).toEqual({
      type: "approval_request",
      isResolved: false,
      status: "pending",
      approvalKey: "s_2",
      actionRequests: [
        { name: "buy", args: { count: 1 } },
        { name: "sell", args: {} },
      ],
      reviewConfigs: [
        { actionName: "buy", allowedDecisions: ["approve", "edit", "reject"] },
        { actionName: "sell", allowedDecisions: ["approve", "reject"] },
      ],
      timeoutSeconds: 300,
    });
  });

  it("says where a policy answered", () => {
    const outcome: Outcome = {
      kind: "answered",
      answers: ask.questions.map(({ id }) => ({ question: id, selected: ["o1"] })),
      by: { kind: "policy", name: "recommended" },
    };
    expect(stream.encodeHistoryBlock(ask, { approvalKey: "s_1", outcome })).toMatchObject({
      answeredByPolicy: "recommended",
    });
  });
});

it("refuses an action that no client could tell from a question", () => {
  expect(stream.encodeAsk(requireAsk({ approval: { actions: [{ name: "ask_user_question" }] } })).ok).toBe(
    false,
  );
});

it.each([
  ["s_1", 1],
  ["s_12", 12],
  ["s_0", undefined],
  ["s_01", undefined],
  ["s_x", undefined],
  ["t_1", undefined],
  ["s", undefined],
])("%s is request %s of the session s", (key, number) => {
  expect(approvalNumberOf("s", key)).toBe(number);
});
