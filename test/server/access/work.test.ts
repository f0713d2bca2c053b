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
    const { store, lists, open: answer } = gated();
    const open = await openServer({ store });
    const token = await open.token();
    const host = await openRaw(open, { token });
    for (let frame = 0; frame < 60; frame += 1) {
      const payload = { questionIds: [`q${frame}`], executionIds: [] };
      host.send({ type: "event", payload: { event: "resume", payload } });
    }
    expect(await host.untilPong()).toEqual([]);
    answer();
    const replies = [];
    for (let frame = 0; frame < 60; frame += 1) replies.push(await host.next());
    expect(replies).toEqual(
      Array.from({ length: 60 }, (_, frame) =>
        expect.objectContaining({
          payload: expect.objectContaining({ questionId: `q${frame}`, code: "not_found" }),
        }),
      ),
    );
    // The first frame starts a search; the others came while the store was reading, and share the next one.
    expect(lists()).toBe(2);
  });
});

/** A store that counts its lists, and answers none before `open` is called. */
function gated(): { readonly store: Store; readonly lists: () => number; readonly open: () => void } {
  const store = memoryStore();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let count = 0;
  const asks: Store["asks"] = {
    ...store.asks,
    async list(query) {
      count += 1;
      await gate;
      return store.asks.list(query);
    },
  };
  return { store: withParts(store, { asks }), lists: () => count, open: () => open() };
}
