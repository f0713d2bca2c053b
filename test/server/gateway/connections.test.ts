import { afterEach, describe, expect, it } from "vitest";
import { closeServers, openServer, until } from "../open-server.js";
import { answerHook, DATABASE, openRaw, questionEvent } from "./raw-socket.js";

afterEach(closeServers);

describe("a connection", () => {
  it("that answers no ping is closed, and withdraws nothing", async () => {
    const server = await openServer();
    const silent = await openRaw(server, { token: await server.token() });
    const talking = await openRaw(server, { token: await server.token() });
    silent.send(questionEvent("q", [DATABASE], { timeoutMs: 0 }));
    await silent.untilPong();
    silent.socket.pause();
    const pinged = new Promise((resolve) => talking.socket.once("ping", resolve));
    await server.clock.advance(15_000);
    await pinged;
    // Its pong is in flight: after one more round trip it has arrived.
    await talking.untilPong();
    await server.clock.advance(15_000);
    silent.socket.resume();
    expect((await silent.closed).code).toBe(1006);
    expect(await talking.untilPong()).toEqual([]);
    expect((await server.hub.list()).asks[0]?.status).toBe("pending");
  });

  it("ends when its token is revoked, at the next message or within a second", async () => {
    const server = await openServer();
    const open = async (): Promise<{ id: string; raw: Awaited<ReturnType<typeof openRaw>> }> => {
      const { token, info } = await server.auth.createToken({ role: "agent", name: "agent" });
      return { id: info.id, raw: await openRaw(server, { token }) };
    };
    const talking = await open();
    await server.auth.revokeToken(talking.id);
    talking.raw.send(questionEvent("q", [DATABASE]));
    expect(await talking.raw.next()).toMatchObject({ type: "error", payload: { code: "unauthorized" } });
    expect((await talking.raw.closed).code).toBe(1008);
    const idle = await open();
    await server.auth.revokeToken(idle.id);
    await server.clock.advance(1_000);
    expect(await idle.raw.next()).toMatchObject({ type: "error", payload: { code: "unauthorized" } });
    expect((await idle.raw.closed).code).toBe(1008);
    expect((await server.hub.list()).asks).toEqual([]);
  });

  it("of a device gets nothing more a second after its token was revoked", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    const { token, info } = await server.auth.createToken({ role: "person", name: "ana" });
    const device = await openRaw(server, { token });
    await device.untilPong();
    await server.auth.revokeToken(info.id);
    await server.clock.advance(1_000);
    host.send(questionEvent("q", [DATABASE]));
    await host.untilPong();
    await device.closed;
    expect(device.waiting.map(({ type }) => type)).toEqual(["error"]);
    expect(server.hub.presence.connected()).toEqual([]);
  });

  it("closes with 1001 when the server closes, and its asks stay pending", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    const device = await openRaw(server, { token: await server.token({ role: "person" }) });
    host.send(questionEvent("q", [DATABASE]));
    await device.next();
    const [first, second] = await Promise.all([host.closed, device.closed, server.server.close()]);
    expect([first.code, second.code]).toEqual([1001, 1001]);
    expect((await server.hub.list({ status: "pending" })).asks).toHaveLength(1);
    expect(server.hub.isAwaited((await server.hub.list()).asks[0]?.id ?? "")).toBe(false);
  });

  it("that does not read is closed when too much is unread for too long", async () => {
    const server = await openServer({ limits: { streamBuffer: 1_000, slowReaderMs: 5_000 } });
    const device = await openRaw(server, { token: await server.token({ role: "person" }) });
    await device.untilPong();
    device.socket.pause();
    const large = "x".repeat(60_000);
    let posts = 0;
    const post = async (): Promise<void> => {
      posts += 1;
      await server.hub.post({ questions: [{ question: `Q${posts}?` }], context: large });
    };
    // More than the socket buffers of this machine hold.
    for (let count = 0; count < 200; count += 1) await post();
    await until(async () => {
      await post();
      await server.clock.advance(5_000);
      return server.hub.presence.connected().length === 0;
    });
    device.socket.resume();
    expect((await device.closed).code).toBe(1006);
  });

  it("may send many messages at once", async () => {
    const server = await openServer();
    const host = await openRaw(server, { token: await server.token() });
    const device = await openRaw(server, { token: await server.token({ role: "person" }) });
    for (let count = 0; count < 200; count += 1) host.send(questionEvent(`q-${count}`, [DATABASE]));
    const asked = new Set<string>();
    const acked = new Set<string>();
    // The ack of one answer may come before the next question.
    while (acked.size < 200) {
      const { type, payload } = await device.next();
      if (type === "ack") {
        acked.add(payload.questionId);
      } else {
        asked.add(payload.payload.questionId);
        device.send(answerHook(payload.payload.questionId, { [DATABASE.question]: "Redis" }));
      }
    }
    expect(asked).toEqual(acked);
    expect(await device.untilPong()).toEqual([]);
    const answered = new Set<string>();
    for (let count = 0; count < 200; count += 1) answered.add((await host.next()).payload.questionId);
    expect(answered.size).toBe(200);
  });
});
