import { describe, expect, it } from "vitest";
import { ELICITATION_META_KEY } from "../../../src/agents/shapes/elicitation/shape.js";
import { elicitation } from "../../../src/agents/shapes/elicitation.js";
import { type AskInput, requireAsk } from "../../../src/index.js";
import { BY } from "../../support/arbitraries.js";
import vectors from "../../vectors/elicitation.json" with { type: "json" };
import { decodedAsk } from "./suite/dialects.js";

const ask = requireAsk(vectors.ask as AskInput);
const by = { by: BY };

function form(options?: Parameters<typeof elicitation.encodeAsk>[1]) {
  const encoded = elicitation.encodeAsk(ask, options);
  if (!encoded.ok) throw new Error(JSON.stringify(encoded.issues));
  return encoded.input;
}

describe("the form", () => {
  it.each(["2025-11-25", "2026-07-28", undefined] as const)(
    "for revision %s has titled choices",
    (revision) => {
      const input = form(revision === undefined ? undefined : { revision });
      expect(input.message).toBe(vectors.message);
      expect(input.requestedSchema).toEqual(vectors.newest);
      expect(input._meta[ELICITATION_META_KEY]).toEqual(vectors.ask);
    },
  );

  it("for revision 2025-06-18 has plain enums, and a boolean for each option of a multi-select", () => {
    expect(form({ revision: "2025-06-18" }).requestedSchema).toEqual(vectors.oldest);
  });

  it("says what was wrong when it is shown again", () => {
    const decoded = elicitation.decodeOutcome(ask, { action: "accept", content: { q1: "o9" } }, by);
    if (decoded.ok) throw new Error("decoded");
    expect(form({ issues: decoded.issues }).message.split("\n")).toEqual([
      "Please correct this:",
      "- DB: choose one of the listed options",
      "- Which targets?: needs an answer",
      "- What is it called?: needs an answer",
      "",
      ...vectors.message.split("\n"),
    ]);
  });

  it("gives each field a name of its own, whatever the ids are", () => {
    const odd = requireAsk({
      questions: [
        {
          id: "a",
          question: "A?",
          options: [
            { id: "other", label: "X" },
            { id: "b", label: "Y" },
          ],
          multiSelect: true,
        },
        { id: "a_other", question: "B?", options: ["X", "Y"] },
      ],
    });
    for (const revision of ["2025-06-18", "2025-11-25"] as const) {
      const encoded = elicitation.encodeAsk(odd, { revision });
      if (!encoded.ok) throw new Error("refused");
      const { properties } = encoded.input.requestedSchema;
      expect(Object.keys(properties)).toHaveLength(revision === "2025-06-18" ? 5 : 4);
      const [typed] = Object.keys(properties).filter((name) => properties[name]?.title === "A?: Other");
      const content = { [typed ?? ""]: "mine", a_other: "o1" };
      expect(elicitation.decodeOutcome(odd, { action: "accept", content }, by)).toMatchObject({
        outcome: {
          answers: [
            { question: "a", text: "mine" },
            { question: "a_other", selected: ["o1"] },
          ],
        },
      });
    }
  });

  it("shows no control, bidi or invisible characters, and tells labels apart that look alike", () => {
    const sneaky = requireAsk({
      context: "a\u202eb",
      questions: [{ question: "Q\u0000?", options: [{ label: "Yes", description: "\u200bx" }, "Y\u0435s"] }],
    });
    const encoded = elicitation.encodeAsk(sneaky);
    if (!encoded.ok) throw new Error("refused");
    const { message, requestedSchema } = encoded.input;
    expect(JSON.stringify([message, requestedSchema])).not.toMatch(/\u202e|\\u0000|\u200b/);
    const { q1 } = requestedSchema.properties as { q1?: { oneOf?: { title: string }[] } };
    expect(q1?.oneOf?.[0]?.title).not.toBe(q1?.oneOf?.[1]?.title);
  });

  it("has one field for an option such as Other, with its label", () => {
    const encoded = elicitation.encodeAsk(
      requireAsk({ questions: [{ question: "Q?", options: ["A", "Khác"] }] }),
    );
    if (!encoded.ok) throw new Error("refused");
    expect(encoded.input.requestedSchema.properties).toMatchObject({
      q1: { oneOf: [{ title: "A" }] },
      q1_other: { title: "Q?: Khác" },
    });
  });
});

describe("what comes back", () => {
  it.each(vectors.read)("is read: $name", ({ content, answers }) => {
    expect(elicitation.decodeOutcome(ask, { action: "accept", content }, by)).toEqual({
      ok: true,
      outcome: { kind: "answered", answers, by: BY },
    });
  });

  it.each(vectors.refuse)("is refused: $name", ({ output }) => {
    const decoded = elicitation.decodeOutcome(ask, output, by);
    expect(decoded.ok ? [] : decoded.issues).not.toEqual([]);
  });

  it("keeps a decline and a dismissal apart", () => {
    const kinds = ["decline", "cancel"].map((action) => elicitation.decodeOutcome(ask, { action }, by));
    expect(kinds).toEqual([
      { ok: true, outcome: { kind: "declined", by: BY } },
      { ok: true, outcome: { kind: "withdrawn", reason: "dismissed" } },
    ]);
  });

  it("decides on actions, with the reason of a rejection and a note beside an approval", () => {
    const approval = requireAsk({ approval: { actions: [{ name: "deploy" }, { name: "drop" }] } });
    const content = { a1: "approve", a1_reason: "gently", a2: "reject", a2_reason: "Friday" };
    expect(elicitation.decodeOutcome(approval, { action: "accept", content }, by)).toEqual({
      ok: true,
      outcome: {
        kind: "decided",
        decisions: [
          { action: "a1", kind: "approve" },
          { action: "a2", kind: "reject", message: "Friday" },
        ],
        note: "deploy: gently",
        by: BY,
      },
    });
    expect(elicitation.decodeOutcome(approval, { action: "accept", content: { a1: "approve" } }, by).ok).toBe(
      false,
    );
  });
});

describe("a form of another server", () => {
  const foreign = decodedAsk(elicitation, vectors.foreign.input);

  it("becomes questions, and is answered in its own names", () => {
    expect(foreign).toMatchObject({ context: "Please choose a plan", allowPartial: true });
    expect(foreign.questions).toEqual(vectors.foreign.questions);
    const decoded = elicitation.decodeOutcome(foreign, vectors.foreign.output, by);
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
    expect(elicitation.encodeOutcome(foreign, decoded.outcome)).toEqual(vectors.foreign.output);
  });

  it.each(["number", "boolean"])("is refused with a field of type %s", (type) => {
    const requestedSchema = { type: "object", properties: { n: { type } } };
    expect(elicitation.decodeAsk({ message: "m", requestedSchema })).toMatchObject({
      ok: false,
      issues: [{ path: ["requestedSchema", "properties", "n"] }],
    });
  });
});
