import { describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../src/hub/index.js";
import { type AskInput, AsklineError, LIMITS } from "../../src/index.js";
import { ana, codeOf, no, openHub, person, question, yes } from "./open-hub.js";

const approval = { approval: { actions: [{ name: "mail", args: { to: "bo" } }] } };
const approve = { decisions: [{ action: "a1", kind: "approve" as const }] };

describe("an ask is ended", () => {
  it("by answer, decision, decline, reply or withdrawal", async () => {
    const { hub } = await openHub();
    const post = async (): Promise<string> => (await hub.post({ questions: [question] })).id;
    const statuses = [
      await hub.answer(await post(), { ...yes, note: "go" }, ana),
      await hub.decide((await hub.post(approval)).id, approve, ana),
      await hub.decline(await post(), undefined, ana),
      await hub.reply(await post(), "what is it?", ana),
      await hub.withdraw(await post(), "done"),
    ].map(({ status, outcome }) => [status, outcome?.kind]);
    expect(statuses).toEqual(
      ["answered", "decided", "declined", "replied", "withdrawn"].map((kind) => [kind, kind]),
    );
  });

  it("once: of a hundred answers at the same time one counts, and the others are told which", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => hub.answer(id, index % 2 ? yes : no, person(`p${index}`))),
    );
    const winners = results.filter(({ status }) => status === "fulfilled");
    expect(winners).toHaveLength(1);
    const { outcome } = await hub.get(id);
    for (const result of results) {
      if (result.status === "fulfilled") expect(result.value.outcome).toEqual(outcome);
      else expect(result.reason).toMatchObject({ code: "already_settled", outcome });
    }
    const events = await hub.audit(id);
    expect(events.map(({ type }) => type)).toEqual(["ask.created", "ask.answered"]);
  });

  it("and the same answer by the same person again is acknowledged", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    await hub.answer(id, yes, ana);
    expect((await hub.answer(id, yes, person("ana", "phone"))).outcome).toMatchObject({
      by: { surface: "test" },
    });
    expect(await codeOf(hub.answer(id, no, ana))).toBe("already_settled");
    expect(await codeOf(hub.answer(id, yes, person("bo")))).toBe("already_settled");
    expect(await codeOf(hub.answer(id, { answers: [] }, ana))).toBe("already_settled");
    expect(await codeOf(hub.withdraw(id))).toBe("already_settled");
  });

  it("by somebody who is known, or not at all", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const long = "x".repeat(LIMITS.idLength + 1);
    const unknown: readonly unknown[] = [
      undefined,
      {},
      ...[null, "ana", {}, { kind: "person" }, { kind: "person", id: "ana" }, { kind: "robot", id: "r" }],
      ...[
        { kind: "person", id: "", surface: "cli" },
        { kind: "person", id: long, surface: "cli" },
      ],
      ...[{ kind: "person", id: "a\nb", surface: "cli" }, { kind: "policy" }, { kind: "policy", name: 1 }],
    ].map((by, place) => (place === 0 ? undefined : { by }));
    for (const options of unknown as readonly (typeof ana)[]) {
      const attempts = [
        () => hub.answer(id, yes, options),
        () => hub.decide(id, approve, options),
        () => hub.decline(id, "no", options),
        () => hub.reply(id, "what?", options),
        () => hub.saveDraft(id, {}, options),
        () => hub.draft(id, options),
        () => hub.opened(id, options),
      ];
      for (const attempt of attempts) {
        // Called outside of a promise: it must not throw by itself.
        const attempted = attempt();
        await expect(attempted).rejects.toMatchObject({
          code: "invalid_request",
          message: expect.stringContaining("by is missing or invalid"),
        });
      }
    }
    expect(await hub.get(id)).toMatchObject({ status: "pending" });
  });

  it("and who comes too late learns who was first", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    await hub.answer(id, yes, person("bo", "phone"));
    await expect(hub.decline(id, undefined, ana)).rejects.toThrow("was already answered by bo (phone)");
  });
});

