// Two hosts may use the same questionId or executionId. These tests are about which ask an answer then means.

import { afterEach, describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../../src/hub/index.js";
import { AsklineError } from "../../../src/index.js";
import { closeServers, type OpenServer, openServer, until } from "../open-server.js";
import { answerHook, DATABASE, type Envelope, openRaw, questionEvent, type RawSocket } from "./raw-socket.js";

afterEach(closeServers);

const approve = (executionId: string, more: object = {}): Envelope => ({
  type: "hook.approval",
  payload: { executionId, approved: true, ...more },
});

function approvalEvent(executionId: string, sessionKey: string, action = `delete ${sessionKey}`): Envelope {
  const payload = { sessionKey, agentId: "a", executionId, action };
  return { type: "event", payload: { event: "exec.approval.requested", payload } };
}

async function host(server: OpenServer, name: string): Promise<RawSocket> {
  return openRaw(server, { token: await server.token({ name }) });
}

async function phone(server: OpenServer, person = "ana"): Promise<RawSocket> {
  return openRaw(server, { token: await server.token({ role: "person", name: person }) });
}

/** The payload of the next event. */
async function nextShown(device: RawSocket) {
  const { type, payload } = await device.next();
  expect(type).toBe("event");
  return payload.payload;
}

async function statusOf({ hub }: OpenServer, session: string): Promise<string | undefined> {
  return (await hub.list({ session })).asks[0]?.status;
}

/** The same data, for a second server: closing the first hub leaves it open. */
function sharedStore(): Store {
  const store = memoryStore();
  let opened: Promise<void> | undefined;
  return {
    ...store,
    open: (context) => {
      opened ??= store.open(context);
      return opened;
    },
    close: async () => undefined,
  };
}

describe("a name that two hosts use", () => {
  it("a resent approval approved another host's action", async () => {
    const server = await openServer();
    const [one, other] = [await host(server, "one"), await host(server, "other")];
    one.send(approvalEvent("exec-1", "first"));
    const before = await phone(server);
    const { executionId } = await nextShown(before);
    other.send(approvalEvent("exec-1", "second"));
    expect((await nextShown(before)).executionId).not.toBe(executionId);
    before.send(approve(executionId));
    expect(await one.next()).toEqual(approve(executionId));
    // The connection is lost before the phone reads the ack; it connects again and sends the same frame.
    await before.close();
    const after = await phone(server);
    expect(await nextShown(after)).toMatchObject({ sessionKey: "second" });
    after.send(approve(executionId));
    expect(await after.next()).toMatchObject({ type: "ack", payload: { executionId, status: "decided" } });
    expect(await statusOf(server, "second")).toBe("pending");
    expect(await other.untilPong()).toEqual([]);
  });

  it("a resent approval approved an action that was asked for after the first had ended", async () => {
    const server = await openServer();
    const [one, other] = [await host(server, "one"), await host(server, "other")];
    const before = await phone(server);
    one.send(approvalEvent("exec-1", "first"));
    const { executionId } = await nextShown(before);
    before.send(approve(executionId));
    await one.next();
    await before.close();
    other.send(approvalEvent("exec-1", "second"));
    const after = await phone(server);
    const shown = await nextShown(after);
    after.send(approve(executionId));
    expect((await after.next()).type).toBe("ack");
    expect(await statusOf(server, "second")).toBe("pending");
    after.send(approve(shown.executionId));
    expect((await after.next()).type).toBe("ack");
    expect(await other.next()).toEqual(approve("exec-1"));
  });

  it("a resent answer answered another host's question", async () => {
    const server = await openServer();
    const [one, other] = [await host(server, "one"), await host(server, "other")];
    const before = await phone(server);
    one.send(questionEvent("q-1", [DATABASE], { sessionKey: "first" }));
    const answer = answerHook((await nextShown(before)).questionId, { [DATABASE.question]: "Redis" });
    before.send(answer);
    expect(await one.next()).toEqual(answer);
    await before.close();
    other.send(questionEvent("q-1", [DATABASE], { sessionKey: "second" }));
    const after = await phone(server);
    await nextShown(after);
    after.send(answer);
    expect((await after.next()).type).toBe("ack");
    expect(await statusOf(server, "second")).toBe("pending");
  });

  it("a resent approval approved another action after the server had started again", async () => {
    const store = sharedStore();
    const first = await openServer({ store });
    const one = await host(first, "one");
    const before = await phone(first);
    one.send(approvalEvent("exec-1", "first"));
    const { executionId } = await nextShown(before);
    before.send(approve(executionId));
    await one.next();
    await first.close();
    const second = await openServer({ store });
    const other = await host(second, "other");
    other.send(approvalEvent("exec-1", "second"));
    const after = await phone(second);
    await nextShown(after);
    after.send(approve(executionId));
    expect((await after.next()).type).toBe("ack");
    expect(await statusOf(second, "second")).toBe("pending");
  });

  it("a resent approval approved another action after the first was pruned", async () => {
    const server = await openServer();
    const one = await host(server, "one");
    const before = await phone(server);
    one.send(approvalEvent("exec-1", "same", "list files"));
    const { executionId } = await nextShown(before);
    before.send(approve(executionId));
    await one.next();
    await before.close();
    await server.clock.advance(1_000);
    await server.hub.prune({ settledBefore: server.hub.now() });
    one.send(approvalEvent("exec-1", "same", "delete files"));
    const device = await phone(server);
    expect(await nextShown(device)).toMatchObject({ action: "delete files" });
    device.send(approve(executionId));
    expect(await device.next()).toMatchObject({ type: "rejection", payload: { code: "not_found" } });
    expect(await statusOf(server, "same")).toBe("pending");
  });

  it("is not shown while it cannot be stored", async () => {
    const store = memoryStore();
    const failing: Store["records"]["put"] = async (namespace, ...record) => {
      if (namespace === "gateway.name") throw new AsklineError("store_full", "the disk is full");
      return store.records.put(namespace, ...record);
    };
    const server = await openServer({ store: { ...store, records: { ...store.records, put: failing } } });
    const one = await host(server, "one");
    const live = await phone(server);
    expect(await live.untilPong()).toEqual([]);
    one.send(approvalEvent("exec-1", "first"));
    expect((await live.closed).code).toBe(1013);
    const late = await phone(server);
    expect((await late.closed).code).toBe(1013);
    expect([...live.waiting, ...late.waiting]).toEqual([]);
  });

  it("means the same ask on every device of every person", async () => {
    const server = await openServer();
    const [one, other] = [await host(server, "one"), await host(server, "other")];
    one.send(approvalEvent("exec-1", "first"));
    other.send(approvalEvent("exec-1", "second"));
    const devices = [await phone(server), await phone(server), await phone(server, "ben")];
    const shown = await Promise.all(
      devices.map(async (device) => [await device.next(), await device.next()]),
    );
    const names = shown.map((frames) =>
      frames.map(({ payload }) => `${payload.payload.executionId} ${payload.payload.askId}`).sort(),
    );
    expect(names[1]).toEqual(names[0]);
    expect(names[2]).toEqual(names[0]);
  });
});

describe("an answer", () => {
  it("may use the askId alone, and every frame about it carries the askId", async () => {
    const server = await openServer();
    const one = await host(server, "one");
    const [device, tablet] = [await phone(server), await phone(server)];
    one.send(approvalEvent("exec-1", "first"));
    const { askId } = await nextShown(device);
    await nextShown(tablet);
    device.send({ type: "hook.approval", payload: { askId, approved: "yes" } });
    expect(await device.next()).toMatchObject({ type: "error", payload: { askId } });
    device.send({ type: "hook.approval", payload: { askId, approved: true } });
    expect(await device.next()).toMatchObject({ type: "ack", payload: { executionId: "exec-1", askId } });
    expect(await tablet.next()).toMatchObject({
      payload: { event: "exec.approval.settled", payload: { executionId: "exec-1", askId } },
    });
    device.send({ type: "hook.approval", payload: { askId, approved: false } });
    expect(await device.next()).toMatchObject({
      type: "rejection",
      payload: { executionId: "exec-1", askId, code: "already_settled" },
    });
  });

  it("reaches the ask that its askId names, though another ask has the executionId", async () => {
    const server = await openServer();
    const [one, other] = [await host(server, "one"), await host(server, "other")];
    const device = await phone(server);
    one.send(approvalEvent("exec-1", "first"));
    await nextShown(device);
    other.send(approvalEvent("exec-1", "second"));
    const { askId } = await nextShown(device);
    device.send(approve("exec-1", { askId }));
    expect(await other.next()).toEqual(approve("exec-1"));
    expect(await statusOf(server, "first")).toBe("pending");
  });

  it("is refused where its askId and its questionId name two asks", async () => {
    const server = await openServer();
    const one = await host(server, "one");
    const device = await phone(server);
    one.send(questionEvent("q-1", [DATABASE]));
    const { askId } = await nextShown(device);
    one.send(questionEvent("q-2", [DATABASE]));
    await nextShown(device);
    const { payload } = answerHook("q-2", { [DATABASE.question]: "Redis" });
    device.send({ type: "hook.ask_user_answer", payload: { ...payload, askId } });
    const refused = await device.next();
    expect(refused).toMatchObject({ type: "rejection", payload: { code: "invalid_answer" } });
    expect(refused.payload.message).toContain("two asks");
    expect((await server.hub.list({ status: "pending" })).asks).toHaveLength(2);
  });

  it("is refused where no device was shown an ask of this name", async () => {
    const server = await openServer();
    const device = await phone(server);
    await server.hub.post({ questions: [DATABASE], key: "q-1", session: "elsewhere" });
    await nextShown(device);
    device.send(answerHook("q-1", { [DATABASE.question]: "Redis" }));
    const refused = await device.next();
    expect(refused).toMatchObject({ type: "rejection", payload: { code: "not_found", questionId: "q-1" } });
    expect(refused.payload.message).toContain("askId");
  });

  it("does not reveal that a name belongs to an ask of other people", async () => {
    const server = await openServer();
    const request = { session: "first", key: "exec-1", metadata: { gateway: true }, recipients: ["ben"] };
    await server.hub.post({ questions: [DATABASE], ...request });
    await nextShown(await phone(server, "ben"));
    const device = await phone(server);
    device.send(answerHook("exec-1", {}));
    const { payload: used } = await device.next();
    device.send(answerHook("exec-2", {}));
    const { payload: unused } = await device.next();
    expect(JSON.stringify(used).replaceAll("exec-1", "exec-2")).toBe(JSON.stringify(unused));
  });
});

describe("a host that names an ask without its session", () => {
  async function twice(): Promise<{ server: OpenServer; one: RawSocket }> {
    const server = await openServer();
    const one = await host(server, "one");
    for (const session of ["first", "second"]) one.send(approvalEvent("exec-1", session));
    await until(async () => (await server.hub.list({ status: "pending" })).asks.length === 2);
    return { server, one: await host(server, "one") };
  }
  const event = (name: string, payload: object): Envelope => ({
    type: "event",
    payload: { event: name, payload },
  });

  it("took back the asks of two sessions with one withdrawal", async () => {
    const { server, one } = await twice();
    one.send(event("exec.approval.withdrawn", { executionId: "exec-1" }));
    const refused = await one.next();
    expect(refused).toMatchObject({
      type: "error",
      payload: { code: "invalid_request", executionId: "exec-1" },
    });
    expect(refused.payload.message).toContain("sessionKey");
    one.send(event("exec.approval.withdrawn", { executionId: "exec-1", sessionKey: "second" }));
    await until(async () => (await statusOf(server, "second")) === "withdrawn");
    expect(await statusOf(server, "first")).toBe("pending");
  });

  it("was sent the approval of another session's action on resume", async () => {
    const { server, one } = await twice();
    one.send(event("resume", { questionIds: [], executionIds: ["exec-1"] }));
    expect(await one.next()).toMatchObject({ type: "error", payload: { code: "invalid_request" } });
    one.send(event("resume", { questionIds: [], executionIds: ["exec-1"], sessionKey: "first" }));
    expect(await one.untilPong()).toEqual([]);
    const device = await phone(server);
    const shown = [await nextShown(device), await nextShown(device)];
    for (const { executionId } of shown) device.send(approve(executionId));
    expect(await one.next()).toEqual(approve("exec-1"));
    expect(await one.untilPong()).toEqual([]);
  });
});
