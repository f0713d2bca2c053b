// A client that sends the frames of the public plugin, which knows nothing of Askline.

import { afterEach, describe, expect, it } from "vitest";
import type { LogFields } from "../../../src/index.js";
import { redactingLogger } from "../../../src/server/access/redact.js";
import { gatewayPaths } from "../../../src/server/gateway/admit.js";
import { createMetrics } from "../../../src/server/metrics/index.js";
import { call, closeServers, openServer, refusal } from "../open-server.js";
import { answerHook, DATABASE, type Envelope, openRaw, questionEvent, type RawSocket } from "./raw-socket.js";

afterEach(closeServers);

function event(name: string, payload?: unknown): Envelope {
  return { type: "event", payload: { event: name, payload } };
}

/** What the plugin sends on the same socket before and between its questions. */
const CHAT: readonly Envelope[] = [
  { type: "health" },
  event("chat.presence", { status: "online" }),
  event("models.sync", { models: [] }),
  event("tool.start"),
  ...Array.from({ length: 30 }, (_, index) => event("chat.chunk", { text: `part ${index}` })),
  { type: "hook.nothing", payload: null },
];

const PLUGIN_PATH = "/api/v1/providers/ws";

describe("the address of the plugin", () => {
  it("was not served: it has a path of its own, and its token in the query", async () => {
    const server = await openServer({ gatewayPaths: [PLUGIN_PATH] });
    const token = await server.token();
    for (const path of [PLUGIN_PATH, "/v1/gateway"]) {
      const plugin = await openRaw(server, { path, query: `?token=${token}` });
      plugin.send(questionEvent(path, [DATABASE]));
      expect(await plugin.untilPong()).toEqual([]);
    }
    expect((await server.hub.list()).asks).toHaveLength(2);
  });

  it("is not served unless it was configured", async () => {
    const server = await openServer();
    const query = `?token=${await server.token()}`;
    await expect(openRaw(server, { path: PLUGIN_PATH, query })).rejects.toThrow(/404/);
  });

  it.each(["person", "admin"] as const)("takes no %s's token in the query", async (role) => {
    const server = await openServer({ gatewayPaths: [PLUGIN_PATH] });
    const query = `?token=${await server.token({ role })}`;
    await expect(openRaw(server, { path: PLUGIN_PATH, query })).rejects.toThrow(
      /403 .*only an agent's token/,
    );
  });

  it("takes a token in the query nowhere else", async () => {
    const server = await openServer({ gatewayPaths: [PLUGIN_PATH] });
    const token = await server.token();
    expect(refusal(await call(server, undefined, `GET /v1/asks?token=${token}`))).toBe("401 unauthorized");
    const socket = openRaw(server, { path: "/v1/sessions/s/socket", query: `?token=${token}` });
    await expect(socket).rejects.toThrow(/40[14]/);
  });

  it("leaves no token in the log or in an error", async () => {
    const lines: string[] = [];
    const note = (...parts: readonly unknown[]): void => void lines.push(JSON.stringify(parts));
    const server = await openServer({
      gatewayPaths: [PLUGIN_PATH],
      logger: { warn: note, error: note, event: note },
    });
    const token = await server.token();
    await openRaw(server, { path: PLUGIN_PATH, query: `?token=${token}` });
    const refused = openRaw(server, { path: PLUGIN_PATH, query: "?token=mistyped-secret" });
    await expect(refused).rejects.toThrow(/^(?!.*mistyped-secret).*401/s);
    await call(server, undefined, `GET ${PLUGIN_PATH}?token=${token}`);
    const logger = redactingLogger({ warn: note, error: note });
    logger.warn(`GET ${PLUGIN_PATH}?token=mistyped-secret&timeoutMs=0`);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain(token.slice(20));
    expect(lines.join("\n")).not.toContain("mistyped-secret");
  });

  it.each(["api", "/v1/events", "/v1", "/a?b", "/a b", "//host/a", ""])("cannot be %j", (path) => {
    expect(() => gatewayPaths([path])).toThrow(/cannot be a gateway path/);
  });
});

