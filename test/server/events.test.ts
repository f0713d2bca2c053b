import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { connect as connectClient } from "../../src/client/index.ts";
import { readEvents } from "./event-reader.ts";
import { call, closeServers, openServer, posted, refusal, until, yes } from "./open-server.ts";

afterEach(closeServers);

describe("a stream of events", () => {
  it("begins now, and says where that is", async () => {
    const open = await openServer();
    const agent = await open.token();
    await posted(open, agent);
    const reader = await readEvents(open, agent);
    expect(reader.response.headers["content-type"]).toMatch(/^text\/event-stream/);
    const ask = await posted(open, agent);
    const [event] = await reader.count(1);
    expect(event).toMatchObject({
      position: 2,
      type: "ask.created",
      askId: ask.id,
      ask: { status: "pending" },
    });
    expect(reader.text()).toMatch(/^retry: 1000\n:\nid: 1\n\n.*id: 2\nevent: ask.created\ndata: /s);
  });

  it("wrote an ask of a megabyte once for each of thousands of readers: a large one is fetched", async () => {
    const open = await openServer();
    const agent = await open.token();
    const live = await readEvents(open, agent);
    const preview = { format: "markdown", content: "x".repeat(65_000) };
    const options = Array.from({ length: 10 }, (_, index) => ({ label: `Option ${index}`, preview }));
    const large = await posted(open, agent, { questions: [{ question: "Which?", options }] });
    const small = await posted(open, agent, { context: "x".repeat(60_000) });
    const replayed = await readEvents(open, agent, "?after=0");
    for (const reader of [live, replayed]) {
      const [first, second] = await reader.count(2);
      expect(first).toMatchObject({ position: 1, type: "ask.created", askId: large.id });
      expect(first).not.toHaveProperty("ask");
      expect(second).toMatchObject({ askId: small.id, ask: { context: small.context } });
    }
    const client = connectClient({ url: open.url, token: agent });
    for await (const { ask } of client.events({ after: 0 })) {
      expect(ask?.questions[0]?.options[9]?.preview).toEqual(preview);
      break;
    }
    for await (const ask of client.watch()) {
      expect(ask.id).toBe(large.id);
      break;
    }
    await client.close();
  });

  it("costs its reader's token what it is sent, and a reader above its rate waits", async () => {
    const open = await openServer({ limits: { tokenBytes: 10_000, tokenBytesBurst: 20_000 } });
    const token = await open.token({ role: "person", name: "ana" });
    const reader = await readEvents(open, token);
    const post = () => open.hub.post({ questions: [{ question: "Why?" }], context: "x".repeat(15_000) });
    await post();
    await post();
    await reader.count(2);
    expect(refusal(await call(open, token, "GET /v1/asks"))).toBe("429 rate_limited");
    await post();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reader.events()).toHaveLength(2);
    await open.clock.advance(60_000);
    await reader.count(3);
  });

  it("goes on after a position, given in the address or by a browser that reconnects", async () => {
    const open = await openServer();
    const agent = await open.token();
    for (let count = 0; count < 5; count += 1) await posted(open, agent);
    const byQuery = await readEvents(open, agent, "?after=2");
    expect((await byQuery.count(3)).map(({ position }) => position)).toEqual([3, 4, 5]);
    const byHeader = await readEvents(open, agent, "?after=1", { "last-event-id": "4" });
    await posted(open, agent);
    expect((await byHeader.count(2)).map(({ position }) => position)).toEqual([5, 6]);
    await byQuery.count(4);
  });

  it("misses nothing and repeats nothing while events keep coming", async () => {
    const open = await openServer();
    const agent = await open.token();
    // One person may not get so many.
    const body = (count: number) => ({
      questions: [{ question: "Why?" }],
      recipients: [`person-${count % 9}`],
    });
    for (let count = 0; count < 450; count += 1) await open.hub.post(body(count), { asker: "agent" });
    const more = (async () => {
      for (let count = 0; count < 450; count += 1) {
        await open.hub.post(body(count), { asker: "agent" });
        if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const readers = await Promise.all(
      [0, 100, 440].map((after) => readEvents(open, agent, `?after=${after}`)),
    );
    await more;
    for (const [index, after] of [0, 100, 440].entries()) {
      const events = await readers[index]?.count(900 - after);
      expect(events?.map(({ position }) => position)).toEqual(
        Array.from({ length: 900 - after }, (_, offset) => after + offset + 1),
      );
    }
  });

  it("keeps to session, agent and status", async () => {
    const open = await openServer();
    const [agent, person] = [await open.token(), await open.token({ role: "person" })];
    const readers = await Promise.all(
      ["?session=s1", "?agent=a1", "?status=settled", "?status=answered", "?status=declined"].map((query) =>
        readEvents(open, agent, query),
      ),
    );
    const ask = await posted(open, agent, { session: "s1" });
    await posted(open, agent, { session: "s2", agentId: "a1" });
    await call(open, person, `POST /v1/asks/${ask.id}/answer`, yes);
    const all = await readEvents(open, agent, "?after=0");
    await all.count(3);
    await open.clock.advance(15_000);
    // The sign of life carries the position, also over events that were left out.
    await Promise.all(readers.map((reader) => until(() => reader.text().includes("\nid: 3\n\n"))));
    expect(
      readers.map((reader) => reader.events().map(({ type, position }) => `${position} ${type}`)),
    ).toEqual([
      ["1 ask.created", "3 ask.answered"],
      ["2 ask.created"],
      ["3 ask.answered"],
      ["3 ask.answered"],
      [],
    ]);
  });

  it("hints a saved draft to the same person alone, without a position", async () => {
    const open = await openServer();
    const agent = await open.token();
    const [ana, bo] = await Promise.all(["ana", "bo"].map((name) => open.token({ role: "person", name })));
    const { id } = await posted(open, agent, { session: "s1" });
    const readers = await Promise.all(
      [
        [ana, ""],
        [ana, "?session=s1"],
        [ana, "?session=s2"],
        [bo, ""],
        [agent, ""],
      ].map(([token = "", query = ""]) => readEvents(open, token, query)),
    );
    const saved = await call(open, ana, `PUT /v1/asks/${id}/draft`, { draft: { note: "half" } });
    expect(saved.status).toBe(204);
    await call(open, ana, `POST /v1/asks/${id}/decline`, {});
    const frame = `event: draft\ndata: {"askId":"${id}","session":"s1","person":"ana","surface":"api"}\n\n`;
    const texts = [];
    for (const [index, reader] of readers.entries()) {
      // The end of the ask comes after the hint; a reader of another session gets neither.
      if (index !== 2) await until(() => (reader.text().includes("ask.declined") ? true : undefined));
      texts.push(reader.text());
    }
    expect(texts.map((text) => text.includes(frame))).toEqual([true, true, false, false, false]);
    expect(texts.filter((text) => text.includes("event: draft"))).toHaveLength(2);
  });

  it("shows a sign of life every 15 seconds", async () => {
    const open = await openServer();
    const reader = await readEvents(open, await open.token());
    const beats = (): number => reader.text().split(":\nid: 0\n\n").length - 1;
    await until(() => beats() === 1);
    await open.clock.advance(14_999);
    expect(beats()).toBe(1);
    await open.clock.advance(1);
    await until(() => beats() === 2);
    await open.clock.advance(15_000);
    await until(() => beats() === 3);
  });

  it("leaves nothing behind when the reader hangs up", async () => {
    const open = await openServer();
    const timers = open.clock.timers;
    const reader = await readEvents(open, await open.token({ role: "person" }));
    await until(() => open.hub.presence.connected().length === 1);
    reader.hangUp();
    await until(() => open.hub.presence.connected().length === 0);
    await until(() => open.clock.timers === timers);
  });

  it("ends with a position when the server closes", async () => {
    const open = await openServer();
    const reader = await readEvents(open, await open.token());
    await open.server.close();
    await reader.ended;
    expect(reader.text()).toMatch(/: resume after 0\nid: 0\n\n$/);
  });

  it("tells who reads from a position that is gone, or not there yet", async () => {
    const open = await openServer();
    const [agent, person] = [await open.token(), await open.token({ role: "person" })];
    const ask = await posted(open, agent);
    await posted(open, agent);
    await call(open, person, `POST /v1/asks/${ask.id}/answer`, yes);
    await open.clock.advance(1_000);
    await open.hub.prune({ settledBefore: open.store.now() });
    expect(refusal(await call(open, agent, "GET /v1/events?after=0"))).toBe("410 position_trimmed");
    expect(refusal(await call(open, agent, "GET /v1/events?after=99"))).toBe("410 position_trimmed");
    const list = await call(open, agent, "GET /v1/asks");
    const reader = await readEvents(open, agent, `?after=${list.headers.get("askline-position")}`);
    expect(reader.status).toBe(200);
  });

  it("ends within a second of its token's end", async () => {
    const open = await openServer();
    const { token, info } = await open.auth.createToken({ role: "agent", name: "builder" });
    const expiring = await open.token({ expiresIn: 60_000 });
    const [revoked, expired] = [await readEvents(open, token), await readEvents(open, expiring)];
    // Behind the server's back, as another process would.
    await open.store.records.delete("token", info.id);
    await open.clock.advance(1_000);
    await revoked.ended;
    await open.clock.advance(60_000);
    await expired.ended;
  });

  it("is a Response as well, wherever the handler is mounted", async () => {
    const open = await openServer();
    const headers = { authorization: `Bearer ${await open.token()}` };
    const response = await open.server.fetch(new Request("http://localhost/v1/events?after=0", { headers }));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await posted(open, await open.token());
    let text = "";
    while (!text.includes("event: ask.created")) text += (await reader?.read())?.value ?? "";
    const timers = open.clock.timers;
    await reader?.cancel();
    await until(() => open.clock.timers < timers);
  });
});

describe("a reader that does not read", () => {
  it("is disconnected with a position, and nothing is kept for it without bound", async () => {
    const open = await openServer({ limits: { streamBuffer: 64 * 1024, slowReaderMs: 30_000 } });
    const token = await open.token();
    const socket = connect(open.port, "127.0.0.1");
    socket.pause();
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const connection = await new Promise<{ readonly writableLength: number; readonly destroyed: boolean }>(
      (resolve) => {
        open.nodeServer.once("connection", resolve);
      },
    );
    const timers = await until(() => open.clock.timers > 1 && open.clock.timers);
    const other = await readEvents(open, token);
    const context = "x".repeat(60_000);
    // More than any socket buffer of the system takes: the rest would have to be kept here.
    let sent = 0;
    let most = 0;
    await until(async () => {
      const { position } = { position: await open.hub.position() };
      if (open.clock.timers > timers && sent > 100) return true;
      await open.hub.post({ questions: [{ question: "Why?" }], context }, { asker: "agent" });
      await other.count(position + 1);
      sent += 1;
      most = Math.max(most, connection.writableLength);
      return false;
    });
    // A frame that does not fit into what is left is read again later.
    expect(most).toBeLessThan(65 * 1024);
    await open.clock.advance(30_000);
    await open.clock.advance(2_000);
    await until(() => connection.destroyed);
    // A reader that keeps up misses nothing.
    expect(other.events()).toHaveLength(sent);
    socket.destroy();
  });

  it("goes on without a gap when it reads again in time", async () => {
    const open = await openServer({ limits: { streamBuffer: 16 * 1024 } });
    const token = await open.token();
    const reader = await readEvents(open, token);
    reader.response.pause();
    const context = "x".repeat(60_000);
    for (let count = 0; count < 200; count += 1) {
      await open.hub.post({ questions: [{ question: "Why?" }], context }, { asker: "agent" });
    }
    reader.response.resume();
    const events = await reader.count(200);
    expect(events.map(({ position }) => position)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });
});
