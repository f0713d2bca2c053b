import { afterEach, describe, expect, it } from "vitest";
import { OUTCOME_KINDS } from "../../../src/core/model/kinds.ts";
import { createHub, memoryStore } from "../../../src/hub/index.ts";
import { createMetrics } from "../../../src/server/metrics/index.ts";
import { answered, sampleNewAsk, settle } from "../../../src/testing/samples.ts";
import { call, closeServers, posted, until } from "../open-server.ts";
import { type MeasuredServer, openMeasured, parse, type Scrape } from "./scrape.ts";

afterEach(closeServers);

const APPROVAL = { questions: undefined, approval: { actions: [{ id: "a1", name: "deploy", args: {} }] } };
const YES = { answers: [{ question: "q1", selected: ["o1"] }] };
const by = { kind: "person", id: "ana", surface: "test" } as const;

const endsIn = (scrape: Scrape, kind: string): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(
    OUTCOME_KINDS.map((outcome) => [outcome, scrape.value("askline_asks_settled_total", { kind, outcome })]),
  );

async function tokens(open: MeasuredServer): Promise<{ readonly agent: string; readonly ana: string }> {
  return { agent: await open.token(), ana: await open.token({ role: "person", name: "ana" }) };
}

describe("the metrics of asks", () => {
  it("start at zero, so that a rate sees the first event", async () => {
    const open = await openMeasured();
    const scrape = await open.scrape();
    for (const kind of ["questions", "approval"]) {
      expect(scrape.value("askline_asks_created_total", { kind })).toBe(0);
      expect(Object.values(endsIn(scrape, kind))).toEqual(OUTCOME_KINDS.map(() => 0));
    }
    expect(scrape.value("askline_asks_pending")).toBe(0);
    expect(scrape.value("askline_oldest_pending_seconds")).toBe(0);
  });

  it("count the asks that a quota refused", async () => {
    const metrics = await createMetrics({ process: false });
    const hub = await createHub({
      store: metrics.measure(memoryStore()),
      limits: { pendingAsks: 1 },
      onQuotaRefused: metrics.quotaRefused,
    });
    const ask = { questions: [{ question: "Ship it?" }] };
    await hub.post(ask, { asker: "one" });
    for (let times = 0; times < 2; times += 1) {
      await expect(hub.post(ask, { asker: "one" })).rejects.toMatchObject({ code: "quota_exceeded" });
    }
    const { text } = await metrics.render({ connections: {} as never });
    const scrape = parse(text);
    const refused = (limit: string) => scrape.value("askline_quota_refusals_total", { limit });
    expect([refused("pendingAsks"), refused("storedBytes")]).toEqual([2, 0]);
    await hub.close();
  });

  it("show the messages that wait, fail and were given up, by channel", async () => {
    const store = memoryStore();
    const open = await openMeasured({ store });
    const add = (namespace: string, key: string, attempts: number) =>
      store.records.put(namespace, key, {
        askId: "ask_1",
        type: "ask.created",
        position: 1,
        at: 0,
        attempts,
      });
    for (const lane of ["webhook-0a", "webhook-0b", "callbacks"]) {
      await store.records.put("outbox-lanes", lane, lane);
      await add(`outbox/${lane}`, "ask_1/1", 0);
      await add(`outbox/${lane}`, "ask_1/2", 3);
    }
    await add("outbox-dead", "callbacks/ask_1/3", 9);
    const scrape = await open.scrape();
    const counts = ["webhook", "callback", "push"].map((channel) =>
      ["waiting", "failing", "dead"].map((state) => scrape.value("askline_deliveries", { channel, state })),
    );
    expect(counts).toEqual([
      [2, 2, 0],
      [1, 1, 1],
      [0, 0, 0],
    ]);
  });

  it("count each ask once, for every outcome", async () => {
    const open = await openMeasured();
    const { agent, ana } = await tokens(open);
    const end = async (line: string, body: object, more: object = {}, token = ana): Promise<void> => {
      const { id } = await posted(open, agent, more);
      const { status } = await call(open, token, `POST /v1/asks/${id}/${line}`, body);
      expect(`${line} ${status}`).toBe(`${line} 200`);
      // A repeat, and another person's answer: neither is another settlement.
      await call(open, token, `POST /v1/asks/${id}/${line}`, body);
      await call(open, ana, `POST /v1/asks/${id}/reply`, { text: "too late" });
    };
    await end("answer", YES);
    await end("answer", YES);
    await end("decide", { decisions: [{ action: "a1", kind: "approve" }] }, APPROVAL);
    await end("decline", {});
    await end("reply", { text: "later" });
    await end("withdraw", {}, APPROVAL, agent);
    await posted(open, agent, { timeoutMs: 60_000 });
    await posted(open, agent, { requireSurface: true });
    await posted(open, agent, { key: "twice" });
    await posted(open, agent, { key: "twice" });
    await open.clock.advance(60_000);
    await until(async () => (await open.hub.list({ status: "expired" })).asks.length === 1);
    const scrape = await open.scrape();
    expect(endsIn(scrape, "questions")).toEqual({
      ...{ answered: 2, decided: 0, declined: 1, replied: 1, expired: 1, withdrawn: 0, unavailable: 1 },
    });
    expect(endsIn(scrape, "approval")).toEqual({
      ...{ answered: 0, decided: 1, declined: 0, replied: 0, expired: 0, withdrawn: 1, unavailable: 0 },
    });
    expect(scrape.value("askline_asks_created_total", { kind: "questions" })).toBe(7);
    expect(scrape.value("askline_asks_created_total", { kind: "approval" })).toBe(2);
    expect(scrape.value("askline_asks_pending")).toBe(1);
  });

  it("count a policy's recommended answer, and a withdrawal by a signal", async () => {
    const open = await openMeasured();
    const question = { question: "Ship?", options: [{ label: "Yes", recommended: true }, { label: "No" }] };
    await open.hub.post({ questions: [question], timeoutMs: 1_000, onDeadline: "recommended" });
    const stop = new AbortController();
    const asking = open.hub.ask({ questions: [question] }, { signal: stop.signal });
    await until(async () => (await open.hub.list({ status: "pending" })).asks.length === 2);
    stop.abort();
    await asking;
    await open.clock.advance(1_000);
    await until(async () => (await open.hub.list({ status: "pending" })).asks.length === 0);
    expect(endsIn(await open.scrape(), "questions")).toMatchObject({ answered: 1, withdrawn: 1, expired: 0 });
  });

  it("count a settlement once when the same attempt is sent twice at once", async () => {
    const open = await openMeasured();
    const ask = await open.hub.post({ questions: [{ question: "Ship?", options: ["a", "b"] }] });
    const twice = [1, 2].map(() => open.hub.answer(ask.id, YES, { by, settlementId: "one attempt" }));
    await Promise.all(twice);
    expect(endsIn(await open.scrape(), "questions")).toMatchObject({ answered: 1 });
  });

  it("count each ask once over two processes on one store", async () => {
    const shared = memoryStore();
    const levels = { connections: {} } as never;
    const nodes = await Promise.all(
      [1, 2].map(async () => {
        const metrics = await createMetrics({ process: false });
        return { metrics, hub: await createHub({ store: metrics.measure(shared) }) };
      }),
    );
    const [first, second] = nodes;
    if (first === undefined || second === undefined) throw new Error("there are two");
    const ask = await first.hub.post({ questions: [{ question: "Ship?", options: ["a", "b"] }] });
    await second.hub.answer(ask.id, YES, { by });
    const scrapes = await Promise.all(
      nodes.map(async ({ metrics }) => parse((await metrics.render(levels)).text)),
    );
    const created = { kind: "questions" };
    expect(scrapes.map((one) => one.value("askline_asks_created_total", created))).toEqual([1, 0]);
    expect(scrapes.map((one) => endsIn(one, "questions").answered)).toEqual([0, 1]);
    await Promise.all(nodes.map(({ hub }) => hub.close()));
  });

  it("report how long people took, in buckets from seconds to days", async () => {
    const open = await openMeasured();
    for (const seconds of [3, 2 * 86_400]) {
      const { asks, now } = open.store;
      const { ask } = await asks.insert(sampleNewAsk(now() - seconds * 1_000));
      await asks.change(ask.id, settle(answered("yes")));
    }
    const sample = (await open.scrape()).sample("askline_ask_duration_seconds", { outcome: "answered" });
    expect(sample).toMatchObject({ count: "2", sum: String(3 + 2 * 86_400) });
    expect(sample?.buckets).toMatchObject({ "1": "0", "5": "1", "86400": "1", "259200": "2", "+Inf": "2" });
  });

  it("report how many asks are pending, and the age of the oldest", async () => {
    const open = await openMeasured();
    const agent = await open.token();
    const first = await posted(open, agent);
    await open.clock.advance(4_000);
    await posted(open, agent);
    // The scrape itself lets a second pass.
    let scrape = await open.scrape();
    expect(scrape.value("askline_asks_pending")).toBe(2);
    expect(scrape.value("askline_oldest_pending_seconds")).toBe(5);
    await open.hub.withdraw(first.id);
    scrape = await open.scrape();
    expect(scrape.value("askline_asks_pending")).toBe(1);
    expect(scrape.value("askline_oldest_pending_seconds")).toBe(2);
  });
});