describe("the chat of the plugin", () => {
  it("closed the connection before it could ask", async () => {
    const metrics = await createMetrics({ process: false });
    const events: (readonly [string, LogFields])[] = [];
    const logged: string[] = [];
    const server = await openServer({
      metrics,
      logger: {
        warn: (message) => void logged.push(message),
        error: (message) => void logged.push(message),
        event: (level, name, fields) => void events.push([`${level} ${name}`, fields]),
      },
    });
    const plugin = await openRaw(server, { token: await server.token() });
    for (const frame of CHAT) plugin.send(frame);
    plugin.send(questionEvent("q-1", [DATABASE]));
    expect(await plugin.untilPong()).toEqual([]);
    expect((await server.hub.list()).asks).toMatchObject([{ key: "q-1", status: "pending" }]);
    expect(events.filter(([name]) => name === "debug gateway message ignored")).toEqual([
      ["debug gateway message ignored", { role: "host", name: "agent" }],
    ]);
    expect(logged).toEqual([]);
    const levels = { connections: server.server.open() as never };
    const { text } = await metrics.render(levels);
    expect(text).toContain(`askline_gateway_ignored_messages_total ${CHAT.length}`);
  });

  it("is limited as other messages are, without an error that the plugin did not ask for", async () => {
    const server = await openServer({ limits: { tokenRate: 1, tokenBurst: 5 } });
    const plugin = await openRaw(server, { token: await server.token() });
    for (const frame of CHAT) plugin.send(frame);
    plugin.send(questionEvent("q-1", [DATABASE]));
    expect(await plugin.next()).toMatchObject({ payload: { code: "rate_limited", questionId: "q-1" } });
  });
});

function approvalEvent(payload: object): Envelope {
  return event("exec.approval.requested", {
    ...{ sessionKey: "user-42", agentId: "coding-agent", executionId: "exec-1" },
    ...payload,
  });
}

describe("an approval of the plugin", () => {
  it("lost the command that was to be approved", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    const command = `echo ${"x".repeat(3_000)}`;
    plugin.send(approvalEvent({ toolName: "exec", action: command.slice(0, 200), params: { command } }));
    const device = await openRaw(server, { token: await server.token({ role: "person" }) });
    expect((await device.next()).payload.payload).toMatchObject({
      ...{ executionId: "exec-1", action: "exec", summary: command.slice(0, 200) },
      args: { command },
    });
    const [ask] = (await server.hub.list()).asks;
    expect(ask?.approval?.actions).toEqual([
      {
        ...{ id: "a1", name: "exec", description: command.slice(0, 200), args: { command } },
        allow: ["approve", "reject"],
      },
    ]);
  });

  it("may have params without a toolName, or args with one", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    plugin.send(approvalEvent({ action: "exec", params: { command: "ls" } }));
    plugin.send(approvalEvent({ executionId: "exec-2", toolName: "exec", args: { command: "ls" } }));
    expect(await plugin.untilPong()).toEqual([]);
    for (const { approval } of (await server.hub.list()).asks) {
      expect(approval?.actions).toMatchObject([{ name: "exec", args: { command: "ls" } }]);
    }
  });

  it.each([
    ["params that are no object", { toolName: "exec", params: "ls" }, "params: "],
    ["more than can be stored", { toolName: "exec", params: { command: "x".repeat(70_000) } }, "params: "],
    ["no tool", { params: { command: "ls" } }, "action: "],
    [
      "more than a frame may hold",
      { toolName: "exec", params: { command: "x".repeat(1_100_000) } },
      "must be",
    ],
    ["more than is read", { toolName: "exec", params: { command: "x".repeat(2_100_000) } }, "a frame may"],
  ])("with %s is rejected at once, with the reason", async (_name, payload, reason) => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    plugin.send(approvalEvent(payload));
    expect((await plugin.next()).type).toBe("error");
    expect(await plugin.next()).toEqual({
      type: "hook.approval",
      payload: {
        ...{ executionId: "exec-1", approved: false },
        reason: expect.stringMatching(new RegExp(`^${reason}`)),
      },
    });
    expect((await server.hub.list()).asks).toEqual([]);
  });

  it("is not rejected because of an id inside of its params", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    const params = { executionId: "exec-0", command: "x".repeat(1_100_000) };
    plugin.send(approvalEvent({ toolName: "exec", params }));
    expect((await plugin.next()).type).toBe("error");
    expect(await plugin.untilPong()).toEqual([]);
  });
});

