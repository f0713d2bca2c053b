import { describe, expect, it } from "vitest";
import { type AskStore, memoryStore } from "../../src/hub/index.js";
import type { AskInput } from "../../src/index.js";
import { ana, choices, openHub, question, yes } from "./open-hub.js";

const DAY = 86_400_000;

describe("an answer that came seconds after the deadline, before any timer fired", () => {
  /** As after a pause of the process: the deadline has passed, and nobody has acted on it. */
  async function paused(input: Partial<AskInput> = {}) {
    const store = memoryStore();
    const claimDue: AskStore["claimDue"] = async () => [];
    const opened = await openHub({ ...store, asks: { ...store.asks, claimDue } });
    const { id } = await opened.hub.post({
      questions: [{ ...question, freeText: true }],
      timeoutMs: 1_000,
      session: "s",
      ...input,
    });
    await opened.clock.advance(4_000);
    expect((await opened.hub.get(id)).status).toBe("pending");
    return { ...opened, id };
  }

  it("was taken: now the ask expires in that call, and the text is returned", async () => {
    const { hub, id } = await paused();
    const late = { answers: [{ question: "q1", selected: [], text: 'ship on "Monday"' }] };
    await expect(hub.answer(id, late, ana)).rejects.toMatchObject({
      code: "already_settled",
      outcome: { kind: "expired" },
      message: `${id} was already expired; this was not stored: "ship on \\"Monday\\""`,
    });
    expect(await hub.get(id)).toMatchObject({ status: "expired", outcome: { kind: "expired" } });
    expect((await hub.audit(id)).map(({ type }) => type)).toEqual(["ask.created", "ask.expired"]);
  });

  it("was taken instead of the recommended options", async () => {
    const { hub, id } = await paused({ onDeadline: "recommended" });
    const by = { kind: "policy", name: "recommended" };
    const outcome = { kind: "answered", answers: yes.answers, choices, by };
    await expect(hub.decline(id, "too risky", ana)).rejects.toMatchObject({
      code: "already_settled",
      outcome,
      message: expect.stringContaining('this was not stored: "too risky"'),
    });
    expect((await hub.get(id)).outcome).toEqual(outcome);
  });

  it("came as a draft, which extended the deadline that had passed", async () => {
    const { hub, store, id } = await paused({ extendOnActivity: 60_000 });
    await hub.saveDraft(id, { answers: [{ question: "q1", selected: [], text: "half a thought" }] }, ana);
    expect((await hub.get(id)).deadline).toBeLessThan(store.now());
    await expect(hub.answer(id, yes, ana)).rejects.toMatchObject({ outcome: { kind: "expired" } });
    expect(await hub.draft(id, ana)).toMatchObject({ answers: [{ text: "half a thought" }] });
  });

  it("is still taken where the ask is to wait", async () => {
    const { hub, id } = await paused({ onDeadline: "wait" });
    expect((await hub.answer(id, yes, ana)).status).toBe("answered");
  });

  it("is taken where a draft has moved the deadline, though the hub remembers the first one", async () => {
    const { hub, store, clock } = await openHub();
    const { id } = await hub.post({ questions: [question], timeoutMs: 1_000 });
    await store.asks.change(id, { kind: "extend", deadline: store.now() + 9_000 });
    await clock.advance(4_000);
    expect((await hub.answer(id, yes, ana)).status).toBe("answered");
  });

  it("does not let a withdraw change what the deadline has decided", async () => {
    const { hub, id } = await paused();
    await expect(hub.withdraw(id)).rejects.toMatchObject({ outcome: { kind: "expired" } });
  });
});