describe("what settles nothing", () => {
  it("is told with its issues, and the ask stays pending", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const wrong = hub.answer(id, { answers: [{ question: "q7", selected: ["o9"] }] }, ana);
    await expect(wrong).rejects.toMatchObject({
      code: "invalid_answer",
      issues: [{ code: "unknown_question" }, { code: "missing_answer" }],
    });
    expect(await codeOf(hub.answer(id, "yes" as never, ana))).toBe("invalid_answer");
    expect(await codeOf(hub.reply(id, "  ", ana))).toBe("invalid_answer");
    expect(await codeOf(hub.decline(id, "x".repeat(LIMITS.reasonLength + 1), ana))).toBe("invalid_answer");
    expect((await hub.get(id)).status).toBe("pending");
    expect((await hub.answer(id, yes, ana)).status).toBe("answered");
  });

  it("is an answer to an approval, or a decision about questions", async () => {
    const { hub } = await openHub();
    expect(await codeOf(hub.answer((await hub.post(approval)).id, yes, ana))).toBe("wrong_kind");
    expect(await codeOf(hub.decide((await hub.post({ questions: [question] })).id, approve, ana))).toBe(
      "wrong_kind",
    );
  });

  it("is a decision that the action does not allow", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ approval: { actions: [{ name: "rm", allow: ["reject"] }] } });
    await expect(hub.decide(id, approve, ana)).rejects.toMatchObject({
      code: "invalid_answer",
      issues: [{ code: "decision_not_allowed" }],
    });
    expect((await hub.decide(id, { decisions: [{ action: "a1", kind: "reject" }] }, ana)).status).toBe(
      "decided",
    );
  });

  it("is anything by a person who is no recipient", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question], recipients: ["bo"] });
    const codes = await Promise.all([
      codeOf(hub.answer(id, yes, ana)),
      codeOf(hub.decline(id, undefined, ana)),
      codeOf(hub.reply(id, "hi", ana)),
      codeOf(hub.saveDraft(id, {}, ana)),
      codeOf(hub.draft(id, ana)),
      codeOf(hub.opened(id, ana)),
    ]);
    expect(new Set(codes)).toEqual(new Set(["forbidden"]));
    expect((await hub.list({ person: "ana" })).asks).toEqual([]);
    expect((await hub.list({ person: "bo" })).asks).toHaveLength(1);
    expect((await hub.answer(id, yes, person("bo"))).status).toBe("answered");
  });
});

describe("drafts", () => {
  it("are kept for each person and hinted to that person alone", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const hints: string[] = [];
    const stop = hub.onDraft("ana", ({ surface }) => void hints.push(surface));
    await hub.saveDraft(id, { answers: [{ question: "q1", text: "half" }] }, ana);
    await hub.saveDraft(id, { note: "mine" }, person("bo"));
    expect(await hub.draft(id, ana)).toEqual({ answers: [{ question: "q1", text: "half" }] });
    expect(await hub.draft(id, person("bo"))).toEqual({ note: "mine" });
    expect(await hub.draft(id, person("cy"))).toBeUndefined();
    stop();
    await hub.saveDraft(id, {}, ana);
    expect(hints).toEqual(["test"]);
    expect((await hub.audit(id)).map(({ type }) => type)).toEqual(["ask.created"]);
  });

  it("are bounded", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    const large = { note: "x".repeat(LIMITS.draftLength) };
    expect(await codeOf(hub.saveDraft(id, large, ana))).toBe("too_large");
    expect(await codeOf(hub.saveDraft(id, [] as never, ana))).toBe("invalid_answer");
    expect(await codeOf(hub.saveDraft("ask_none", {}, ana))).toBe("not_found");
    expect(await hub.draft(id, ana)).toBeUndefined();
  });
});

describe("who saw it", () => {
  it("is told once for each person and surface", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    for (const by of [ana, ana, person("ana", "phone"), person("bo")]) await hub.opened(id, by);
    const opened = (await hub.audit(id)).filter(({ type }) => type === "ask.opened");
    expect(opened.map(({ by }) => by)).toEqual([ana.by, person("ana", "phone").by, person("bo").by]);
  });
});