describe("a question of the plugin with labels that look alike", () => {
  it("was refused", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    const labels = ["Yes", "Yes", "Yes (1)", "No", "No\u200b"];
    const options = labels.map((label) => ({ label, description: "" }));
    plugin.send(questionEvent("q-1", [{ ...DATABASE, options }]));
    const device = await openRaw(server, { token: await server.token({ role: "person" }) });
    const shown = (await device.next()).payload.payload.questions[0].options;
    expect(shown.map(({ label }: { label: string }) => label)).toEqual([
      ...["Yes (2)", "Yes (3)", "Yes (1)", "No (1)", "No\u200b (2)"],
    ]);
    device.send(answerHook("q-1", { [DATABASE.question]: "Yes (3)" }));
    expect(await plugin.next()).toEqual(answerHook("q-1", { [DATABASE.question]: "Yes (3)" }));
    const [ask] = (await server.hub.list()).asks;
    expect(ask?.outcome).toMatchObject({ answers: [{ selected: ["o2"] }] });
  });
});

describe("a question of the plugin that is refused", () => {
  it("kept the plugin waiting until its timeout", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    plugin.send(questionEvent("q-1", [DATABASE, { ...DATABASE, question: "Which cache?", options: 7 }]));
    expect(await plugin.next()).toMatchObject({ type: "error", payload: { questionId: "q-1" } });
    const { type, payload } = await plugin.next();
    expect(type).toBe("hook.ask_user_answer");
    expect(Object.keys(payload.answers)).toEqual([DATABASE.question, "Which cache?"]);
    for (const answer of Object.values(payload.answers))
      expect(answer).toMatch(/^\[not asked: questions.*\]$/);
  });

  it("is not answered as if the person had dismissed it, though it has no question", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token() });
    plugin.send(questionEvent("q-1", []));
    await plugin.next();
    const { payload } = await plugin.next();
    expect(payload.answers).toEqual({ questions: expect.stringMatching(/^\[not asked: .*\]$/) });
  });

  it("is answered when the session is not its own, or the id was used for another question", async () => {
    const server = await openServer();
    const plugin = await openRaw(server, { token: await server.token({ sessions: ["user-42"] }) });
    plugin.send(questionEvent("q-1", [DATABASE], { sessionKey: "other" }));
    expect(await plugin.next()).toMatchObject({ payload: { code: "forbidden" } });
    expect((await plugin.next()).type).toBe("hook.ask_user_answer");
    plugin.send(questionEvent("q-2", [DATABASE]));
    expect(await plugin.untilPong()).toEqual([]);
    plugin.send(questionEvent("q-2", [{ ...DATABASE, question: "Which cache?" }]));
    expect(await plugin.next()).toMatchObject({ payload: { code: "key_conflict" } });
    expect((await plugin.next()).payload.answers).toEqual({
      "Which cache?": expect.stringMatching(/^\[not asked: /),
    });
  });

  it("is not answered where it may be sent again", async () => {
    const server = await openServer({ limits: { tokenRate: 1, tokenBurst: 1 } });
    const plugin = await openRaw(server, { token: await server.token() });
    for (const id of ["q-1", "q-2", "q-3"]) plugin.send(questionEvent(id, [DATABASE]));
    expect(await plugin.next()).toMatchObject({ payload: { code: "rate_limited" } });
    expect(await plugin.next()).toMatchObject({ payload: { code: "rate_limited" } });
  });
});

