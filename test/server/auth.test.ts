import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../src/hub/index.js";
import { createAuth } from "../../src/server/index.js";
import { readEvents } from "./event-reader.ts";
import { call, closeServers, openServer, posted, refusal, until, yes } from "./open-server.ts";

afterEach(closeServers);

describe("recipients", () => {
  it("are the only persons who see and answer an ask: in the list, by id, in events", async () => {
    const open = await openServer();
    const agent = await open.token();
    const [ana, bo] = [
      await open.token({ role: "person" }),
      await open.token({ role: "person", name: "bo" }),
    ];
    const [anaReads, boReads] = [await readEvents(open, ana), await readEvents(open, bo)];
    const { id } = await posted(open, agent, { recipients: ["ana"] });
    const forAll = await posted(open, agent);

    expect((await call(open, bo, "GET /v1/asks")).body.asks?.map((ask) => ask.id)).toEqual([forAll.id]);
    const lines = [
      `GET /v1/asks/${id}`,
      `GET /v1/asks/${id}?wait=1`,
      `GET /v1/asks/${id}/draft`,
      `POST /v1/asks/${id}/opened`,
      `POST /v1/asks/${id}/decline`,
    ];
    for (const line of lines) expect(refusal(await call(open, bo, line))).toBe("404 not_found");
    expect(refusal(await call(open, bo, `POST /v1/asks/${id}/answer`, yes))).toBe("404 not_found");
    expect(refusal(await call(open, bo, `PUT /v1/asks/${id}/draft`, { draft: {} }))).toBe("404 not_found");

    expect((await call(open, ana, `POST /v1/asks/${id}/answer`, yes)).status).toBe(200);
    expect((await anaReads.count(3)).map(({ askId }) => askId)).toEqual([id, forAll.id, id]);
    await open.clock.advance(15_000);
    await until(() => boReads.text().includes("\nid: 3\n\n"));
    expect(boReads.events().map(({ askId }) => askId)).toEqual([forAll.id]);
    expect(boReads.text()).not.toContain(id);
    // Also now that it has ended: what stands is not told to who may not see it.
    expect(refusal(await call(open, bo, `POST /v1/asks/${id}/answer`, yes))).toBe("404 not_found");
  });

  it("may see less with a token for certain sessions", async () => {
    const open = await openServer();
    const agent = await open.token();
    const bound = await open.token({ role: "person", sessions: ["s1"] });
    const [inside, outside] = [await posted(open, agent, { session: "s1" }), await posted(open, agent)];
    expect((await call(open, bound, `POST /v1/asks/${inside.id}/answer`, yes)).status).toBe(200);
    expect(refusal(await call(open, bound, `POST /v1/asks/${outside.id}/answer`, yes))).toBe("404 not_found");
  });
});

describe("agents", () => {
  it("see only what was asked under their name", async () => {
    const open = await openServer({ agentLinks: true });
    const [builder, tester] = [await open.token({ name: "builder" }), await open.token({ name: "tester" })];
    const reads = await readEvents(open, tester);
    const { id } = await posted(open, builder, { session: "s", key: "k" });
    expect(refusal(await call(open, tester, `GET /v1/asks/${id}`))).toBe("404 not_found");
    expect(refusal(await call(open, tester, `POST /v1/asks/${id}/withdraw`))).toBe("404 not_found");
    expect(refusal(await call(open, tester, `POST /v1/asks/${id}/links`, { person: "ana" }))).toBe(
      "404 not_found",
    );
    expect((await call(open, tester, "GET /v1/asks")).body.asks).toEqual([]);
    const own = await posted(open, tester);
    expect((await reads.count(1)).map(({ askId }) => askId)).toEqual([own.id]);
  });
});

