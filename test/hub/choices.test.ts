import { describe, expect, it } from "vitest";
import { ana, choices, openHub, question, yes } from "./open-hub.js";

const request = {
  questions: [
    question,
    { question: "Which parts?", options: ["A, B", "C"], multiSelect: true },
    { question: "When?", options: [] },
    { question: "Why?", options: ["x", "y"] },
  ],
  allowPartial: true,
  session: "s1",
  key: "call_1",
};
const submission = {
  answers: [
    { question: "q1", selected: ["No"], note: "not on a Friday" },
    { question: "q2", selected: ["C", "A, B"], text: "and D" },
    { question: "q3", text: "Monday" },
    { question: "q4", skipped: true },
  ],
};
const inWords = [
  { question: "q1", labels: ["No"], note: "not on a Friday" },
  { question: "q2", labels: ["A, B", "C"], text: "and D" },
  { question: "q3", labels: [], text: "Monday" },
  { question: "q4", labels: [] },
];

describe("choices, the answers in words", () => {
  it("are in whatever a hub returns, and never stored", async () => {
    const { hub, store } = await openHub();
    const asked = hub.ask(request);
    const { id } = await hub.post(request);
    const position = await hub.position();
    const events = hub.events({ after: position });
    const ended = await hub.answer(id, submission, ana);
    expect(ended.outcome).toMatchObject({ kind: "answered", choices: inWords });
    const { outcome } = ended;
    expect(await asked).toEqual(outcome);
    expect(await hub.wait(id)).toEqual(outcome);
    expect((await hub.get(id)).outcome).toEqual(outcome);
    expect((await hub.list()).asks.map((ask) => ask.outcome)).toEqual([outcome]);
    expect((await hub.post(request)).outcome).toEqual(outcome);
    expect((await hub.answer(id, submission, ana)).outcome).toEqual(outcome);
    await expect(hub.decline(id, undefined, ana)).rejects.toMatchObject({ outcome });
    for await (const event of events) {
      expect(event.ask?.outcome).toEqual(outcome);
      break;
    }
    const { choices: _, ...stored } = outcome as Extract<typeof outcome, { choices: unknown }>;
    expect((await store.asks.get(id))?.outcome).toEqual(stored);
    await hub.close();
  });

  it("stay out of the other endings", async () => {
    const { hub } = await openHub();
    const declined = await hub.decline((await hub.post({ questions: [question] })).id, "no", ana);
    expect(declined.outcome).toEqual({ kind: "declined", reason: "no", by: ana.by });
    const { id } = await hub.post({ questions: [question] });
    const answered = await hub.answer(id, yes, ana);
    expect(answered.outcome).toEqual({ kind: "answered", answers: yes.answers, choices, by: ana.by });
    await hub.close();
  });
});
