import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../../src/client/index.ts";
import { createHub, type Hub, memoryStore, type Store } from "../../../src/hub/index.ts";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.ts";
import { loadTracing } from "../../../src/server/tracing/index.ts";
import { closeServers, openServer, until } from "../open-server.ts";
import { idOf, linksOf, registeredSdk, traceOf } from "./sdk.ts";

const sdk = registeredSdk();
afterEach(closeServers);

const MARK = "zq7private";
const QUESTION = { question: `Ship ${MARK}?`, options: [`Yes ${MARK}`, "No"] };
const YES = { answers: [{ question: "q1", selected: ["o1"], note: MARK }] };
const by = { kind: "person", id: "ana", surface: "test" } as const;

async function openHub(store: Store = memoryStore()): Promise<Hub> {
  const hub = await createHub({ store, tracing: await loadTracing() });
  onTestFinished(() => hub.close());
  return hub;
}

const pendingId = (hub: Hub): Promise<string> =>
  until(async () => (await hub.list({ status: "pending" })).asks[0]?.id);

const nothingPrivate = (): void => {
  const told = sdk
    .all()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(JSON.stringify(told)).not.toContain(MARK);
};

describe("an ask in one process", () => {
  it("is one trace from ask to resume, linked to the answerer's trace", async () => {
    const hub = await openHub();
    const asking = hub.ask({ questions: [QUESTION] });
    const id = await pendingId(hub);
    await sdk.as("a person's day", () => hub.answer(id, YES, { by }));
    await asking;
    const ask = sdk.only("askline.ask");
    const insert = sdk.only("askline.store.insert");
    const resume = sdk.only("askline.resume");
    const day = sdk.only("a person's day");
    expect(insert.parentSpanContext?.spanId).toBe(idOf(ask));
    expect([traceOf(insert), traceOf(resume)]).toEqual([traceOf(ask), traceOf(ask)]);
    expect(traceOf(day)).not.toBe(traceOf(ask));
    expect(traceOf(sdk.only("askline.store.settle"))).toBe(traceOf(day));
    expect(linksOf(day)).toEqual([traceOf(ask)]);
    expect(linksOf(resume)).toEqual([traceOf(day)]);
    expect(resume.attributes).toEqual({ "askline.ask.id": id, "askline.outcome": "answered" });
    expect(ask.attributes).toEqual({ "askline.outcome": "answered" });
    nothingPrivate();
  });

  it("belongs to the agent's active trace", async () => {
    const hub = await openHub();
    const asking = sdk.as("an agent's run", () => hub.ask({ questions: [QUESTION] }));
    await hub.decline(await pendingId(hub), MARK, { by });
    await asking;
    const run = sdk.only("an agent's run");
    expect(sdk.only("askline.ask").parentSpanContext?.spanId).toBe(idOf(run));
    expect(traceOf(sdk.only("askline.resume"))).toBe(traceOf(run));
    // The decline had no trace, and background work never has one.
    expect(sdk.all().filter((span) => traceOf(span) !== traceOf(run))).toEqual([]);
    nothingPrivate();
  });

  it("records the code of a failure, never its message", async () => {
    const hub = await openHub();
    await hub.post({ questions: [QUESTION], key: MARK });
    await expect(
      hub.ask({ questions: [{ question: "Another?", options: ["a", "b"] }], key: MARK }),
    ).rejects.toThrow(MARK);
    expect(sdk.only("askline.ask")).toMatchObject({
      ...{ attributes: { "error.type": "key_conflict" }, status: { code: 2, message: "key_conflict" } },
    });
    nothingPrivate();
  });
});

