import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gateway, timeoutText } from "../../../src/agents/shapes/gateway.js";
import type { AskRequest } from "../../../src/core/model/ask.js";
import { LIMITS, type Outcome, parseAsk } from "../../../src/index.js";
import { BY } from "../../support/arbitraries.js";
import { mutateJson } from "../../support/mutate-json.js";
import vectors from "../../vectors/gateway.json" with { type: "json" };

const { step1, fullExample } = vectors;

function asked(envelope: unknown): { readonly id: string; readonly ask: AskRequest } {
  const decoded = gateway.decode(JSON.stringify(envelope));
  if (!decoded.ok || decoded.message.kind !== "ask") throw new Error(JSON.stringify(decoded));
  return decoded.message;
}

function outcomeOf(ask: AskRequest, answers: unknown): Outcome {
  const decoded = gateway.decodeAnswers(ask, answers, { by: BY });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  return decoded.outcome;
}

describe("the examples of the original", () => {
  it.each([
    ["step 1", step1],
    ["the full example", fullExample.question],
  ])("%s is read and written to the letter", (_name, envelope) => {
    const { id, ask } = asked(envelope);
    expect(id).toBe(envelope.payload.payload.questionId);
    const { key: _key, ...rest } = ask;
    const encoded = gateway.encodeAsk(rest, { id });
    expect(encoded.ok && JSON.stringify(encoded.input)).toBe(JSON.stringify(envelope));
  });

  it("the answers of step 3 and the full example", () => {
    for (const [question, answer] of [
      [step1, vectors.step3],
      [fullExample.question, fullExample.answer],
    ] as const) {
      const { id, ask } = asked(question);
      const outcome = outcomeOf(ask, answer.payload.answers);
      expect(JSON.stringify(gateway.encodeOutcome(ask, outcome, { id }))).toBe(JSON.stringify(answer));
    }
  });

  it("labels joined with a comma are the labels", () => {
    const options = [{ label: "Dark mode" }, { label: "Notifications" }, { label: "Sync" }];
    const [text = ""] = Object.keys(vectors.multiSelect.answers);
    const questions = [{ question: text, options, multiSelect: true }];
    const decoded = gateway.decodeAsk({ ...step1.payload.payload, questions });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
    const outcome = outcomeOf(decoded.ask, vectors.multiSelect.answers);
    expect(outcome).toMatchObject({ answers: [{ selected: ["o1", "o2"] }] });
    expect(gateway.encodeAnswers(decoded.ask, outcome)).toEqual(vectors.multiSelect.answers);
  });

  it("free text is what was typed", () => {
    const { ask } = asked(step1);
    const outcome = outcomeOf(ask, vectors.freeText.answers);
    expect(outcome).toMatchObject({ answers: [{ selected: [], text: "DynamoDB — we already use AWS" }] });
    expect(gateway.encodeAnswers(ask, outcome)).toEqual(vectors.freeText.answers);
  });

  it("an empty map is a dismissal", () => {
    const { ask } = asked(step1);
    expect(outcomeOf(ask, vectors.dismissal.payload.answers)).toEqual({ kind: "declined", by: BY });
    expect(gateway.encodeOutcome(ask, { kind: "declined", by: BY }, { id: "..." })).toEqual(
      vectors.dismissal,
    );
  });

  it("so is the map of the document's Go struct where nothing was put into it", () => {
    const frame = JSON.stringify({ ...vectors.dismissal, payload: { questionId: "...", answers: null } });
    expect(gateway.decode(frame)).toEqual(gateway.decode(JSON.stringify(vectors.dismissal)));
  });

  it("the timeout's text", () => {
    expect(timeoutText("q-1", 120_000)).toBe(
      "User did not respond: AskUserQuestion timed out after 120000ms (questionId=q-1)",
    );
  });
});

describe("outcomes", () => {
  const { ask } = asked(step1);
  it.each<[Outcome, object | undefined]>([
    [
      { kind: "replied", text: "why?", by: BY },
      { questionId: "q", answers: {} },
    ],
    [{ kind: "withdrawn" }, { questionId: "q", answers: {} }],
    [{ kind: "expired" }, undefined],
    [{ kind: "unavailable" }, undefined],
  ])("%j", (outcome, payload) => {
    expect(gateway.encodeOutcome(ask, outcome, { id: "q" })?.payload).toEqual(payload);
  });

  it("reads an answer with everything skipped as a dismissal: the listed loss", () => {
    const skipped: Outcome = {
      kind: "answered",
      answers: [{ question: "q1", selected: [], skipped: true }],
      by: BY,
    };
    const hook = gateway.encodeOutcome(ask, skipped, { id: "q" });
    expect(gateway.decodeOutcome({ ...ask, allowPartial: true }, hook, { by: BY })).toMatchObject({
      outcome: { kind: "declined" },
    });
  });

  const approval = gateway.decodeAsk({ executionId: "e", sessionKey: "s", agentId: "a", action: "run" });
  it.each<[Outcome, object | undefined]>([
    [{ kind: "decided", decisions: [{ action: "a1", kind: "approve" }], by: BY }, { approved: true }],
    [
      { kind: "decided", decisions: [{ action: "a1", kind: "reject", message: "no" }], by: BY },
      { approved: false, reason: "no" },
    ],
    [
      { kind: "decided", decisions: [{ action: "a1", kind: "edit", args: {} }], by: BY },
      { approved: false, reason: "edited" },
    ],
    [{ kind: "declined", by: BY }, { approved: false }],
    [
      { kind: "replied", text: "why?", by: BY },
      { approved: false, reason: "why?" },
    ],
    [
      { kind: "withdrawn", reason: "done" },
      { approved: false, reason: "done" },
    ],
    [{ kind: "expired" }, undefined],
  ])("of an approval: %j", (outcome, payload) => {
    if (!approval.ok) throw new Error("refused");
    const hook = gateway.encodeOutcome(approval.ask, outcome, { id: "e" });
    expect(hook?.payload).toEqual(payload && { executionId: "e", ...payload });
    // An edit and a declined approval come back as a rejection: the listed losses.
    const decoded = gateway.decodeOutcome(approval.ask, hook, { by: BY });
    const kind = payload && "approved" in payload && payload.approved ? "approve" : "reject";
    expect(decoded.ok && decoded.outcome).toMatchObject(payload ? { decisions: [{ kind }] } : {});
  });
});

