import { afterEach, describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../../src/hub/index.js";
import { closeServers, openServer, until } from "../open-server.js";
import { DATABASE, type Envelope, openRaw, questionEvent, type RawSocket } from "./raw-socket.js";

afterEach(closeServers);

function event(name: string, payload: object): Envelope {
  return { type: "event", payload: { event: name, payload } };
}

/** A store that holds new asks until it is released, like a slow disk. */
function slowStore(): { readonly store: Store; letGo(): void } {
  const store = memoryStore();
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const insert: Store["asks"]["insert"] = async (...ask) => {
    await gate;
    return store.asks.insert(...ask);
  };
  return { store: { ...store, asks: { ...store.asks, insert } }, letGo: () => letGo() };
}

async function openHost(store?: Store): Promise<{
  readonly server: Awaited<ReturnType<typeof openServer>>;
  readonly host: RawSocket;
}> {
  const server = await openServer(store === undefined ? {} : { store });
  return { server, host: await openRaw(server, { token: await server.token() }) };
}

describe("a host", () => {
  it("withdraws an ask that is still being stored", async () => {
    const { store, letGo } = slowStore();
    const { server, host } = await openHost(store);
    host.send(questionEvent("q", [DATABASE]));
    host.send(event("ask_user_question.withdrawn", { questionId: "q", reason: "never mind" }));
    // All messages have arrived, and nothing is stored yet.
    expect(await host.untilPong()).toEqual([]);
    letGo();
    const ended = await until(async () => (await server.hub.list({ status: "withdrawn" })).asks[0]);
    expect(ended?.outcome).toEqual({ kind: "withdrawn", reason: "never mind" });
    expect(await host.untilPong()).toEqual([]);
  });

  it("resumes an ask that is still being stored", async () => {
    const { store, letGo } = slowStore();
    const { server, host } = await openHost(store);
    host.send(questionEvent("q", [DATABASE]));
    host.send(event("resume", { questionIds: ["q"], executionIds: [] }));
    expect(await host.untilPong()).toEqual([]);
    letGo();
    const { id } = await until(async () => (await server.hub.list({ status: "pending" })).asks[0]);
    await server.hub.decline(id, undefined, { by: { kind: "person", id: "ana", surface: "test" } });
    expect(await host.next()).toMatchObject({ payload: { questionId: "q", answers: {} } });
    expect(await host.untilPong()).toEqual([]);
  });

  it("gets not_found with the executionId for an unknown approval", async () => {
    const { host } = await openHost();
    host.send(event("exec.approval.withdrawn", { executionId: "e" }));
    host.send(event("exec.approval.withdrawn", { executionId: "e", reason: 5 }));
    const told = [await host.next(), await host.next()].map(({ payload }) => payload);
    expect(told.map(({ code, executionId }) => [code, executionId])).toEqual(
      expect.arrayContaining([
        ["not_found", "e"],
        ["invalid_request", "e"],
      ]),
    );
    expect(told.every(({ questionId }) => questionId === undefined)).toBe(true);
  });

  it("neither withdraws nor resumes a question as an approval", async () => {
    const { server, host } = await openHost();
    host.send(questionEvent("q", [DATABASE]));
    await until(async () => (await server.hub.list({ status: "pending" })).asks[0]);
    host.send(event("exec.approval.withdrawn", { executionId: "q" }));
    expect((await host.next()).payload).toMatchObject({ code: "not_found", executionId: "q" });
    host.send(event("resume", { questionIds: [], executionIds: ["q"] }));
    expect((await host.next()).payload).toMatchObject({ code: "not_found", executionId: "q" });
    expect((await server.hub.list({ status: "pending" })).asks).toHaveLength(1);
  });
});
