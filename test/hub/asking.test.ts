import { describe, expect, it } from "vitest";
import { createHub, memoryStore, type Store } from "../../src/hub/index.js";
import type { JsonObject, Preview } from "../../src/index.js";
import { ana, choices, codeOf, openHub, question, yes } from "./open-hub.js";

describe("an agent asks", () => {
  it("and goes on with the answer, which is stored before", async () => {
    const { hub } = await openHub();
    const asked = hub.ask({ questions: [question], session: "s1" });
    const [ask] = (await hub.list({ status: "pending" })).asks;
    expect(hub.isAwaited(ask?.id ?? "")).toBe(true);
    await hub.answer(ask?.id ?? "", yes, ana);
    const outcome = await asked;
    expect(outcome).toEqual({ kind: "answered", answers: yes.answers, choices, by: ana.by });
    expect((await hub.get(ask?.id ?? "")).outcome).toEqual(outcome);
    expect(hub.isAwaited(ask?.id ?? "")).toBe(false);
  });

  it("or posts and waits later, before or after the answer", async () => {
    const { hub } = await openHub();
    const ask = await hub.post({ questions: [question] });
    expect(ask).toMatchObject({ status: "pending", session: "" });
    const early = hub.wait(ask.id);
    await hub.decline(ask.id, "no", ana);
    expect(await early).toEqual({ kind: "declined", reason: "no", by: ana.by });
    expect(await hub.wait(ask.id)).toEqual(await early);
  });

  it("or waits for a stored ask until a signal aborts, which ends only the waiting", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    expect(hub.isAwaited(id)).toBe(false);
    const left = new AbortController();
    const leaving = hub.wait(id, { signal: left.signal });
    expect(hub.isAwaited(id)).toBe(true);
    left.abort(new Error("enough"));
    await expect(leaving).rejects.toThrow("enough");
    expect(hub.isAwaited(id)).toBe(false);
    expect((await hub.get(id)).status).toBe("pending");
    expect(await codeOf(hub.wait("ask_none"))).toBe("not_found");
    expect(hub.isAwaited("ask_none")).toBe(false);
    const open = hub.wait(id);
    await hub.close();
    expect(await codeOf(open)).toBe("closed");
  });

  it("or attends to a stored ask, and cannot miss the end from then on", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const { ask, waiting } = await hub.attend(id);
    expect(ask.status).toBe("pending");
    expect(hub.isAwaited(id)).toBe(true);
    await hub.decline(id, "no", ana);
    const ended = await hub.get(id);
    expect(await waiting?.ended).toEqual(ended);
    // There is nothing to wait for any more.
    expect(await hub.attend(id)).toEqual({ ask: ended });
    expect(await codeOf(hub.attend("ask_none"))).toBe("not_found");
    expect(hub.isAwaited("ask_none")).toBe(false);
  });

  it("or submits, and cannot miss the end from then on", async () => {
    const { hub } = await openHub();
    const request = { questions: [question], session: "s1", key: "call_1" };
    const { ask, created, waiting } = await hub.submit(request);
    expect(created).toBe(true);
    expect(hub.isAwaited(ask.id)).toBe(true);
    const found = await hub.submit(request);
    expect(found).toMatchObject({ ask, created: false });
    await hub.answer(ask.id, yes, ana);
    const ended = await hub.get(ask.id);
    expect(ended.outcome).toEqual({ kind: "answered", answers: yes.answers, choices, by: ana.by });
    expect(await waiting?.ended).toEqual(ended);
    expect(await found.waiting?.ended).toEqual(ended);
    expect(await hub.submit(request)).toEqual({ ask: ended, created: false });
  });

  it("or submits and stops waiting, which ends nothing else", async () => {
    const { hub } = await openHub();
    const { ask, waiting } = await hub.submit({ questions: [question] });
    waiting?.stop();
    expect(hub.isAwaited(ask.id)).toBe(false);
    expect((await hub.get(ask.id)).status).toBe("pending");
    expect(await codeOf(hub.submit({ questions: [] }))).toBe("invalid_ask");
    const unreachable = await hub.submit({ questions: [question], requireSurface: true });
    expect(unreachable).toMatchObject({ ask: { status: "unavailable" }, created: true });
    expect(unreachable.waiting).toBeUndefined();
  });

  it("once for a key, in its session, whatever happens to the agent", async () => {
    const { hub } = await openHub();
    const request = { questions: [question], session: "s1", key: "call_1" };
    const first = await hub.post(request);
    expect((await hub.post({ ...request, timeoutMs: 5, metadata: { retry: 1 } })).id).toBe(first.id);
    expect((await hub.post({ ...request, session: "s2" })).id).not.toBe(first.id);
    const waiting = hub.ask(request);
    await hub.answer(first.id, yes, ana);
    expect((await waiting).kind).toBe("answered");
    expect((await hub.ask(request)).kind).toBe("answered");
    expect((await hub.get(first.id)).deadline).toBeUndefined();
  });

  it("and may not use a key for something else", async () => {
    const { hub } = await openHub();
    await hub.post({ questions: [question], key: "call_1" });
    expect(await codeOf(hub.post({ questions: [question], key: "call_1", context: "more" }))).toBe(
      "key_conflict",
    );
    expect(await codeOf(hub.ask({ questions: [{ ...question, question: "Other?" }], key: "call_1" }))).toBe(
      "key_conflict",
    );
  });

  it("and got another agent's ask, or a conflict with it, by the same key in a session", async () => {
    const { hub } = await openHub();
    const request = { questions: [question], session: "s", key: "call_1" };
    const one = await hub.post(request, { asker: "one" });
    const other = await hub.post({ ...request, context: "other" }, { asker: "other" });
    expect(other.id).not.toBe(one.id);
    expect((await hub.post(request, { asker: "one" })).id).toBe(one.id);
  });

  it("and asks the same where an action's arguments come in another order", async () => {
    const { hub } = await openHub();
    const approval = (args: JsonObject) => ({
      approval: { actions: [{ name: "run", args }] },
      key: "call_1",
    });
    const first = await hub.post(approval({ path: "/", deep: { a: 1, b: [2, 3] } }));
    expect((await hub.post(approval({ deep: { b: [2, 3], a: 1 }, path: "/" }))).id).toBe(first.id);
    expect(await codeOf(hub.post(approval({ deep: { b: [3, 2], a: 1 }, path: "/" })))).toBe("key_conflict");
  });

  it("and got a conflict after an upgrade, because a preview given as a string is Markdown now", async () => {
    const { hub } = await openHub();
    const asking = (preview: string | Preview) => ({
      session: "s1",
      key: "call_1",
      questions: [{ question: "Which?", options: [{ label: "A", preview }, "B"] }],
    });
    // Versions before 0.2 stored a string as text.
    const stored = await hub.post(asking({ format: "text", content: "# a" }));
    expect((await hub.post(asking("# a"))).id).toBe(stored.id);
    expect(await codeOf(hub.post(asking("# b")))).toBe("key_conflict");
    expect(await codeOf(hub.post(asking({ format: "html", content: "# a" })))).toBe("key_conflict");
  });

  it("and is told of a bad ask, which is not stored", async () => {
    const { hub } = await openHub();
    expect(await codeOf(hub.ask({ questions: [] }))).toBe("invalid_ask");
    expect((await hub.list()).asks).toEqual([]);
  });

  it("and is told of an ask that is not there", async () => {
    const { hub } = await openHub();
    expect(await codeOf(hub.wait("ask_none"))).toBe("not_found");
    expect(await codeOf(hub.get("ask_none"))).toBe("not_found");
    expect(await codeOf(hub.withdraw("ask_none"))).toBe("not_found");
  });
});

