// A plugin written from the gateway protocol alone, against our backend: it gets exactly what the protocol promises.

import { afterEach, describe, expect, it } from "vitest";
import { call, closeServers, type OpenServer, openServer, until } from "../open-server.js";
import {
  answerHook,
  DATABASE,
  EXAMPLE_ANSWER,
  EXAMPLE_QUESTION,
  FEATURES,
  openRaw,
  questionEvent,
  type RawSocket,
} from "./raw-socket.js";

afterEach(closeServers);

interface Scene {
  readonly server: OpenServer;
  readonly agentToken: string;
  readonly plugin: RawSocket;
  readonly device: RawSocket;
}

async function open(): Promise<Scene> {
  const server = await openServer();
  const agentToken = await server.token();
  const plugin = await openRaw(server, { token: agentToken });
  const device = await openRaw(server, { token: await server.token({ role: "person" }) });
  return { server, agentToken, plugin, device };
}

async function pendingAsk({ hub }: OpenServer) {
  return until(async () => (await hub.list({ status: "pending" })).asks[0]);
}

const by = { kind: "person", id: "ana", surface: "test" } as const;

describe("a gateway plugin at our backend", () => {
  it("goes through the protocol's full example", async () => {
    const { plugin, device, server } = await open();
    plugin.send(EXAMPLE_QUESTION);
    const shown = await device.next();
    expect(shown).toMatchObject(EXAMPLE_QUESTION);
    device.send(EXAMPLE_ANSWER);
    expect(await plugin.next()).toEqual(EXAMPLE_ANSWER);
    expect(await device.next()).toEqual({
      type: "ack",
      payload: {
        questionId: "q-abc-123",
        askId: shown.payload.payload.askId,
        status: "answered",
        by: { kind: "person", id: "ana", surface: "gateway" },
      },
    });
    expect(await plugin.untilPong()).toEqual([]);
    const { asks } = await server.hub.list();
    expect(asks[0]).toMatchObject({
      session: "user-42",
      key: "q-abc-123",
      agentId: "coding-agent",
      asker: "agent",
    });
  });

  it("gets joined labels and unchanged text, and passes a preview on", async () => {
    const { plugin, device, server } = await open();
    plugin.send(questionEvent("q-1", [FEATURES, DATABASE]));
    const shown = await device.next();
    expect(shown.payload.payload.questions).toEqual([FEATURES, DATABASE]);
    const ask = await pendingAsk(server);
    expect(ask.questions[1]?.options[1]?.preview).toEqual({
      format: "markdown",
      content: "```sql\nselect 1\n```",
    });
    const answers = {
      "Which features should I enable?": "Dark mode, Notifications",
      "Which database should I use for caching?": "DynamoDB — we already use AWS",
    };
    device.send(answerHook("q-1", answers));
    expect(await plugin.next()).toEqual(answerHook("q-1", answers));
    const { outcome } = await server.hub.get(ask.id);
    expect(outcome).toMatchObject({
      answers: [
        { question: "q1", selected: ["o1", "o2"] },
        { question: "q2", selected: [], text: "DynamoDB — we already use AWS" },
      ],
    });
  });

  it.each(["declined", "replied", "withdrawn"] as const)("is sent an empty map for %s", async (ending) => {
    const { plugin, server } = await open();
    plugin.send(EXAMPLE_QUESTION);
    const { id } = await pendingAsk(server);
    if (ending === "declined") await server.hub.decline(id, "not now", { by });
    if (ending === "replied") await server.hub.reply(id, "what for?", { by });
    if (ending === "withdrawn") await server.hub.withdraw(id);
    expect(await plugin.next()).toEqual(answerHook("q-abc-123", {}));
  });

  it("is dismissed by a device that sends an empty map", async () => {
    const { plugin, device, server } = await open();
    plugin.send(EXAMPLE_QUESTION);
    await device.next();
    device.send(answerHook("q-abc-123", {}));
    expect(await plugin.next()).toEqual(answerHook("q-abc-123", {}));
    expect((await server.hub.list()).asks[0]?.status).toBe("declined");
  });

  it("gets nothing when nobody answers within 120 seconds", async () => {
    const { plugin, device, server } = await open();
    plugin.send(EXAMPLE_QUESTION);
    const { id } = await pendingAsk(server);
    await server.clock.advance(119_999);
    expect((await server.hub.get(id)).status).toBe("pending");
    await server.clock.advance(1);
    await until(async () => (await server.hub.get(id)).status === "expired");
    expect(await plugin.untilPong()).toEqual([]);
    await device.next();
    expect(await device.next()).toEqual({
      type: "event",
      payload: {
        event: "ask_user_question.settled",
        payload: { questionId: "q-abc-123", askId: id, status: "expired" },
      },
    });
  });

  it("sets its deadline by connection and by event", async () => {
    const { server, agentToken, plugin } = await open();
    const slow = await openRaw(server, { token: agentToken, query: "?timeoutMs=5000" });
    slow.send(questionEvent("by-connection", [DATABASE]));
    slow.send(questionEvent("by-event", [DATABASE], { timeoutMs: 7000 }));
    slow.send(questionEvent("never", [DATABASE], { timeoutMs: 0 }));
    plugin.send(questionEvent("usual", [DATABASE]));
    const asks = await until(async () => {
      const page = await server.hub.list({ status: "pending" });
      return page.asks.length === 4 && page.asks;
    });
    const left = Object.fromEntries(
      asks.map(({ key, deadline, createdAt }) => [key, deadline === undefined ? null : deadline - createdAt]),
    );
    expect(left).toEqual({ "by-connection": 5000, "by-event": 7000, never: null, usual: 120_000 });
  });

  it("gets no entry for a skipped question", async () => {
    const { plugin, server } = await open();
    plugin.send(questionEvent("q-1", [FEATURES, DATABASE], { allowPartial: true }));
    const { id } = await pendingAsk(server);
    await server.hub.answer(id, { answers: [{ question: "q2", selected: ["o1"] }] }, { by });
    expect(await plugin.next()).toEqual(
      answerHook("q-1", { "Which database should I use for caching?": "Redis" }),
    );
  });

  it("gets an answer that came while it was disconnected when it sends the question again", async () => {
    const { plugin, device, server, agentToken } = await open();
    plugin.send(EXAMPLE_QUESTION);
    await device.next();
    await plugin.close();
    expect((await pendingAsk(server)).status).toBe("pending");
    device.send(EXAMPLE_ANSWER);
    await device.next();
    const again = await openRaw(server, { token: agentToken });
    again.send(EXAMPLE_QUESTION);
    expect(await again.next()).toEqual(EXAMPLE_ANSWER);
    expect((await server.hub.list()).asks).toHaveLength(1);
    expect(await device.untilPong()).toEqual([]);
  });

  it("resumes many questions at once", async () => {
    const { plugin, device, server, agentToken } = await open();
    plugin.send(questionEvent("answered", [DATABASE]));
    await device.next();
    device.send(answerHook("answered", { [DATABASE.question]: "SQLite" }));
    await plugin.next();
    plugin.send(questionEvent("pending", [DATABASE]));
    await device.next();
    await plugin.close();
    const again = await openRaw(server, { token: agentToken });
    again.send({
      type: "event",
      payload: {
        event: "resume",
        payload: { questionIds: ["answered", "pending", "unknown"], executionIds: [] },
      },
    });
    expect(await again.next()).toEqual(answerHook("answered", { [DATABASE.question]: "SQLite" }));
    expect(await again.next()).toMatchObject({
      type: "error",
      payload: { code: "not_found", questionId: "unknown" },
    });
    device.send(answerHook("pending", { [DATABASE.question]: "Redis" }));
    expect(await again.next()).toEqual(answerHook("pending", { [DATABASE.question]: "Redis" }));
  });

  it("withdraws a question", async () => {
    const { plugin, device, server } = await open();
    plugin.send(EXAMPLE_QUESTION);
    const { askId } = (await device.next()).payload.payload;
    plugin.send({
      type: "event",
      payload: {
        event: "ask_user_question.withdrawn",
        payload: { sessionKey: "user-42", questionId: "q-abc-123" },
      },
    });
    expect((await device.next()).payload.payload).toEqual({
      ...{ questionId: "q-abc-123", askId },
      status: "withdrawn",
    });
    expect(await plugin.untilPong()).toEqual([]);
    expect((await server.hub.list()).asks[0]?.status).toBe("withdrawn");
  });

  it("is answered over HTTP as well", async () => {
    const { plugin, server } = await open();
    plugin.send(EXAMPLE_QUESTION);
    const { id } = await pendingAsk(server);
    const person = await server.token({ role: "person" });
    await call(server, person, `POST /v1/asks/${id}/answer`, {
      answers: [{ question: "q1", selected: ["Vitest"] }],
    });
    expect(await plugin.next()).toEqual(EXAMPLE_ANSWER);
  });
});