describe("at the deadline", () => {
  it("an ask expires, not a millisecond before", async () => {
    const { hub, clock } = await openHub();
    const asked = hub.ask({ questions: [question], timeoutMs: 60_000 });
    const [ask] = (await hub.list()).asks;
    await clock.advance(59_999);
    expect((await hub.get(ask?.id ?? "")).status).toBe("pending");
    await clock.advance(1);
    expect(await asked).toEqual({ kind: "expired" });
  });

  it("the recommended options are taken, by a policy", async () => {
    const { hub, clock } = await openHub();
    const asked = hub.ask({ questions: [question], timeoutMs: 5, onDeadline: "recommended" });
    await clock.advance(5);
    expect(await asked).toEqual({
      kind: "answered",
      answers: yes.answers,
      choices,
      by: { kind: "policy", name: "recommended" },
    });
  });

  it("an ask that is to wait is overdue, once, and can still be answered", async () => {
    const { hub, clock } = await openHub();
    const { id } = await hub.post({ questions: [question], timeoutMs: 5, onDeadline: "wait" });
    await clock.advance(60_000);
    expect(await hub.get(id)).toMatchObject({ status: "pending", overdue: true });
    await hub.answer(id, yes, ana);
    expect((await hub.audit(id)).map(({ type }) => type)).toEqual([
      "ask.created",
      "ask.overdue",
      "ask.answered",
    ]);
  });

  it("an answer that came before stands", async () => {
    const { hub, clock } = await openHub();
    const { id } = await hub.post({ questions: [question], timeoutMs: 5 });
    await hub.answer(id, yes, ana);
    await clock.advance(60_000);
    expect((await hub.audit(id)).map(({ type }) => type)).toEqual(["ask.created", "ask.answered"]);
  });

  it("many asks end, each at its time, whatever their order", async () => {
    const { hub, clock } = await openHub();
    for (const timeoutMs of [300, 100, 200]) await hub.post({ questions: [question], timeoutMs });
    await clock.advance(150);
    expect((await hub.list({ status: "expired" })).asks).toHaveLength(1);
    await clock.advance(100);
    expect((await hub.list({ status: "expired" })).asks).toHaveLength(2);
    await clock.advance(100);
    expect((await hub.list({ status: "pending" })).asks).toHaveLength(0);
  });
});

describe("a person's activity", () => {
  it("moves the deadline, up to the latest", async () => {
    const { hub, clock } = await openHub();
    const now = clock.now();
    const { id } = await hub.post({
      questions: [question],
      deadline: now + 1_000,
      extendOnActivity: 5_000,
      latest: now + 8_000,
    });
    await clock.advance(900);
    await hub.saveDraft(id, {}, ana);
    expect((await hub.get(id)).deadline).toBe(now + 5_900);
    await clock.advance(4_999);
    expect((await hub.get(id)).status).toBe("pending");
    await hub.saveDraft(id, {}, ana);
    expect((await hub.get(id)).deadline).toBe(now + 8_000);
    await clock.advance(2_101);
    expect((await hub.get(id)).status).toBe("expired");
    expect((await hub.audit(id)).map(({ type }) => type)).toEqual([
      "ask.created",
      "ask.extended",
      "ask.extended",
      "ask.expired",
    ]);
  });

  it.each([
    { onDeadline: "expire", events: ["ask.expired"], what: "does not move it" },
    {
      onDeadline: "wait",
      events: ["ask.extended", "ask.overdue"],
      what: "moves it, where the ask is to wait",
    },
  ] as const)("after the deadline, before its policy is applied, $what", async (given) => {
    const memory = memoryStore();
    let between = async (): Promise<void> => undefined;
    const asks: AskStore = {
      ...memory.asks,
      async claimDue(limit, leaseMs) {
        const claimed = await memory.asks.claimDue(limit, leaseMs);
        if (claimed.length > 0) await between();
        return claimed;
      },
    };
    const { hub, clock } = await openHub({ ...memory, asks });
    const { onDeadline } = given;
    const { id } = await hub.post({
      questions: [question],
      timeoutMs: 1_000,
      extendOnActivity: 2_000,
      onDeadline,
    });
    between = async () => {
      between = async () => undefined;
      await hub.saveDraft(id, {}, ana);
    };
    const types = async () => (await hub.audit(id)).map(({ type }) => type);
    await clock.advance(2_999);
    expect(await types()).toEqual(["ask.created", given.events[0]]);
    await clock.advance(1);
    expect(await types()).toEqual(["ask.created", ...given.events]);
    await clock.advance(60_000);
    expect(await types()).toEqual(["ask.created", ...given.events]);
  });
});

describe("the wall clock jumps", () => {
  it.each([DAY, -DAY])("by %i ms: no ask expires early, and each at its time", async (jump) => {
    const { hub, clock } = await openHub();
    const asked = hub.ask({ questions: [question], timeoutMs: 60_000 });
    const [ask] = (await hub.list()).asks;
    clock.jumpWall(jump);
    await clock.advance(59_999);
    expect((await hub.get(ask?.id ?? "")).status).toBe("pending");
    await clock.advance(1);
    expect(await asked).toEqual({ kind: "expired" });
  });
});

describe("several hubs on one store", () => {
  it("meet a deadline once, and that of a hub which is gone", async () => {
    const { hub, store, clock } = await openHub();
    const { id } = await hub.post({ questions: [question], timeoutMs: 60_000, onDeadline: "wait" });
    const others = await Promise.all([openHub(store, clock), openHub(store, clock)]);
    await clock.advance(120_000);
    expect((await others[0]?.hub.audit(id))?.map(({ type }) => type)).toEqual(["ask.created", "ask.overdue"]);
  });
});
