// What an empty answer means in each shape: its own word for a skip skips, everything else says nothing.

import { describe, expect, it } from "vitest";
import { answersMap } from "../../../src/agents/shapes/answers-map.js";
import { claude } from "../../../src/agents/shapes/claude.js";
import { elicitation } from "../../../src/agents/shapes/elicitation.js";
import { gateway } from "../../../src/agents/shapes/gateway.js";
import { stream } from "../../../src/agents/shapes/stream.js";
import { type Outcome, requireAsk } from "../../../src/index.js";
import { BY } from "../../support/arbitraries.js";

const by = { by: BY };
const ask = requireAsk({
  questions: [
    { question: "A?", options: ["x", "y"] },
    { question: "B?", options: ["p", "q"] },
  ],
  allowPartial: true,
});

type Read =
  | { readonly ok: true; readonly outcome: Outcome }
  | { readonly ok: false; readonly issues: readonly { readonly code: string }[] };

function meaning(read: Read): unknown {
  if (!read.ok) return read.issues.map(({ code }) => code).join(" ");
  const { outcome } = read;
  if (outcome.kind !== "answered") return outcome.kind;
  return outcome.answers.map(({ selected, text, skipped }) => (skipped ? "skipped" : (text ?? selected[0])));
}

const skipped = ["skipped", "skipped"];

describe.each<[string, (answers: unknown) => Read, readonly (readonly [unknown, unknown])[]]>([
  [
    "stream (001)",
    (answers) => stream.decodeOutcome(ask, { answers }, by),
    [
      [{}, "empty_answer"],
      [{ "A?": "" }, "empty_answer"],
      [{ "A?": "\u200b", "B?": " " }, "empty_answer"],
      [{ "A?": "[No preference]" }, skipped],
      [{ "A?": "y", "B?": "" }, ["o2", "skipped"]],
    ],
  ],
  [
    "answers-map (003)",
    (answers) => answersMap.decodeOutcome(ask, answers, by),
    [
      [{}, "missing_answer missing_answer"],
      [{ "A?": "", "B?": "" }, skipped],
      [{ "A?": "\u200b", "B?": "\u3164" }, "empty_answer"],
      [{ "A?": "y", "B?": "\u00ad" }, ["o2", "skipped"]],
    ],
  ],
  [
    "gateway (004)",
    (answers) => gateway.decodeAnswers(ask, answers, by),
    [
      [{}, "declined"],
      [null, "declined"],
      [undefined, "wrong_type"],
      [{ "A?": "" }, "empty_answer"],
      [{ "A?": "\u2800", "B?": "\u200b" }, "empty_answer"],
      [{ "A?": "y" }, ["o2", "skipped"]],
    ],
  ],
  [
    "claude",
    (output) => claude.decodeOutcome(ask, output, by),
    [
      [{ answers: {} }, "empty_answer"],
      [{ answers: { "A?": "\u200b" } }, "empty_answer"],
      [{ answers: {}, annotations: { "A?": { unanswered: "skipped" } } }, skipped],
      [{ answers: {}, annotations: { "A?": { notes: "ask Bo" } } }, skipped],
      [{ answers: { "B?": "q" } }, ["skipped", "o2"]],
    ],
  ],
  [
    "elicitation",
    (content) => elicitation.decodeOutcome(ask, { action: "accept", content }, by),
    [
      [{}, "empty_answer"],
      [{ q1: "", q1_other: "\u3164" }, "empty_answer"],
      [{ q2: "o1" }, ["skipped", "o1"]],
    ],
  ],
])("%s", (_name, decode, cases) => {
  it.each(cases)("%j means %j", (given, expected) => {
    expect(meaning(decode(given))).toEqual(expected);
  });
});

it.each([true, false])(
  "a reason that only looked empty was words beside a decision (approved: %s)",
  (approved) => {
    const approval = requireAsk({ approval: { actions: [{ name: "deploy" }] } });
    for (const reason of ["", " ", "\u200b", "\u00ad", "\u2800", "\u3164"]) {
      const message = { kind: "hook", asks: "approval", id: "e1", approved, reason } as const;
      expect(gateway.decodeHook(approval, message, by)).toEqual({
        ok: true,
        outcome: {
          kind: "decided",
          decisions: [{ action: "a1", kind: approved ? "approve" : "reject" }],
          ...by,
        },
      });
    }
  },
);

describe("a form of another server", () => {
  const decoded = (properties: object) => {
    const read = elicitation.decodeAsk({
      message: "Delete it?",
      requestedSchema: { type: "object", properties },
    });
    if (!read.ok) throw new Error(JSON.stringify(read.issues));
    return read.ask;
  };

  it("went back as accept {} when every field was skipped", () => {
    const form = decoded({ name: { type: "string" } });
    const answers = [{ question: "name", selected: [], skipped: true }] as const;
    expect(elicitation.encodeOutcome(form, { kind: "answered", answers, ...by })).toEqual({
      action: "decline",
    });
  });

  it("without properties is an approval, which only Approve accepts", () => {
    const form = decoded({});
    expect(form).toMatchObject({ context: "Delete it?", approval: { actions: [{ once: true }] } });
    const action = form.approval?.actions[0]?.id ?? "";
    const reply = (outcome: Outcome) => elicitation.encodeOutcome(form, outcome);
    const decisions = (kind: "approve" | "reject"): Outcome => ({
      kind: "decided",
      decisions: [{ action, kind }],
      ...by,
    });
    expect(reply(decisions("approve"))).toEqual({ action: "accept", content: {} });
    expect(reply(decisions("reject"))).toEqual({ action: "decline" });
    expect(reply({ kind: "declined", ...by })).toEqual({ action: "decline" });
    expect(reply({ kind: "expired" })).toEqual({ action: "cancel" });
    expect(elicitation.decodeOutcome(form, { action: "accept", content: {} }, by).ok).toBe(false);
  });
});