describe("approvals", () => {
  const requested = {
    type: "event",
    payload: {
      event: "exec.approval.requested",
      payload: {
        sessionKey: "user-42",
        agentId: "coding-agent",
        executionId: "exec-1",
        action: "run_command",
        args: { command: "rm -r build" },
        summary: "Removes the build folder",
      },
    },
  };

  it.each([
    [{ executionId: "exec-1", approved: true }, "decided"],
    [{ executionId: "exec-1", approved: true, reason: "but only this once" }, "decided"],
    [{ executionId: "exec-1", approved: false, reason: "not on a Friday" }, "decided"],
  ])("%j goes from the device to the plugin", async (payload, status) => {
    const { plugin, device } = await open();
    plugin.send(requested);
    expect(await device.next()).toMatchObject(requested);
    device.send({ type: "hook.approval", payload });
    expect(await plugin.next()).toEqual({ type: "hook.approval", payload });
    expect(await device.next()).toMatchObject({ type: "ack", payload: { executionId: "exec-1", status } });
  });

  it("keeps the reason beside an approval as the note of the outcome", async () => {
    const { plugin, device, server } = await open();
    plugin.send(requested);
    await device.next();
    device.send({
      type: "hook.approval",
      payload: { executionId: "exec-1", approved: true, reason: "once" },
    });
    await plugin.next();
    expect((await server.hub.list()).asks[0]?.outcome).toMatchObject({
      decisions: [{ kind: "approve" }],
      note: "once",
    });
  });

  it("is approved only by true", async () => {
    const { plugin, device, server } = await open();
    plugin.send(requested);
    await device.next();
    device.send({ type: "hook.approval", payload: { executionId: "exec-1", approved: "true" } });
    expect(await device.next()).toMatchObject({ type: "error", payload: { code: "invalid_request" } });
    const { id } = await pendingAsk(server);
    await server.hub.decline(id, "no", { by });
    expect(await plugin.next()).toEqual({
      type: "hook.approval",
      payload: { executionId: "exec-1", approved: false, reason: "no" },
    });
  });
});