describe("a plugin that lost its connection", () => {
  const PATH = { path: PLUGIN_PATH } as const;
  const QUESTION = "550e8400-e29b-41d4-a716-446655440000";
  const EXECUTION = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";

  async function opened() {
    const server = await openServer({ gatewayPaths: [PLUGIN_PATH] });
    const token = await server.token();
    const connect = async () => {
      const plugin = await openRaw(server, { ...PATH, query: `?token=${token}` });
      plugin.send({ type: "health" });
      return plugin;
    };
    const device = await openRaw(server, { token: await server.token({ role: "person" }) });
    return { server, connect, device };
  }
  const answer = (id: string): Envelope => answerHook(id, { [DATABASE.question]: "Redis" });
  const approved = (id: string): Envelope => ({
    ...{ type: "hook.approval", payload: { executionId: id, approved: true } },
  });
  const approvalOf = (id: string, more: object = {}): Envelope =>
    approvalEvent({ executionId: id, toolName: "exec", params: { command: "ls" }, ...more });

  /** What else comes to a plugin, at least until an outcome that is pushed as well would be there. */
  async function othersThan(marker: Envelope, plugin: RawSocket): Promise<readonly Envelope[]> {
    const others: Envelope[] = [];
    for (;;) {
      const message = await plugin.next();
      if (JSON.stringify(message) === JSON.stringify(marker)) break;
      others.push(message);
    }
    for (let trip = 0; trip < 3; trip += 1) others.push(...(await plugin.untilPong()));
    return others;
  }

  it.each([QUESTION, "q-1"])("waited in vain for its answer, which came meanwhile (%s)", async (id) => {
    const { connect, device } = await opened();
    const first = await connect();
    first.send(questionEvent(id, [DATABASE]));
    await device.next();
    await first.close();
    device.send(answer(id));
    expect((await device.next()).type).toBe("ack");
    const second = await connect();
    expect(await second.next()).toEqual(answer(id));
  });

  it.each([EXECUTION, "exec-1"])("waited in vain for its approval, which came later (%s)", async (id) => {
    const { connect, device } = await opened();
    const first = await connect();
    first.send(approvalOf(id));
    await device.next();
    await first.close();
    const second = await connect();
    expect(await second.untilPong()).toEqual([]);
    device.send(approved(id));
    expect(await second.next()).toEqual(approved(id));
    expect(await second.untilPong()).toEqual([]);
  });

  it("gets the answer again that was sent into its dead connection, and no answer twice", async () => {
    const { connect, device } = await opened();
    const first = await connect();
    first.send(questionEvent(EXECUTION, [DATABASE]));
    await device.next();
    device.send(answer(EXECUTION));
    expect(await first.next()).toEqual(answer(EXECUTION));
    expect(await first.untilPong()).toEqual([]);
    first.send(questionEvent(QUESTION, [DATABASE]));
    await device.next();
    // It reads nothing any more, and then it is gone.
    first.socket.pause();
    device.send(answer(QUESTION));
    while ((await device.next()).type !== "ack");
    first.socket.terminate();
    await first.closed;
    expect(await othersThan(answer(QUESTION), await connect())).toEqual([]);
  });

  it("gets nothing under an id that two hosts of one token have counted to", async () => {
    const { connect, device } = await opened();
    const first = await connect();
    first.send(approvalOf("exec-1", { sessionKey: "one" }));
    const { askId } = (await device.next()).payload.payload;
    first.send(questionEvent(QUESTION, [DATABASE]));
    await device.next();
    await first.close();
    const second = await connect();
    second.send(approvalOf("exec-1", { sessionKey: "two", params: { command: "rm" } }));
    await device.next();
    device.send({ type: "hook.approval", payload: { executionId: "exec-1", askId, approved: true } });
    device.send(answer(QUESTION));
    expect(await othersThan(answer(QUESTION), second)).toEqual([]);
    await second.close();
    expect(await othersThan(answer(QUESTION), await connect())).toEqual([]);
  });

  it("gets nothing under a counted id while another host of its token is connected", async () => {
    const { connect, device } = await opened();
    const first = await connect();
    const other = await connect();
    first.send(approvalOf("exec-1"));
    await device.next();
    first.send(questionEvent(QUESTION, [DATABASE]));
    await device.next();
    await first.close();
    const second = await connect();
    device.send(approved("exec-1"));
    device.send(answer(QUESTION));
    for (const plugin of [second, other]) expect(await othersThan(answer(QUESTION), plugin)).toEqual([]);
  });

  it("gets no answer of another token, of another session than its own, or after its time", async () => {
    const { server, connect, device } = await opened();
    const first = await connect();
    first.send(questionEvent(QUESTION, [DATABASE]));
    await device.next();
    await first.close();
    device.send(answer(QUESTION));
    await device.next();
    const others = [
      { token: { name: "other" }, id: EXECUTION },
      { token: { sessions: ["other"] }, id: QUESTION.replace(/0$/, "1") },
    ];
    for (const { token, id } of others) {
      const query = `?token=${await server.token(token)}`;
      const stranger = await openRaw(server, { ...PATH, query });
      stranger.send(questionEvent(id, [DATABASE], { sessionKey: "other", timeoutMs: 600_000 }));
      await device.next();
      await stranger.close();
      device.send(answer(id));
      await device.next();
      expect(await othersThan(answer(id), await openRaw(server, { ...PATH, query }))).toEqual([]);
    }
    await server.clock.advance(120_000);
    const [, { id = "" } = {}] = others;
    expect(await othersThan(answer(id), await connect())).toEqual([]);
  });
});
