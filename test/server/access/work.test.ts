import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore, type Store } from "../../../src/hub/index.js";
import { withParts } from "../../../src/hub/seam/store-kit.js";
import { openRaw } from "../gateway/raw-socket.js";
import { call, closeServers, openServer } from "../open-server.js";

afterEach(async () => {
  vi.restoreAllMocks();
  await closeServers();
});

const question = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };
const MEGABYTE = 1_048_576;

describe("work that one agent causes", () => {
  it("was the parsing of two megabytes of brackets, in a body or a frame", async () => {
    const open = await openServer();
    const token = await open.token();
    const parse = vi.spyOn(JSON, "parse");
    const parsedDeep = (): boolean =>
      parse.mock.calls.some(([text]) => typeof text === "string" && text.startsWith("[[["));
    const brackets = "[".repeat(MEGABYTE - 1);
    const refused = await call(open, token, "POST /v1/asks", brackets);
    expect([refused.status, refused.body.error?.code]).toEqual([400, "invalid_json"]);
    expect(parsedDeep()).toBe(false);
    const host = await openRaw(open, { token });
    host.socket.send(brackets);
    expect(await host.next()).toMatchObject({ type: "error", payload: { code: "invalid_json" } });
    expect(parsedDeep()).toBe(false);
  });

  it("is bounded by the bytes that it sends, before they are parsed", async () => {
    const open = await openServer({ limits: { tokenBytes: 1_000, tokenBytesBurst: 10_000 } });
    const token = await open.token();
    const large = { ...question, context: "x".repeat(12_000) };
    expect((await call(open, token, "POST /v1/asks", large)).status).toBe(201);
    const refused = await call(open, token, "POST /v1/asks", question);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect((await call(open, await open.token({ name: "other" }), "POST /v1/asks", question)).status).toBe(
      201,
    );
    await open.clock.advance(4_000);
    expect((await call(open, token, "POST /v1/asks", question)).status).toBe(201);
  });

  it("is bounded by the bytes that are read for it", async () => {
    const open = await openServer({ limits: { tokenBytes: 10_000, tokenBytesBurst: 100_000 } });
    const agent = await open.token();
    for (let count = 0; count < 4; count += 1) {
      await open.hub.post({ ...question, context: "x".repeat(50_000) }, { asker: "agent" });
    }
    expect((await call(open, agent, "GET /v1/asks")).body.asks).toHaveLength(4);
    const refused = await call(open, agent, "GET /v1/asks");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "11"]);
  });

  it("was a search through the newest asks for each small resume frame", async () => {
    const store = memoryStore();
    const count = { list: 0, findKeys: 0, get: 0 };
    const counted = <Name extends keyof typeof count>(name: Name): Store["asks"][Name] =>
      ((...given: Parameters<Store["asks"][Name]>) => {
        count[name] += 1;
        return (store.asks[name] as (...parameters: typeof given) => unknown)(...given);
      }) as Store["asks"][Name];
    const asks = {
      ...store.asks,
      list: counted("list"),
      findKeys: counted("findKeys"),
      get: counted("get"),
    };
    const open = await openServer({ store: withParts(store, { asks }) });
    const token = await open.token();
    // Far beyond the newest 2,000, which is where the search once ended.
    for (let number = 0; number < 2_100; number += 1) {
      // One person may not get so many.
      const recipients = ["ana", `person-${number}`].slice(Math.min(number, 1));
      await open.hub.post({ ...question, session: "s", key: `q${number}`, recipients }, { asker: "agent" });
    }
    const { id } = (await open.hub.list({}, { limit: 1 })).asks[0] ?? { id: "" };
    await open.hub.decline(id, "no", { by: { kind: "person", id: "ana", surface: "test" } });
    Object.assign(count, { list: 0, findKeys: 0, get: 0 });
    // A host that knows `resume` says so, and nothing is looked for when it connects.
    const host = await openRaw(open, { token, protocols: ["askline.gateway.v1"] });
    for (let frame = 0; frame < 60; frame += 1) {
      const payload = { questionIds: [frame === 0 ? "q0" : `unknown${frame}`], executionIds: [] };
      host.send({ type: "event", payload: { event: "resume", payload } });
    }
    const replies = [];
    for (let frame = 0; frame < 60; frame += 1) replies.push((await host.next()).payload);
    expect(replies).toContainEqual(expect.objectContaining({ questionId: "q0", answers: {} }));
    expect(replies.filter(({ code }) => code === "not_found")).toHaveLength(59);
    // One list may be that of a host that connects, which is sent what ended while it was away.
    expect(count).toMatchObject({ findKeys: 60, get: 1 });
    expect(count.list).toBeLessThanOrEqual(1);
  });

  it("is bounded for a key that was used in many sessions, which means none of them", async () => {
    const open = await openServer();
    const host = await openRaw(open, { token: await open.token() });
    const approval = { approval: { actions: [{ name: "deploy", args: {} }] }, key: "k" };
    for (let number = 0; number < 20; number += 1) {
      const session = `s${number}`;
      await open.hub.post(number === 0 ? { ...question, key: "k", session } : { ...approval, session }, {
        asker: "agent",
      });
    }
    const resume = (payload: object): void =>
      host.send({ type: "event", payload: { event: "resume", payload } });
    resume({ questionIds: ["k"], executionIds: [] });
    expect((await host.next()).payload).toMatchObject({ questionId: "k", code: "invalid_request" });
    resume({ questionIds: ["k"], executionIds: [], sessionKey: "s0" });
    expect(await host.untilPong()).toEqual([]);
  });
});