describe("an abort", () => {
  it("before asking stores nothing", async () => {
    const { hub } = await openHub();
    expect(await hub.ask({ questions: [question] }, { signal: AbortSignal.abort() })).toEqual({
      kind: "withdrawn",
    });
    expect((await hub.list()).asks).toEqual([]);
  });

  it("while waiting withdraws the ask", async () => {
    const { hub } = await openHub();
    const controller = new AbortController();
    const asked = hub.ask({ questions: [question] }, { signal: controller.signal });
    const [ask] = (await hub.list()).asks;
    controller.abort();
    expect(await asked).toEqual({ kind: "withdrawn" });
    expect((await hub.get(ask?.id ?? "")).status).toBe("withdrawn");
  });

  it("while the ask is being stored withdraws it once it is", async () => {
    const inner = memoryStore();
    let stored = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      stored = resolve;
    });
    const slow: Store = {
      ...inner,
      now: inner.now,
      asks: {
        ...inner.asks,
        insert: async (...args) => {
          const inserted = await inner.asks.insert(...args);
          await gate;
          return inserted;
        },
      },
    };
    const { hub } = await openHub(slow);
    const controller = new AbortController();
    const asked = hub.ask({ questions: [question] }, { signal: controller.signal });
    controller.abort();
    stored();
    expect(await asked).toEqual({ kind: "withdrawn" });
    expect((await hub.list()).asks.map(({ status }) => status)).toEqual(["withdrawn"]);
  });

  it("that comes just after the answer gives the answer", async () => {
    const { hub } = await openHub();
    const controller = new AbortController();
    const asked = hub.ask({ questions: [question] }, { signal: controller.signal });
    const [ask] = (await hub.list()).asks;
    const answered = hub.answer(ask?.id ?? "", yes, ana);
    controller.abort();
    const { outcome } = await answered.catch(() => hub.get(ask?.id ?? ""));
    expect(await asked).toEqual(outcome);
  });

  it("for the reason null withdraws the ask all the same", async () => {
    const { hub } = await openHub();
    const controller = new AbortController();
    const asked = hub.ask({ questions: [question] }, { signal: controller.signal });
    const [ask] = (await hub.list()).asks;
    controller.abort(null);
    expect(await asked).toEqual({ kind: "withdrawn" });
    expect((await hub.get(ask?.id ?? "")).status).toBe("withdrawn");
  });

  it("of a wait ends only the waiting", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const controller = new AbortController();
    const waiting = hub.wait(id, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(hub.wait(id, { signal: controller.signal })).rejects.toThrow("enough");
    expect((await hub.get(id)).status).toBe("pending");
    expect(hub.isAwaited(id)).toBe(false);
  });
});

