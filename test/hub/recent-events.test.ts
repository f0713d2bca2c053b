import { describe, expect, it } from "vitest";
import { createRecentEvents } from "../../src/hub/events/recent-events.js";
import type { Committed } from "../../src/hub/seam/store.js";
import type { Ask, Question } from "../../src/index.js";
import { sampleNewAsk } from "../../src/testing/samples.js";

const { ask } = sampleNewAsk(1_000);
const event = (position: number): Committed => ({ position, at: 1_000, type: "ask.created", ask });
const run = (first: number, last: number): readonly Committed[] =>
  Array.from({ length: last - first + 1 }, (_, index) => event(first + index));
const positions = (events: readonly Committed[] | undefined): readonly number[] | undefined =>
  events?.map(({ position }) => position);

describe("the events that this process wrote last", () => {
  it("are unknown before there are any", () => {
    expect(createRecentEvents().after(0)).toBeUndefined();
  });

  it("are all those above a position, from just before the first to just before the last", () => {
    const recent = createRecentEvents();
    recent.add(run(5, 6));
    recent.add(run(7, 8));
    expect(positions(recent.after(4))).toEqual([5, 6, 7, 8]);
    expect(positions(recent.after(6))).toEqual([7, 8]);
    expect(positions(recent.after(7))).toEqual([8]);
    // Before the first there may be others', and after the last too.
    for (const position of [0, 3, 8, 9]) expect(recent.after(position)).toBeUndefined();
  });

  it("begin anew after an event that another process wrote", () => {
    const recent = createRecentEvents();
    recent.add(run(1, 3));
    recent.add(run(5, 6));
    for (const position of [0, 2, 3]) expect(recent.after(position)).toBeUndefined();
    expect(positions(recent.after(4))).toEqual([5, 6]);
  });

  it("begin anew within a commit, where others' entries stand between its events", () => {
    const recent = createRecentEvents();
    recent.add([event(1), event(3), event(4)]);
    expect(recent.after(1)).toBeUndefined();
    expect(positions(recent.after(2))).toEqual([3, 4]);
  });

  it("are unknown once something was written that is not among them", () => {
    const recent = createRecentEvents();
    recent.add(run(1, 3));
    recent.clear();
    for (const position of [0, 2, 3]) expect(recent.after(position)).toBeUndefined();
    recent.add(run(5, 5));
    expect(recent.after(3)).toBeUndefined();
    expect(positions(recent.after(4))).toEqual([5]);
  });

  it("are few: who is far behind reads the log", () => {
    const recent = createRecentEvents();
    for (let position = 1; position <= 1_000; position += 1) recent.add([event(position)]);
    expect(recent.after(0)).toBeUndefined();
    expect(recent.after(500)).toBeUndefined();
    expect(positions(recent.after(999))).toEqual([1_000]);
    recent.add(run(1_001, 3_000));
    expect(positions(recent.after(2_999))).toEqual([3_000]);
  });

  it("stay as they were given to a reader who is slow", () => {
    const recent = createRecentEvents();
    recent.add(run(1, 2));
    const given = recent.after(0);
    recent.add(run(3, 400));
    expect(positions(given)).toEqual([1, 2]);
  });

  describe("are bounded by size too", () => {
    const large = (position: number, more: Partial<Ask>): Committed => ({
      ...event(position),
      ask: { ...ask, ...more },
    });
    const text = "x".repeat(1_000);
    const by = { kind: "person", id: "ana", surface: "web" } as const;

    it("so that a commit which is too large is not kept, and the next ones are", () => {
      const recent = createRecentEvents(10_000);
      recent.add(run(1, 2));
      recent.add(Array.from({ length: 20 }, (_, index) => large(3 + index, { context: text })));
      for (const position of [0, 1, 2, 10, 21, 22]) expect(recent.after(position)).toBeUndefined();
      recent.add(run(23, 24));
      expect(recent.after(21)).toBeUndefined();
      expect(positions(recent.after(22))).toEqual([23, 24]);
    });

    it("so that two commits which are too large together leave the later one", () => {
      const recent = createRecentEvents(10_000);
      for (const first of [1, 7]) {
        recent.add(Array.from({ length: 6 }, (_, index) => large(first + index, { context: text })));
      }
      expect(recent.after(5)).toBeUndefined();
      expect(positions(recent.after(6))).toEqual([7, 8, 9, 10, 11, 12]);
    });

    it.each<[string, Partial<Ask>]>([
      ["a context", { context: text }],
      ["a question", { questions: [{ id: "q", question: text, options: [] } as unknown as Question] }],
      ["metadata", { metadata: { deep: [{ text }] } }],
      [
        "an approval",
        { questions: [], approval: { actions: [{ id: "a", name: "run", args: { text }, allow: [] }] } },
      ],
      ["an answer", { outcome: { kind: "answered", answers: [{ question: "q", selected: [], text }], by } }],
      ["a note", { outcome: { kind: "answered", answers: [], note: text, by } }],
      ["a reply", { outcome: { kind: "replied", text, by } }],
    ])("whatever is large about an ask: %s", (_name, more) => {
      const recent = createRecentEvents(1_000);
      recent.add([event(1)]);
      expect(positions(recent.after(0))).toEqual([1]);
      recent.add([large(2, more)]);
      expect(recent.after(1)).toBeUndefined();
    });
  });
});