describe("an ask that needs a surface", () => {
  const needy = { questions: [question], requireSurface: true };

  it("is unavailable at once when nobody who may answer has one, and stored as such", async () => {
    const { hub } = await openHub();
    const disconnect = hub.presence.connect("bo", "phone");
    const outcome = await hub.ask({ ...needy, recipients: ["ana"] });
    expect(outcome.kind).toBe("unavailable");
    expect((await hub.list()).asks.map(({ status }) => status)).toEqual(["unavailable"]);
    expect((await hub.post(needy)).status).toBe("pending");
    disconnect();
    expect((await hub.post(needy)).status).toBe("unavailable");
  });

  it("waits when a surface is connected, to this hub or another on the same store", async () => {
    const { hub, store, clock } = await openHub();
    hub.presence.connect("ana", "web");
    expect((await hub.post({ ...needy, recipients: ["ana"] })).status).toBe("pending");
    const other = await openHub(store, clock);
    expect((await other.hub.post({ ...needy, recipients: ["ana"] })).status).toBe("pending");
    await clock.advance(60_000);
    expect((await other.hub.post(needy)).status).toBe("pending");
    expect(hub.presence.connected()).toEqual([{ person: "ana", surfaces: ["web"] }]);
  });

  it("is not kept waiting for somebody whose id only begins like the recipient's", async () => {
    const { hub, store, clock } = await openHub();
    hub.presence.connect("team/ana", "web");
    const other = await openHub(store, clock);
    expect((await other.hub.post({ ...needy, recipients: ["team"] })).status).toBe("unavailable");
    expect((await other.hub.post({ ...needy, recipients: ["team/ana"] })).status).toBe("pending");
  });

  it("keeps the answer that came while surfaces were looked for", async () => {
    const inner = memoryStore();
    let look = async (): Promise<void> => undefined;
    const records: Store["records"] = {
      ...inner.records,
      async list(...query) {
        await look();
        return inner.records.list(...query);
      },
    };
    const { hub } = await openHub({ ...inner, records });
    look = async () => {
      const [ask] = (await hub.list({ status: "pending" })).asks;
      // Connected surfaces are looked for first, then devices.
      if (ask !== undefined) await hub.answer(ask.id, yes, ana);
    };
    expect((await hub.ask(needy)).kind).toBe("answered");
    expect((await hub.post(needy)).status).toBe("answered");
  });

  it("is not kept waiting by a hub that died", async () => {
    const { hub, store, clock } = await openHub();
    // As a dead process would leave it: a lease that nobody renews.
    await store.records.put("presence", "ana/hub_dead", true, { expiresAt: store.now() + 30_000 });
    expect((await hub.post(needy)).status).toBe("pending");
    await clock.advance(30_000);
    expect((await hub.post(needy)).status).toBe("unavailable");
  });
});

it("limits and times are whole numbers for every store, and what is no number is refused", async () => {
  const inner = memoryStore();
  const given: number[] = [];
  const asks: Store["asks"] = {
    ...inner.asks,
    list(query) {
      given.push(query.limit);
      return inner.asks.list(query);
    },
    prune(settledBefore, limit, namespaces) {
      given.push(settledBefore, limit);
      return inner.asks.prune(settledBefore, limit, namespaces);
    },
  };
  const { hub } = await openHub({ ...inner, asks });
  await hub.list({}, { limit: 1.5 });
  await hub.prune({ settledBefore: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY });
  await hub.prune({ settledBefore: -0.5, limit: -1 });
  expect(given).toEqual([2, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0, 0]);
  expect(await codeOf(hub.list({}, { limit: Number.NaN }))).toBe("invalid_request");
  expect(await codeOf(hub.prune({ settledBefore: Number.NaN }))).toBe("invalid_request");
});

it("an unknown cursor is refused", async () => {
  const { hub } = await openHub();
  await expect(hub.list({}, { after: "first" })).rejects.toBeInstanceOf(AsklineError);
  expect(await codeOf(hub.list({}, { after: "-1" }))).toBe("invalid_request");
});

it("a store without backups says so", async () => {
  const { hub } = await openHub();
  expect(await codeOf(hub.backup("copy.db"))).toBe("unsupported");
});

describe("an ask that was stored here", () => {
  const reads = async (input: AskInput): Promise<number> => {
    const store = memoryStore();
    let count = 0;
    const asks: Store["asks"] = {
      ...store.asks,
      get(id) {
        count += 1;
        return store.asks.get(id);
      },
    };
    const { hub } = await openHub({ ...store, asks });
    const { id } = await hub.post(input);
    await hub.answer(id, yes, ana);
    return count;
  };

  it("is ended without being read again, unless it is so large that many would be too much to keep", async () => {
    expect(await reads({ questions: [question] })).toBe(0);
    expect(await reads({ questions: [question], context: "x".repeat(20_000) })).toBe(1);
  });
});