describe("closing the hub", () => {
  it("rejects who waits and leaves the asks pending", async () => {
    const { hub, store } = await openHub();
    const asked = codeOf(hub.ask({ questions: [question], key: "k" }));
    const [ask] = (await hub.list()).asks;
    const waiting = codeOf(hub.wait(ask?.id ?? ""));
    const reading = codeOf(hub.events()[Symbol.asyncIterator]().next());
    await hub.position();
    await hub.close();
    expect([await asked, await waiting, await reading]).toEqual(["closed", "closed", "closed"]);
    expect(await codeOf(hub.list())).toBe("closed");
    const again = await openHub(store);
    const goesOn = again.hub.ask({ questions: [question], key: "k" });
    await again.hub.answer(ask?.id ?? "", yes, ana);
    expect((await goesOn).kind).toBe("answered");
  });

  it("twice is fine", async () => {
    const { hub } = await openHub();
    await hub.close();
    await hub.close();
    expect(await codeOf(hub.ask({ questions: [question] }))).toBe("closed");
  });
});

describe("a key without a session", () => {
  const request = { questions: [question], key: "call_1" };

  it("gave an old answer to an agent that counts its calls from 1 again", async () => {
    const { hub, clock, logged } = await openHub();
    const first = await hub.post(request);
    await hub.answer(first.id, yes, ana);
    expect((await hub.post(request)).id).toBe(first.id);
    expect(await hub.wait(first.id)).toMatchObject({ kind: "answered" });
    await clock.advance(59_999);
    expect((await hub.post(request)).id).toBe(first.id);
    await clock.advance(1);
    const second = await hub.post(request);
    expect(second).toMatchObject({ status: "pending", key: "call_1" });
    expect(second.id).not.toBe(first.id);
    expect((await hub.post(request)).id).toBe(second.id);
    expect((await hub.get(first.id)).outcome).toMatchObject({ kind: "answered" });
    expect(logged).toEqual([expect.stringMatching(/^a key was used again without a session/)]);
  });

  it("may be used for something else once its outcome was delivered", async () => {
    const { hub } = await openHub();
    const asked = hub.ask(request);
    const [first] = (await hub.list()).asks;
    await hub.answer(first?.id ?? "", yes, ana);
    await asked;
    const other = await hub.post({ ...request, context: "other" });
    expect(other).toMatchObject({ status: "pending", context: "other" });
  });

  it("keeps its ask where a session is given", async () => {
    const { hub, clock } = await openHub();
    const { id } = await hub.post({ ...request, session: "s" });
    await hub.answer(id, yes, ana);
    await hub.wait(id);
    await clock.advance(120_000);
    expect((await hub.post({ ...request, session: "s" })).id).toBe(id);
  });
});