describe("an ask over HTTP", () => {
  async function opened() {
    const tracing = await loadTracing();
    const store = memoryStore();
    const hub = await createHub({ store, tracing });
    onTestFinished(() => hub.close());
    const open = await openServer({ hub, tracing, store });
    const clients: { close(): Promise<void> }[] = [];
    onTestFinished(async () => {
      for (const client of clients) await client.close();
    });
    const client = async (role: "agent" | "person") => {
      const token = await open.token({ role, name: role === "person" ? "ana" : "builder" });
      const own = connect({ url: open.url, token, tracing });
      clients.push(own);
      return { own, token };
    };
    return { open, hub, client };
  }

  it("is one trace from the agent's program through the server and back", async () => {
    const { hub, client } = await opened();
    const agent = await client("agent");
    const ana = await client("person");
    const asking = sdk.as("an agent's run", () => agent.own.ask({ questions: [QUESTION] }));
    const id = await pendingId(hub);
    await sdk.as("a person's day", () => ana.own.answer(id, YES));
    expect((await asking).kind).toBe("answered");
    const run = sdk.only("an agent's run");
    const ask = sdk.only("askline.ask");
    const post = sdk.only("POST /v1/asks");
    const insert = sdk.only("askline.store.insert");
    const resume = sdk.only("askline.resume");
    expect([ask, post, insert, resume].map(traceOf)).toEqual(Array(4).fill(traceOf(run)));
    expect(ask.parentSpanContext?.spanId).toBe(idOf(run));
    expect(post.parentSpanContext?.spanId).toBe(idOf(ask));
    expect(insert.parentSpanContext?.spanId).toBe(idOf(post));
    expect(resume.parentSpanContext?.spanId).toBe(idOf(post));
    for (const wait of sdk.named("GET /v1/asks/{id}")) expect(traceOf(wait)).toBe(traceOf(run));
    const answer = sdk.only("POST /v1/asks/{id}/answer");
    expect(traceOf(answer)).toBe(traceOf(sdk.only("a person's day")));
    expect(linksOf(answer)).toEqual([traceOf(run)]);
    expect(linksOf(resume)).toEqual([traceOf(answer)]);
    expect(resume.links[0]?.context.spanId).toBe(idOf(answer));
    expect(post.kind).toBe(1);
    expect(post.attributes).toMatchObject({
      ...{ "http.request.method": "POST", "http.route": "/v1/asks", "http.response.status_code": 201 },
    });
    nothingPrivate();
  });

  it("does not show its trace to readers of the ask", async () => {
    const { open, hub, client } = await opened();
    const agent = await client("agent");
    const ana = await client("person");
    const posted = await sdk.as("an agent's run", () => agent.own.post({ questions: [QUESTION], key: "k" }));
    const trace = traceOf(sdk.only("an agent's run"));
    const texts = [JSON.stringify([posted, await hub.audit(posted.id), await hub.list()])];
    for (const path of ["/v1/asks", `/v1/asks/${posted.id}`]) {
      const response = await fetch(`${open.url}${path}`, {
        headers: { authorization: `Bearer ${ana.token}` },
      });
      texts.push(await response.text());
    }
    expect(texts.filter((text) => text.includes(trace) || !text.includes(posted.id))).toEqual([]);
    // In another trace it is the same ask.
    const again = await sdk.as("a later run", () => agent.own.post({ questions: [QUESTION], key: "k" }));
    expect(again.id).toBe(posted.id);
    const [, second] = sdk.named("POST /v1/asks");
    if (second === undefined) throw new Error("there were two requests");
    expect(traceOf(second)).toBe(traceOf(sdk.only("a later run")));
    expect(linksOf(second)).toEqual([trace]);
  });

  it.each([
    "",
    "rubbish",
    `00-${"0".repeat(32)}-${"1".repeat(16)}-01`,
    `00-${"a".repeat(32)}-${"0".repeat(16)}-01`,
    `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    `00-${"A".repeat(32)}-${"b".repeat(16)}-01`,
  ])("begins a trace of its own where the sender's %j is none", async (traceparent) => {
    const { open } = await opened();
    await fetch(`${open.url}/healthz`, { headers: { traceparent } });
    const span = sdk.only("GET /healthz");
    expect(span.parentSpanContext).toBeUndefined();
  });

  it("marks failures on the server", async () => {
    const { open, hub } = await opened();
    hub.check = () => Promise.reject(new Error(MARK));
    await fetch(`${open.url}/readyz`);
    expect(sdk.only("GET /readyz")).toMatchObject({ status: { code: 2, message: "503" } });
    await fetch(`${open.url}/nowhere-${MARK}`);
    expect(sdk.only("GET none").status.code).toBe(0);
    nothingPrivate();
  });
});

describe("the trace of an ask in a file", () => {
  function newFile(): string {
    const folder = mkdtempSync(join(tmpdir(), "askline-traces-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, "askline.db");
  }

  it("survives a restart: a later answer is linked, and the agent's trace continues", async () => {
    const path = newFile();
    const first = await openHub(sqliteStore({ path }));
    const { id } = await sdk.as("an agent's run", () => first.post({ questions: [QUESTION] }));
    await first.close();
    const second = await openHub(sqliteStore({ path }));
    await sdk.as("a person's day", () => second.reply(id, MARK, { by }));
    const run = sdk.only("an agent's run");
    const resume = sdk.only("askline.resume");
    expect(traceOf(resume)).toBe(traceOf(run));
    expect(resume.parentSpanContext?.spanId).toBe(idOf(run));
    expect(linksOf(sdk.only("a person's day"))).toEqual([traceOf(run)]);
    expect(linksOf(resume)).toEqual([traceOf(sdk.only("a person's day"))]);
    nothingPrivate();
  });

  it("is removed when the ask is pruned, also by a hub without tracing", async () => {
    const path = newFile();
    const traced = await openHub(sqliteStore({ path }));
    await sdk.as("an agent's run", async () => {
      await traced.withdraw((await traced.post({ questions: [QUESTION] })).id);
      await traced.post({ questions: [QUESTION] });
    });
    await traced.close();
    const store = sqliteStore({ path });
    const plain = await createHub({ store });
    onTestFinished(() => plain.close());
    const kept = async (): Promise<number> => (await store.records.list("trace", { limit: 10 })).length;
    expect(await kept()).toBe(2);
    expect(await plain.prune({ settledBefore: Number.POSITIVE_INFINITY })).toEqual({
      asks: 1,
      transcripts: 0,
    });
    expect(await kept()).toBe(1);
  });
});

describe("an ask without tracing", () => {
  it("leaves no record and no span", async () => {
    const store = memoryStore();
    const hub = await openHub(store);
    const { id } = await hub.post({ questions: [QUESTION] });
    await hub.answer(id, YES, { by });
    expect(await store.records.list("trace", { limit: 10 })).toEqual([]);
    expect(sdk.all()).toEqual([]);
  });
});
