import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ClaudeOutput,
  type ClaudeQuestion,
  claude,
  UNANSWERED_CAPABILITY,
} from "../../../src/agents/shapes/claude.js";
import { type Answer, type Outcome, profiles } from "../../../src/index.js";
import { arbitraryAnswered, BY } from "../../support/arbitraries.js";
import vectors from "../../vectors/claude.json" with { type: "json" };
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

describe("as the CLI writes answers", () => {
  it.each(vectors.cli.cases)("$name", ({ question, answer, text, reads }) => {
    const asked = { ...decodedAsk(claude, { questions: [question] }), allowPartial: true };
    const answers = [{ question: "q1", ...answer } as Answer];
    const outcome = { kind: "answered" as const, answers, by: BY };
    const encoded = claude.encodeOutcome(asked, outcome, { capabilities: [UNANSWERED_CAPABILITY] });
    if (encoded.behavior !== "allow") throw new Error(encoded.message);
    expect(encoded.updatedInput.answers).toEqual({ "Which parts?": text });
    expect(sentenceOf(encoded.updatedInput)).toBe(reads);
    expect(claude.decodeOutcome(asked, encoded, { by: BY })).toEqual({ ok: true, outcome });
  });

  it("reads labels with a comma without quotes too, which was the only way", () => {
    const question = vectors.cli.cases[1]?.question;
    const asked = decodedAsk(claude, { questions: [question] });
    const output = { answers: { "Which parts?": "Rust, nightly, Go" } };
    expect(claude.decodeOutcome(asked, output, { by: BY })).toMatchObject({
      outcome: { answers: [{ question: "q1", selected: ["o1", "o2"] }] },
    });
  });

  it("keeps text that was typed as (skipped)", () => {
    const asked = { ...decodedAsk(claude, input), allowPartial: true };
    const answers = [
      { question: "q1", selected: [], text: "(skipped)" },
      { question: "q2", selected: ["o1"] },
    ];
    const encoded = claude.encodeOutcome(asked, { kind: "answered", answers, by: BY });
    expect(claude.decodeOutcome(asked, encoded, { by: BY })).toMatchObject({ outcome: { answers } });
  });
});

it("denies a reply in a hook, which would drop it, and says what the person wrote", () => {
  const reply = { kind: "replied", text: "Ask Bo first", by: BY } as const;
  const encoded = claude.encodeOutcome(ask, reply, { input, from: "hook" });
  expect(encoded).toEqual({ behavior: "deny", message: expect.stringContaining("Ask Bo first") });
  expect(claude.encodeOutcome(ask, reply, { input })).toMatchObject({
    behavior: "allow",
    updatedInput: { response: "Ask Bo first" },
  });
});

describe("questions of a newer schema", () => {
  it.each(vectors.unknownKinds)("are answered with typed text: $name", ({ question, header }) => {
    const asked = decodedAsk(claude, { questions: [question, input.questions[1]] });
    expect(asked.questions[0]).toEqual({
      ...{ id: "q1", question: question.question, header, options: [] },
      ...{ multiSelect: false, freeText: true },
    });
    const answers = [
      { question: "q1", selected: [], text: "7" },
      { question: "q2", selected: ["o1"] },
    ];
    const whole = { questions: [question, input.questions[1]] };
    const encoded = claude.encodeOutcome(asked, { kind: "answered", answers, by: BY }, { input: whole });
    expect(encoded).toMatchObject({ updatedInput: { ...whole, answers: { [question.question]: "7" } } });
    expect(claude.decodeOutcome(asked, encoded, { by: BY })).toMatchObject({ outcome: { answers } });
  });

  it("keep their options if they have some, and are refused as before without a kind", () => {
    const [, second] = input.questions;
    expect(
      decodedAsk(claude, { questions: [{ ...second, kind: "rank" }] }).questions[0]?.options,
    ).toHaveLength(3);
    const { options: _, ...bare } = second ?? { options: [] };
    expect(claude.decodeAsk({ questions: [bare] })).toMatchObject({ ok: false });
  });
});

/** What the model of the CLI reads, by the rule that was seen: picks that are all known, and no notes, or else. */
function sentenceOf({ questions, answers, annotations = {} }: ClaudeOutput): string {
  let isKnown = true;
  const told = (questions as ClaudeQuestion[]).map(({ question, options, multiSelect }) => {
    const text = answers[question] ?? "";
    const notes = annotations[question]?.notes;
    const parts = [...text.matchAll(/(?:^|, )("(?:\\.|[^"\\])*"|.+?)(?=, |$)/g)].map(([, part = ""]) => part);
    const picked = (multiSelect ? parts : [text]).map((part) =>
      multiSelect && part.startsWith('"') ? String(JSON.parse(part)) : part,
    );
    if (notes !== undefined || !picked.every((pick) => options.some(({ label }) => label === pick)))
      isKnown = false;
    return `"${question}"="${text}"${notes === undefined ? "" : ` notes: ${notes}`}.`;
  });
  return `${isKnown ? "Your questions have been answered" : "The user answered"}: ${told.join(" ")}`;
}