describe("tokens", () => {
  it("are listed without their secret, and kept as a hash", async () => {
    const open = await openServer();
    const { token, info } = await open.auth.createToken({
      ...{ role: "agent", name: "builder", sessions: ["s1"], expiresIn: 60_000 },
    });
    expect(await open.auth.listTokens()).toEqual([info]);
    expect(info).toMatchObject({ role: "agent", name: "builder", sessions: ["s1"] });
    const stored = JSON.stringify(await open.store.records.list("token", { limit: 10 }));
    expect(stored).not.toContain(token.slice(20));
    expect(await open.auth.revokeToken(info.id)).toBe(true);
    expect(await open.auth.revokeToken(info.id)).toBe(false);
    expect(await open.auth.verifyToken(token)).toBeUndefined();
  });

  it("that another process revoked stop within a second", async () => {
    const open = await openServer();
    const elsewhere = createAuth({ records: open.store.records, now: () => open.store.now() });
    const { token, info } = await open.auth.createToken({ role: "agent", name: "builder" });
    expect((await call(open, token, "GET /v1/asks")).status).toBe(200);
    await elsewhere.revokeToken(info.id);
    await open.clock.advance(1_000);
    expect((await call(open, token, "GET /v1/asks")).status).toBe(401);
  });

  it("that are revoked while a request is held get no answer from it", async () => {
    const open = await openServer();
    const { token, info } = await open.auth.createToken({ role: "agent", name: "builder" });
    const { id } = await posted(open, token);
    const looked = call(open, token, `GET /v1/asks/${id}?wait=60`);
    await until(() => open.hub.isAwaited(id));
    await open.auth.revokeToken(info.id);
    await open.hub.answer(id, yes, { by: { kind: "person", id: "ana", surface: "test" } });
    expect(refusal(await looked)).toBe("401 unauthorized");
  });

  it.each([
    [{ role: "boss", name: "x" }],
    [{ role: "agent", name: " " }],
    [{ role: "agent", name: "a\nb" }],
    [{ role: "agent", name: "x".repeat(129) }],
    [{ role: "agent", name: "x", sessions: [] }],
    [{ role: "admin", name: "x", sessions: ["s1"] }],
    [{ role: "agent", name: "x", expiresIn: 0 }],
    [{ role: "agent", name: "x", expiresIn: Number.NaN }],
  ])("are not made of %j", async (token) => {
    const { auth } = await openServer();
    // As a caller without types could.
    await expect(auth.createToken(token as Parameters<typeof auth.createToken>[0])).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("signed links", () => {
  it("took several origins, or a whole policy, as the one origin that may frame a page", async () => {
    const open = await openServer();
    const admin = await open.token({ role: "admin" });
    const { id } = await posted(open, await open.token());
    const make = (frame: string) => call(open, admin, `POST /v1/asks/${id}/links`, { person: "ana", frame });
    for (const frame of ["https://*.example.com", "https://*", "https://a;script-src", "https://a,b"]) {
      expect(refusal(await make(frame))).toBe("400 invalid_request");
      const own = open.auth.createLink({ askId: id, person: "ana", expiresIn: 60_000, frame });
      await expect(own).rejects.toMatchObject({ code: "invalid_request" });
    }
    for (const frame of ["https://app.example.com", "http://localhost:3000", "http://[::1]:3000"]) {
      expect((await make(frame)).status).toBe(201);
    }
  });

  it("open one ask for one person, over HTTP as well as on their page", async () => {
    const open = await openServer({ agentLinks: true, publicUrl: "https://ask.example.com" });
    const agent = await open.token();
    const [one, other] = [await posted(open, agent), await posted(open, agent)];
    const made = await call(open, agent, `POST /v1/asks/${one.id}/links`, { person: "ana" });
    expect(made.status).toBe(201);
    expect(made.body.url).toMatch(/^https:\/\/ask\.example\.com\/a\/link_/);
    expect(made.body.expiresAt).toBe(open.store.now() + 24 * 60 * 60_000);
    const link = made.body.url?.split("/a/")[1];
    expect((await call(open, link, `GET /v1/asks/${one.id}`)).status).toBe(200);
    expect(refusal(await call(open, link, `GET /v1/asks/${other.id}`))).toBe("404 not_found");
    expect(refusal(await call(open, link, `POST /v1/asks/${other.id}/answer`, yes))).toBe("404 not_found");
    expect(refusal(await call(open, link, "GET /v1/asks"))).toBe("403 forbidden");
    expect(refusal(await call(open, link, "GET /v1/events"))).toBe("403 forbidden");
    expect(refusal(await call(open, link, `POST /v1/asks/${one.id}/withdraw`))).toBe("403 forbidden");
    const answered = await call(open, link, `POST /v1/asks/${one.id}/answer`, yes);
    expect(answered.body.ask?.outcome).toMatchObject({ by: { id: "ana", surface: "link" } });
  });

  it("expire, and cannot be changed or made elsewhere", async () => {
    const open = await openServer();
    const foreign = await openServer();
    const { id } = await posted(open, await open.token());
    const { link } = await open.auth.createLink({ askId: id, person: "ana", expiresIn: 60_000 });
    const [payload = "", signature = ""] = link.slice("link_".length).split(".");
    const changed = Buffer.from(Buffer.from(payload, "base64url").toString().replace("ana", "bob")).toString(
      "base64url",
    );
    const links = [
      `link_${changed}.${signature}`,
      `link_${payload}.${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`,
      `link_${payload}`,
      (await foreign.auth.createLink({ askId: id, person: "ana", expiresIn: 60_000 })).link,
    ];
    for (const it of links) {
      expect(refusal(await call(open, it, `GET /v1/asks/${id}`))).toBe("401 invalid_link");
      expect(refusal(await call(open, undefined, `GET /a/${it}`))).toBe("401 invalid_link");
    }
    await open.clock.advance(60_000);
    expect(refusal(await call(open, link, `GET /v1/asks/${id}`))).toBe("410 link_expired");
    expect(refusal(await call(open, undefined, `GET /a/${link}`))).toBe("410 link_expired");
  });

  it("are signed with one key by all processes of a store, whoever comes first", async () => {
    const store = memoryStore();
    await store.open({
      clock: { now: () => 0, monotonic: () => 0, schedule: () => () => undefined },
      logger: console,
    });
    const auths = Array.from({ length: 5 }, () => createAuth({ records: store.records, now: () => 0 }));
    const made = await Promise.all(
      auths.map((auth) => auth.createLink({ askId: "ask_1", person: "ana", expiresIn: 1_000 })),
    );
    expect(new Set(made.map(({ link }) => link)).size).toBe(1);
  });

  it("are made for recipients only, for a time within bounds", async () => {
    const open = await openServer({ agentLinks: true });
    const agent = await open.token();
    const { id } = await posted(open, agent, { recipients: ["ana"] });
    const bad = [{ person: "bo" }, {}, { person: "ana", expiresIn: 0 }, { person: "ana", expiresIn: 1e12 }];
    for (const body of bad) {
      expect(refusal(await call(open, agent, `POST /v1/asks/${id}/links`, body))).toBe("400 invalid_request");
    }
  });

  it("are not for agents to make unless the server says so", async () => {
    const open = await openServer();
    const agent = await open.token();
    const { id } = await posted(open, agent);
    const line = `POST /v1/asks/${id}/links`;
    expect(refusal(await call(open, agent, line, { person: "ana" }))).toBe("403 forbidden");
    const admin = await open.token({ role: "admin" });
    expect((await call(open, admin, line, { person: "ana" })).status).toBe(201);
  });
});
