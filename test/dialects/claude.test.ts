import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Outcome, profiles } from "../../src/core/index.js";
import { claude } from "../../src/dialects/claude.js";
import { arbitraryAnswered, BY } from "../support/arbitraries.js";
import vectors from "../vectors/claude.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

const { input } = vectors;
const ask = decodedAsk(claude, input);

it("gives what the type of canUseTool in the Claude Agent SDK takes: its input is a record", () => {
  const permission:
    | { behavior: "allow"; updatedInput?: Record<string, unknown> }
    | { behavior: "deny"; message: string } = claude.encodeOutcome(ask, {
    kind: "replied",
    text: "why?",
    by: BY,
  });
  expect(permission).toMatchObject({ behavior: "allow", updatedInput: { response: "why?" } });
});

describe("golden cases", () => {
  it.each(vectors.decodeAsk)("$name", ({ questions }) => {
    expect(ask.questions).toEqual(questions);
  });

  it.each(vectors.encodeOutcome)("allows: $name", (each) => {
    const { capabilities = [] } = each as { capabilities?: string[] };
    const encoded = claude.encodeOutcome(ask, each.outcome as Outcome, { input, capabilities });
    expect(encoded).toEqual(each.expect);
  });

  it.each(vectors.encodeOutcome)("comes back: $name", (each) => {
    const { allowPartial = false } = each as { allowPartial?: boolean };
    expect(claude.decodeOutcome({ ...ask, allowPartial }, each.expect, { by: BY })).toEqual({
      ok: true,
      outcome: each.outcome,
    });
  });

  it.each(vectors.encodeDenied)("denies: $name", ({ outcome, mentions }) => {
    const encoded = claude.encodeOutcome(ask, outcome as Outcome, { input });
    if (encoded.behavior !== "deny") throw new Error("allowed");
    for (const word of mentions) expect(encoded.message).toContain(word);
  });

  it.each(vectors.decodeOutcome)("reads: $name", ({ output, outcome }) => {
    expect(claude.decodeOutcome(ask, output, { by: BY })).toEqual({ ok: true, outcome });
  });

  it.each(vectors.refuseOutcome)("refuses: $name", ({ output, codes }) => {
    const decoded = claude.decodeOutcome(ask, output, { by: BY });
    expect(decoded.ok ? [] : decoded.issues.map(({ code }) => code)).toEqual(codes);
  });
});

it("gives previews the format of the session, whatever the model says", () => {
  const html = claude.decodeAsk(input, { previewFormat: "html" });
  expect(html.ok && html.ask.questions[0]?.options[0]?.preview?.format).toBe("html");
  const [first] = input.questions;
  const options = [
    { label: "A", description: "", preview: { format: "html", content: "<b>" } },
    { label: "B" },
  ];
  expect(
    decodedAsk(claude, { questions: [{ ...first, options }] }).questions[0]?.options[0],
  ).not.toHaveProperty("preview");
});

it("echoes questions of its own making where it is not given the input", () => {
  const encoded = claude.encodeOutcome(ask, { kind: "replied", text: "x", by: BY });
  expect(encoded).toMatchObject({ behavior: "allow", updatedInput: { questions: input.questions } });
});

it("never allows without an answer to every question, whatever was answered", () => {
  fc.assert(
    fc.property(arbitraryAnswered({ profile: profiles.claude }), ({ ask: asked, outcome }) => {
      const encoded = claude.encodeOutcome(asked, outcome);
      const skips = outcome.answers.some(({ skipped }) => skipped);
      expect(encoded.behavior).toBe(skips ? "deny" : "allow");
      if (encoded.behavior === "deny") return;
      expect(Object.keys(encoded.updatedInput.answers).sort()).toEqual(
        asked.questions.map(({ question }) => question).sort(),
      );
      expect(JSON.stringify(encoded)).not.toContain('"unanswered"');
    }),
  );
});

it("the overall note goes into the notes of the last question: the listed loss", () => {
  const answers = [
    { question: "q1", selected: ["o2"] },
    { question: "q2", selected: ["o1"], note: "mine" },
  ];
  const encoded = claude.encodeOutcome(ask, { kind: "answered", answers, note: "on all of it", by: BY });
  const last = input.questions[1]?.question ?? "";
  expect(encoded).toMatchObject({
    updatedInput: { annotations: { [last]: { notes: "mine\n\non all of it" } } },
  });
});

it("says that a policy answered, not a person", () => {
  const answers = [
    { question: "q1", selected: ["o1"] },
    { question: "q2", selected: ["o1"] },
  ];
  const by = { kind: "policy" as const, name: "recommended" };
  const encoded = claude.encodeOutcome(ask, { kind: "answered", answers, by });
  expect(JSON.stringify(encoded)).toContain("no person answered");
});
