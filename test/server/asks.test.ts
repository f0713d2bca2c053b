import { afterEach, describe, expect, it } from "vitest";
import {
  awaitedAsk,
  call,
  closeServers,
  no,
  openServer,
  posted,
  question,
  refusal,
  until,
  yes,
} from "./open-server.ts";

afterEach(closeServers);

describe("asking", () => {
  it("gives 201 for a new ask and 200 for a known key, with the same ask", async () => {
    const open = await openServer();
    const agent = await open.token({ name: "builder" });
    const first = await call(open, agent, "POST /v1/asks", { questions: [question], key: "call_1" });
    expect(first.status).toBe(201);
    expect(first.body.ask).toMatchObject({ status: "pending", asker: "builder", key: "call_1" });
    const again = await call(open, agent, "POST /v1/asks", { questions: [question], key: "call_1" });
    expect([again.status, again.body.ask?.id]).toEqual([200, first.body.ask?.id]);
    const other = await call(open, agent, "POST /v1/asks", {
      questions: [{ question: "Why?" }],
      key: "call_1",
    });
    expect(refusal(other)).toBe("409 key_conflict");
  });

  it("tells what is wrong with an ask", async () => {
    const open = await openServer();
    const reply = await call(open, await open.token(), "POST /v1/asks", { questions: [] });
    expect(refusal(reply)).toBe("422 invalid_ask");
    expect(reply.body.error?.issues?.[0]).toMatchObject({ code: "no_questions", path: ["questions"] });
  });

  it("goes on under the same name with another token", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token({ name: "builder" }), { key: "call_1" });
    const rotated = await open.token({ name: "builder" });
    const again = await posted(open, rotated, { key: "call_1" });
    expect(again.id).toBe(ask.id);
    expect((await call(open, rotated, `GET /v1/asks/${ask.id}`)).status).toBe(200);
  });

  it("stays in the sessions of its token", async () => {
    const open = await openServer();
    const bound = await open.token({ sessions: ["s1"] });
    expect((await posted(open, bound)).session).toBe("s1");
    const body = { questions: [question], session: "s2" };
    expect(refusal(await call(open, bound, "POST /v1/asks", body))).toBe("403 forbidden");
    const elsewhere = await posted(open, await open.token(), { session: "s2" });
    expect(refusal(await call(open, bound, `GET /v1/asks/${elsewhere.id}`))).toBe("404 not_found");
    expect((await call(open, bound, "GET /v1/asks?session=s2")).body.asks).toEqual([]);
  });
});

describe("waiting", () => {
  it("answers the moment the ask ends", async () => {
    const open = await openServer();
    const [agent, person] = [await open.token(), await open.token({ role: "person" })];
    const asked = call(open, agent, "POST /v1/asks?wait=60", { questions: [question] });
    const ask = await awaitedAsk(open);
    const looked = call(open, agent, `GET /v1/asks/${ask.id}?wait=60`);
    await call(open, person, `POST /v1/asks/${ask.id}/answer`, yes);
    // No time has passed: the clock stands still.
    for (const reply of [await asked, await looked]) {
      expect(reply.body.ask).toMatchObject({ status: "answered", outcome: { kind: "answered" } });
    }
  });

  it("answers with the pending ask when the time is over", async () => {
    const open = await openServer();
    const asked = call(open, await open.token(), "POST /v1/asks?wait=25", { questions: [question] });
    await awaitedAsk(open);
    await open.clock.advance(25_000);
    expect((await asked).body.ask).toMatchObject({ status: "pending" });
  });

  it("leaves nothing behind and withdraws nothing when the client hangs up", async () => {
    const open = await openServer();
    const timers = open.clock.timers;
    const hangUp = new AbortController();
    const asked = fetch(`${open.url}/v1/asks?wait=60`, {
      method: "POST",
      headers: { authorization: `Bearer ${await open.token()}`, "content-type": "application/json" },
      body: JSON.stringify({ questions: [question] }),
      signal: hangUp.signal,
    });
    const ask = await awaitedAsk(open);
    expect(open.clock.timers).toBe(timers + 1);
    hangUp.abort();
    await expect(asked).rejects.toThrow();
    await until(() => !open.hub.isAwaited(ask.id));
    expect(open.clock.timers).toBe(timers);
    expect((await open.hub.get(ask.id)).status).toBe("pending");
  });

  it("answers everyone who is held when the server closes", async () => {
    const open = await openServer();
    const asked = call(open, await open.token(), "POST /v1/asks?wait=60", { questions: [question] });
    await awaitedAsk(open);
    await open.server.close();
    expect((await asked).body.ask).toMatchObject({ status: "pending" });
    const late = await call(open, await open.token(), "GET /v1/asks");
    expect([refusal(late), late.headers.get("retry-after")]).toEqual(["503 closed", "1"]);
  });
});