describe("messages", () => {
  it.each([
    ["ping", { kind: "ping" }],
    ["pong", { kind: "pong" }],
  ])("%s", (type, message) => {
    expect(gateway.decode(JSON.stringify({ type }))).toEqual({ ok: true, message });
    expect(gateway.decode({ type, payload: {} })).toEqual({ ok: true, message });
  });

  it.each(["ack", "rejection", "error"])("%s is a notice", (name) => {
    const payload = { questionId: "q" };
    const decoded = gateway.decode({ type: name, payload });
    expect(decoded).toEqual({ ok: true, message: { kind: "notice", name, payload } });
  });

  it("that are too long are not called anything else", () => {
    const long = JSON.stringify({ type: "ping", payload: "x".repeat(LIMITS.askLength) });
    expect(gateway.decode(long)).toMatchObject({ ok: false, issues: [{ code: "too_large" }] });
    expect(gateway.decode("{")).toMatchObject({ ok: false, issues: [{ code: "invalid_json" }] });
  });

  it("does not take recipients, an answer or a key from a host", () => {
    const payload = {
      ...step1.payload.payload,
      recipients: ["eve"],
      key: "x",
      answers: {},
      metadata: { a: 1 },
    };
    const { ask } = asked({ type: "event", payload: { event: "ask_user_question", payload } });
    expect(ask.recipients).toEqual([]);
    expect(ask.key).toBe(step1.payload.payload.questionId);
    expect(ask.metadata).toBeUndefined();
  });
});

describe("a map of answers", () => {
  const texts = ["Ship it?", "__proto__", "When?"];
  const questions = texts.map((question) => ({ question, options: ["Yes", "No", "Later"].map(labelled) }));
  const { ask } = asked(event({ questions }));
  const map = JSON.parse('{ "Ship it?": "Yes", "__proto__": "No", "When?": "at noon" }');
  const answers = [
    { question: "q1", selected: ["o1"] },
    { question: "q2", selected: ["o2"] },
    { question: "q3", selected: [], text: "at noon" },
  ];

  function labelled(label: string): object {
    return { label };
  }

  function event(fields: object): object {
    const payload = { ...step1.payload.payload, ...fields };
    return { type: "event", payload: { event: "ask_user_question", payload } };
  }

  it("may be in any order, and is written in that of the questions, whatever they are called", () => {
    const reversed = Object.fromEntries(Object.entries(map).reverse());
    for (const sent of [map, reversed]) {
      const outcome = outcomeOf(ask, sent);
      expect(outcome).toEqual({ kind: "answered", answers, by: BY });
      expect(JSON.stringify(gateway.encodeAnswers(ask, outcome))).toBe(JSON.stringify(map));
    }
    const elsewhere: Outcome = { kind: "answered", answers: answers.toReversed(), by: BY };
    expect(JSON.stringify(gateway.encodeAnswers(ask, elsewhere))).toBe(JSON.stringify(map));
  });

  it.each([
    [
      "a stranger in the place of a question",
      { "Ship it?": "Yes", "When?": "No", "Who?": "Ana" },
      ["unknown_question", "missing_answer"],
      true,
    ],
    ["a blank in the place of a text", { ...map, "When?": " " }, ["missing_answer"], true],
    ["a number in the place of a text", { ...map, "When?": 12 }, ["wrong_type"], false],
  ])("with %s is refused, or read as far as one is lenient", (_name, sent, codes, passes) => {
    const strict = gateway.decodeAnswers(ask, sent, { by: BY });
    expect(!strict.ok && strict.issues.map(({ code }) => code)).toEqual(codes);
    expect(gateway.decodeAnswers(ask, sent, { by: BY, lenient: true }).ok).toBe(passes);
  });

  it("with one text for two questions belongs to neither", () => {
    const repeated = { questions: [...ask.questions, ...ask.questions.slice(0, 1)] };
    const sent = { ...map, "Who?": "Ana" };
    expect(gateway.decodeAnswers(repeated, sent, { by: BY })).toMatchObject({
      issues: [{ code: "duplicate_question", path: ["questions", 3, "question"] }],
    });
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...ask.questions[0],
      question: `${index % 29}`,
    }));
    expect(gateway.decodeAnswers({ questions: many as never }, sent, { by: BY })).toMatchObject({
      issues: [{ code: "duplicate_question", path: ["questions", 29, "question"] }],
    });
  });
});

it("reads any frame without a throw, and accepts only valid asks", () => {
  const frames = [step1, fullExample.question, fullExample.answer, vectors.dismissal];
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const decoded = gateway.decode(mutateJson(frames, seed));
      if (!decoded.ok) expect(decoded.issues.length).toBeGreaterThan(0);
      else if (decoded.message.kind === "ask") {
        deepStrictEqual(parseAsk(decoded.message.ask), { ok: true, ask: decoded.message.ask });
      }
    }),
    { numRuns: 1_000 },
  );
  const refuse = (): never => {
    throw Object.create(null);
  };
  const hostile = new Proxy({}, { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
  expect(gateway.decode(hostile).ok).toBe(false);
  expect(gateway.decode({ type: "event", payload: hostile }).ok).toBe(false);
});