describe("an agent that asks without end", () => {
  const request = { questions: [question], session: "s" };

  it("filled the store for everybody: its pending asks are limited", async () => {
    const { store, clock } = await openHub();
    const hub = await createHub({ store, clock, limits: { pendingAsks: 2 } });
    const first = await hub.post({ ...request, key: "1" }, { asker: "busy" });
    await hub.post(request, { asker: "busy" });
    await expect(hub.post(request, { asker: "busy" })).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(/^the agent "busy" has 2 pending asks, and may have 2: .* pendingAsks$/),
    });
    expect((await hub.post({ ...request, key: "1" }, { asker: "busy" })).id).toBe(first.id);
    await hub.post(request, { asker: "other" });
    await hub.post(request);
    await hub.answer(first.id, yes, ana);
    expect((await hub.post(request, { asker: "busy" })).status).toBe("pending");
  });

  it("was refused a new ask while its retries were on their way, as if they took room", async () => {
    const { store, clock } = await openHub();
    const hub = await createHub({ store, clock, limits: { pendingAsksPerPerson: 10 } });
    const post = (key: number) => hub.post({ ...request, key: `k${key}` }, { asker: "busy" });
    const numbers = Array.from({ length: 10 }, (_, number) => number);
    const stored = await Promise.all(numbers.slice(0, 5).map(post));
    const again = await Promise.allSettled(numbers.map(post));
    expect(again.map(({ status }) => status)).toEqual(numbers.map(() => "fulfilled"));
    expect(again.slice(0, 5)).toMatchObject(stored.map(({ id }) => ({ value: { id } })));
    expect(await codeOf(post(10))).toBe("quota_exceeded");
  });

  it("waited for ever after retries and new asks of one moment, instead of being refused", async () => {
    const { store, clock } = await openHub();
    const hub = await createHub({ store, clock, limits: { pendingAsksPerPerson: 6 } });
    const post = (key: number) => hub.post({ ...request, key: `k${key}` }, { asker: "busy" });
    for (let key = 0; key < 5; key += 1) await post(key);
    for (let round = 0; round < 60; round += 1) {
      // In many orders: each begins some turns after the one before.
      const begin = async (key: number, place: number) => {
        for (let turn = (round * (place + 3)) % 17; turn > 0; turn -= 1) await Promise.resolve();
        return post(key);
      };
      const sent = await Promise.allSettled([0, 10 + round, 1, 2, 3].map(begin));
      for (const one of sent) {
        if (one.status === "fulfilled" && one.value.key === `k${10 + round}`)
          await hub.withdraw(one.value.id);
      }
    }
    await post(5);
    expect(await codeOf(post(100))).toBe("quota_exceeded");
  });

  it("buried what others asked of a person: its pending asks for one person are limited", async () => {
    const { store, clock } = await openHub();
    const hub = await createHub({ store, clock, limits: { pendingAsksPerPerson: 5 } });
    const post = (...recipients: readonly string[]) =>
      hub.post({ ...request, recipients }, { asker: "busy" });
    const toAna = await Promise.allSettled(Array.from({ length: 8 }, () => post("ana")));
    expect(toAna.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    await expect(post("ben", "ana")).rejects.toMatchObject({
      code: "quota_exceeded",
      message:
        'the agent "busy" has 5 pending asks for "ana", and may have 5 for one person: wait for answers or withdraw some, or raise the limit pendingAsksPerPerson (askline serve --limit pendingAsksPerPerson=10)',
    });
    // Many people may each be asked, and nobody else is concerned.
    for (let index = 0; index < 20; index += 1) await post(`person-${index}`);
    await hub.post({ ...request, recipients: ["ana"] }, { asker: "other" });
    // To everyone, also to ana.
    expect(await codeOf(post())).toBe("quota_exceeded");
    const { asks } = await hub.list({ asker: "busy", person: "ana" });
    await hub.answer(asks[0]?.id ?? "", yes, ana);
    const everyone = await post();
    expect(await codeOf(post("ana"))).toBe("quota_exceeded");
    for (let index = 0; index < 4; index += 1) await post("ben");
    expect(await codeOf(post("ben"))).toBe("quota_exceeded");
    await hub.withdraw(everyone.id);
    await post("ben");
    await post("ana");
    await hub.close();
  });

  it("came to one person by the later steps of many asks, and was not counted for that person", async () => {
    const { store, clock } = await openHub();
    const hub = await createHub({ store, clock, limits: { pendingAsksPerPerson: 3 } });
    const post = (index: number) =>
      hub.post(
        { ...request, recipients: [`person-${index}`], notify: [{ after: "0s", to: ["ana"] }] },
        { asker: "busy" },
      );
    for (let index = 0; index < 3; index += 1) await hub.escalate((await post(index)).id, ["ana"]);
    await expect(post(3)).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining('has 3 pending asks for "ana"'),
    });
    await hub.post({ ...request, recipients: ["ben"] }, { asker: "busy" });
    await hub.close();
  });

  it("counts for one person what another node stored, and a known key is a retry", async () => {
    const { store, clock, hub: first } = await openHub();
    const second = await createHub({ store, clock, limits: { pendingAsksPerPerson: 3 } });
    const ask = (key: string) => ({ ...request, recipients: ["ana"], key });
    for (const key of ["1", "2"]) await second.post(ask(key), { asker: "busy" });
    await second.post(ask("3"), { asker: "busy" });
    expect(await codeOf(second.post(ask("4"), { asker: "busy" }))).toBe("quota_exceeded");
    expect((await second.post(ask("3"), { asker: "busy" })).status).toBe("pending");
    const { asks } = await first.list({ asker: "busy" });
    await first.answer(asks[0]?.id ?? "", yes, ana);
    await second.post(ask("5"), { asker: "busy" });
    expect(await codeOf(second.post(ask("6"), { asker: "busy" }))).toBe("quota_exceeded");
  });

  it("filled the disk for everybody: its stored bytes are limited", async () => {
    const { store, clock } = await openHub();
    const hub = await createHub({ store, clock, limits: { storedBytes: 3_000 } });
    const large = { ...request, context: "x".repeat(2_000) };
    const { id } = await hub.post({ ...large, key: "1" }, { asker: "busy" });
    await hub.answer(id, yes, ana);
    await expect(hub.post(large, { asker: "busy" })).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(
        /^the agent "busy" has \d{4} bytes of asks and transcripts stored, this ask has \d{4}, and it may have 3000: prune old asks/,
      ),
    });
    expect((await hub.post({ ...large, key: "1" }, { asker: "busy" })).id).toBe(id);
    await clock.advance(1);
    await hub.prune({ settledBefore: store.now() });
    await hub.post(large, { asker: "busy" });
  });

  it("went above the bytes it may store with its last ask", async () => {
    const { store, clock } = await openHub();
    const bytesOf = async (asker: string): Promise<number> => (await store.asks.usage(asker)).bytes;
    const unbounded = await createHub({ store, clock });
    await unbounded.post(request, { asker: "idle" });
    const one = await bytesOf("idle");

    const hub = await createHub({ store, clock, limits: { storedBytes: 2 * one } });
    const tooLarge = { ...request, context: "x".repeat(2 * one) };
    await expect(hub.post(tooLarge, { asker: "busy" })).rejects.toMatchObject({ code: "quota_exceeded" });
    await hub.post(request, { asker: "busy" });
    await expect(hub.post({ ...request, context: "x" }, { asker: "busy" })).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    await hub.post(request, { asker: "busy" });
    expect(await bytesOf("busy")).toBe(2 * one);
  });
});