describe("looking", () => {
  it("gives the headers alone to HEAD, and opens no stream for it", async () => {
    const open = await openServer();
    const agent = await open.token();
    const { id } = await posted(open, agent);
    const headers = { authorization: `Bearer ${agent}` };
    const timers = open.clock.timers;
    for (const path of [`/v1/asks/${id}`, "/v1/events", "/healthz"]) {
      const response = await fetch(`${open.url}${path}`, { method: "HEAD", headers });
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect(response.headers.get("content-type")).not.toBeNull();
    }
    expect(open.clock.timers).toBe(timers);
  });

  it("gives the same to a handler that is mounted elsewhere", async () => {
    const open = await openServer();
    const agent = await open.token();
    const { id } = await posted(open, agent);
    const request = new Request(`http://localhost/v1/asks/${id}`, {
      headers: { authorization: `Bearer ${agent}` },
    });
    const response = await open.server.fetch(request);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ ask: { id, status: "pending" } });
  });
});

describe("listing", () => {
  it("gives pages, filtered and in either order", async () => {
    const open = await openServer();
    const agent = await open.token();
    for (const session of ["a", "b", "a", "b", "a"]) await posted(open, agent, { session });
    const first = await call(open, agent, "GET /v1/asks?limit=2&session=a");
    expect(first.body.asks?.map(({ session }) => session)).toEqual(["a", "a"]);
    const rest = await call(open, agent, `GET /v1/asks?limit=2&session=a&after=${first.body.next}`);
    expect(rest.body.asks).toHaveLength(1);
    expect(rest.body.next).toBeUndefined();
    const newest = await call(open, agent, "GET /v1/asks?order=newest&limit=1&status=pending");
    expect(newest.body.asks?.[0]?.id).toBe(rest.body.asks?.[0]?.id);
    expect(newest.headers.get("askline-position")).toBe("5");
  });

  it("fills a page across sessions that the token may not see", async () => {
    const open = await openServer();
    const agent = await open.token();
    for (const session of ["a", "x", "x", "b", "x", "a"]) await posted(open, agent, { session });
    const bound = await open.token({ sessions: ["a", "b"] });
    const page = await call(open, bound, "GET /v1/asks?limit=2");
    expect(page.body.asks?.map(({ session }) => session)).toEqual(["a", "b"]);
    const rest = await call(open, bound, `GET /v1/asks?limit=2&after=${page.body.next}`);
    expect(rest.body.asks?.map(({ session }) => session)).toEqual(["a"]);
    expect(rest.body.next).toBeUndefined();
  });

  it("says for which asks an agent waits now", async () => {
    const open = await openServer();
    const agent = await open.token();
    await posted(open, agent);
    const asked = call(open, agent, "POST /v1/asks?wait=60", { questions: [question] });
    const awaited = await until(async () => (await call(open, agent, "GET /v1/asks")).body.awaited?.[0]);
    expect((await open.hub.get(awaited)).status).toBe("pending");
    await open.server.close();
    await asked;
  });
});

