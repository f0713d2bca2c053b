import { afterEach, describe, expect, it } from "vitest";
import { call, closeServers, type OpenServer, openServer, refusal, until } from "./open-server.ts";
import { readSession } from "./session-reader.ts";

afterEach(closeServers);

const hello = { type: "message", text: "Hello", agent: "builder" };

async function opened() {
  const open = await openServer({ openSessions: "people" });
  const builder = await open.token({ name: "builder" });
  const ana = await open.token({ role: "person" });
  const say = (message: unknown, session = "s", token = ana, headers = {}) =>
    call(open, token, `POST /v1/sessions/${session}/messages`, message, headers);
  return { open, builder, ana, say };
}

/** What an agent's stream of opened sessions has sent so far, and its last id. */
async function openedSessions(open: OpenServer, token: string, query = "?after=0") {
  const stop = new AbortController();
  const response = await fetch(`${open.url}/v1/sessions/opened${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (;;) {
      const { done = true, value = "" } = (await reader?.read()) ?? {};
      text += value;
      if (done) return;
    }
  })().catch(() => undefined);
  const sessions = (): unknown[] =>
    [...text.matchAll(/^id: (\d+)\nevent: session.opened\ndata: (.*)\n\n/gm)].map(([, id, data = ""]) => ({
      ...JSON.parse(data),
      id,
    }));
  return { status: response.status, sessions, text: () => text, stop: () => stop.abort() };
}

describe("a session that a person opens", () => {
  it("reaches the agent that the message names, and no other", async () => {
    const { open, builder, say, ana } = await opened();
    const live = await openedSessions(open, builder, "");
    const other = await openedSessions(open, await open.token({ name: "other" }));
    expect((await say(hello)).status).toBe(204);
    await until(() => live.sessions().length > 0);
    expect(live.sessions()).toEqual([
      { type: "session.opened", session: "s", person: "ana", at: open.clock.now(), id: "1" },
    ]);
    const stream = await readSession(open, builder, "s", "0");
    await stream.find((event) => event.type === "user_message" && event.text === "Hello");
    stream.hangUp();
    // The agent goes on in it, and the person reads that.
    const path = "/v1/sessions/s";
    expect((await call(open, builder, `POST ${path}/events`, { type: "text", text: "Hi" })).status).toBe(204);
    expect((await call(open, ana, `GET ${path}/history`)).body).toHaveLength(2);
    for (const token of [
      await open.token({ name: "other" }),
      await open.token({ role: "person", name: "ben" }),
    ]) {
      expect(refusal(await call(open, token, `GET ${path}/history`))).toBe("404 not_found");
    }
    await say({ type: "message", text: "More" });
    await say({ ...hello, text: "More" });
    await say(hello, "t");
    const again = await openedSessions(open, builder, "?after=1");
    await until(() => again.sessions().length > 0);
    expect(again.sessions()).toMatchObject([{ session: "t", id: "2" }]);
    expect(other.sessions()).toEqual([]);
    for (const reader of [live, other, again]) reader.stop();
  });

  it("is for the person's own agent, where agents of one name have owners", async () => {
    const { open, say } = await opened();
    const [ana, ben] = [
      await open.token({ name: "helper", owner: "ana" }),
      await open.token({ name: "helper", owner: "ben" }),
    ];
    const others = await openedSessions(open, ben);
    expect((await say({ ...hello, agent: "helper" })).status).toBe(204);
    const found = await openedSessions(open, ana, "?after=0");
    await until(() => found.sessions().length > 0);
    expect(found.sessions()).toMatchObject([{ session: "s", person: "ana" }]);
    expect(others.sessions()).toEqual([]);
    expect((await call(open, ana, "GET /v1/sessions/s/history")).status).toBe(200);
    expect(refusal(await call(open, ben, "GET /v1/sessions/s/history"))).toBe("404 not_found");
    for (const reader of [found, others]) reader.stop();
  });

  it("is opened once by messages that come at the same time, or twice", async () => {
    const { open, builder, say } = await opened();
    const key = { "idempotency-key": "one" };
    const sent = [...Array.from({ length: 5 }, () => say(hello)), say(hello, "s", undefined, key)];
    for (const { status } of await Promise.all(sent)) expect(status).toBe(204);
    await say(hello, "s", undefined, key);
    expect((await call(open, builder, "GET /v1/sessions/s/history")).body).toHaveLength(6);
    const found = await openedSessions(open, builder);
    await until(() => found.sessions().length > 0);
    expect(new Set(found.sessions().map((each) => (each as { session: string }).session))).toEqual(
      new Set(["s"]),
    );
    found.stop();
  });

  it.each([
    ["names no agent", { type: "message", text: "Hello" }, "400 invalid_request", "name its agent"],
    ["names something else", { ...hello, agent: 7 }, "400 invalid_request", "name its agent"],
    ["is blank", { ...hello, text: " " }, "400 invalid_request", "text"],
    ["is an answer", { type: "approval", approval_key: "s_1", answers: {} }, "404 not_found", "no session s"],
  ])("is not opened by a message that %s", async (_what, message, code, words) => {
    const { open, builder, say } = await opened();
    const reply = await say(message);
    expect(refusal(reply)).toBe(code);
    expect(reply.body.error?.message).toContain(words);
    expect(refusal(await call(open, builder, "GET /v1/sessions/s/history"))).toBe("404 not_found");
  });

  it("was opened for an agent that does not exist, and nobody ever read the message", async () => {
    const { open, builder, say, ana } = await opened();
    await open.token({ name: "elsewhere", sessions: ["t"] });
    await open.token({ name: "expired", expiresIn: 1_000 });
    await open.token({ role: "person", name: "ben" });
    await open.clock.advance(1_000);
    for (const agent of ["bulider", "Builder", "elsewhere", "expired", "ben"]) {
      const reply = await say({ ...hello, agent });
      expect(refusal(reply)).toBe("400 invalid_request");
      expect(reply.body.error?.message).toBe(
        `there is no agent "${agent}" that could take the session s; check the name, or create a token of that name with "askline token create"`,
      );
      expect(refusal(await call(open, ana, "GET /v1/sessions/s/history"))).toBe("404 not_found");
    }
    expect((await say({ ...hello, agent: "elsewhere" }, "t")).status).toBe(204);
    expect((await say(hello)).status).toBe(204);
    expect((await call(open, builder, "GET /v1/sessions/s/history")).body).toHaveLength(1);
  });

  it("may have any agent if the host checks credentials itself: it alone knows its agents", async () => {
    const authenticate = () => ({ role: "person" as const, name: "ana" });
    const open = await openServer({ openSessions: "people", authenticate });
    expect((await call(open, undefined, "POST /v1/sessions/s/messages", hello)).status).toBe(204);
  });

  it("is not opened in a session that the token does not cover, or by an admin", async () => {
    const { open, say } = await opened();
    const limited = await open.token({ role: "person", sessions: ["other"] });
    expect(refusal(await say(hello, "s", limited))).toBe("404 not_found");
    expect((await say(hello, "other", limited)).status).toBe(204);
    const admin = await open.token({ role: "admin" });
    expect(refusal(await say(hello, "s", admin))).toBe("404 not_found");
    expect(refusal(await call(open, admin, "GET /v1/sessions/opened"))).toBe("403 forbidden");
    expect(refusal(await call(open, limited, "GET /v1/sessions/opened"))).toBe("403 forbidden");
  });

  it("does not get what its agent means for other people", async () => {
    const { open, builder, say } = await opened();
    await say(hello);
    const write = (event: unknown) => call(open, builder, "POST /v1/sessions/s/events", event);
    expect(refusal(await write({ type: "open", recipients: ["ben"] }))).toBe("403 forbidden");
    expect((await write({ type: "open", recipients: ["ana"] })).status).toBe(204);
    expect((await write({ type: "open" })).status).toBe(204);
  });

  it("has one agent: a later message cannot name another", async () => {
    const { say } = await opened();
    await say(hello);
    const reply = await say({ ...hello, agent: "other" });
    expect(refusal(reply)).toBe("400 invalid_request");
    expect(reply.body.error?.message).toContain("has another agent");
  });

  it("is forgotten by a prune, and what comes later is not missed", async () => {
    const { open, builder, say } = await opened();
    await say(hello);
    await open.clock.advance(1_000);
    expect(await open.hub.prune({ settledBefore: open.clock.now() })).toEqual({ asks: 0, transcripts: 1 });
    await say(hello);
    const found = await openedSessions(open, builder, "?after=1");
    await until(() => found.sessions().length > 0);
    expect(found.sessions()).toMatchObject([{ session: "s", id: "2" }]);
    found.stop();
    expect(refusal(await call(open, builder, "GET /v1/sessions/opened?after=9"))).toBe(
      "410 position_trimmed",
    );
  });

  it("is refused with what to do, unless the server lets people open sessions", async () => {
    const open = await openServer();
    const reply = await call(
      open,
      await open.token({ role: "person" }),
      "POST /v1/sessions/s/messages",
      hello,
    );
    expect(refusal(reply)).toBe("404 not_found");
    expect(reply.body.error?.message).toMatch(/its agent has to open it first.*--open-sessions people/);
    await expect(openServer({ openSessions: "everybody" as "people" })).rejects.toThrow(/agents, people/);
  });
});