describe("ending", () => {
  it("gives the ask as it then stands, and acknowledges the same answer again", async () => {
    const open = await openServer();
    const person = await open.token({ role: "person" });
    const ask = await posted(open, await open.token());
    const surface = { "askline-surface": "terminal" };
    const reply = await call(open, person, `POST /v1/asks/${ask.id}/answer`, yes, surface);
    expect(reply.status).toBe(200);
    expect(reply.body.ask?.outcome).toMatchObject({ by: { kind: "person", id: "ana", surface: "terminal" } });
    expect((await call(open, person, `POST /v1/asks/${ask.id}/answer`, yes)).status).toBe(200);
  });

  it("takes labels, refuses what does not fit, and stays pending then", async () => {
    const open = await openServer();
    const person = await open.token({ role: "person" });
    const ask = await posted(open, await open.token());
    const wrong = { answers: [{ question: "q1", selected: ["Perhaps"] }] };
    const reply = await call(open, person, `POST /v1/asks/${ask.id}/answer`, wrong);
    expect(refusal(reply)).toBe("422 invalid_answer");
    expect(reply.body.error?.issues?.[0]?.code).toBe("unknown_option");
    expect((await open.hub.get(ask.id)).status).toBe("pending");
    const label = { answers: [{ question: "q1", selected: ["No"] }] };
    expect((await call(open, person, `POST /v1/asks/${ask.id}/answer`, label)).status).toBe(200);
  });

  it("lets one of fifty win, and tells the others who did", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    const persons = await Promise.all(
      Array.from({ length: 50 }, (_, index) => open.token({ role: "person", name: `person-${index}` })),
    );
    const replies = await Promise.all(
      persons.map((person, index) =>
        call(open, person, `POST /v1/asks/${ask.id}/answer`, index % 2 === 0 ? yes : no),
      ),
    );
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = replies.filter((reply) => refusal(reply) === "409 already_settled");
    expect(lost).toHaveLength(49);
    for (const { body } of lost) expect(body.error?.outcome).toEqual(won[0]?.body.ask?.outcome);
  });

  it("takes decisions, a refusal, a reply and a withdrawal", async () => {
    const open = await openServer();
    const [agent, person] = [await open.token(), await open.token({ role: "person" })];
    const approval = { actions: [{ name: "deploy", args: { to: "production" } }] };
    const deploy = await posted(open, agent, { questions: [], approval });
    const decisions = [{ action: "a1", kind: "edit", args: { to: "staging" } }];
    const decided = await call(open, person, `POST /v1/asks/${deploy.id}/decide`, { decisions });
    expect(decided.body.ask?.outcome).toMatchObject({ kind: "decided", decisions });
    const declined = await posted(open, agent);
    expect((await call(open, person, `POST /v1/asks/${declined.id}/decline`)).body.ask?.status).toBe(
      "declined",
    );
    const replied = await posted(open, agent);
    const reply = await call(open, person, `POST /v1/asks/${replied.id}/reply`, { text: "Ask me tomorrow" });
    expect(reply.body.ask?.outcome).toMatchObject({ kind: "replied", text: "Ask me tomorrow" });
    const withdrawn = await posted(open, agent);
    const back = await call(open, agent, `POST /v1/asks/${withdrawn.id}/withdraw`, { reason: "found it" });
    expect(back.body.ask?.outcome).toEqual({ kind: "withdrawn", reason: "found it" });
    expect(refusal(await call(open, person, `POST /v1/asks/${withdrawn.id}/answer`, yes))).toBe(
      "409 already_settled",
    );
    expect(refusal(await call(open, person, `POST /v1/asks/${deploy.id}/answer`, yes))).toBe(
      "422 wrong_kind",
    );
  });

  it("does not let anyone win with another person's Idempotency-Key", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    const attempt = { "idempotency-key": "try-1" };
    const [ana, bo] = [
      await open.token({ role: "person" }),
      await open.token({ role: "person", name: "bo" }),
    ];
    const [first, second] = await Promise.all([
      call(open, ana, `POST /v1/asks/${ask.id}/answer`, yes, attempt),
      call(open, bo, `POST /v1/asks/${ask.id}/answer`, no, attempt),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
  });
});

describe("drafts", () => {
  it("are kept for one person, and empty before", async () => {
    const open = await openServer();
    const [ana, bo] = [
      await open.token({ role: "person" }),
      await open.token({ role: "person", name: "bo" }),
    ];
    const ask = await posted(open, await open.token());
    const path = `/v1/asks/${ask.id}/draft`;
    expect((await call(open, ana, `GET ${path}`)).body).toEqual({ draft: null });
    expect((await call(open, ana, `PUT ${path}`, { draft: { q1: "o1" } })).status).toBe(204);
    expect((await call(open, ana, `GET ${path}`)).body).toEqual({ draft: { q1: "o1" } });
    expect((await call(open, bo, `GET ${path}`)).body).toEqual({ draft: null });
    expect(refusal(await call(open, ana, `PUT ${path}`, { q1: "o1" }))).toBe("400 invalid_request");
  });

  it("are not the only sign that somebody looks", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    const person = await open.token({ role: "person" });
    expect((await call(open, person, `POST /v1/asks/${ask.id}/opened`)).status).toBe(204);
    expect((await open.hub.audit(ask.id)).map(({ type }) => type)).toEqual(["ask.created", "ask.opened"]);
  });
});
