import { afterEach, describe, expect, it } from "vitest";
import { signedIn } from "./browser.ts";
import {
  awaitedAsk,
  call,
  closeServers,
  openServer,
  posted,
  question,
  refusal,
  until,
} from "./open-server.ts";

afterEach(closeServers);

interface Listed {
  readonly people: readonly Readonly<Record<string, unknown>>[];
}

async function open() {
  const server = await openServer();
  const admin = await server.token({ role: "admin" });
  const people = async () => ((await call(server, admin, "GET /v1/people")).body as unknown as Listed).people;
  return { server, admin, agent: await server.token(), people };
}

describe("the people of a server", () => {
  it("are those who got a token or signed in by link, with what waits for them", async () => {
    const { server, agent, people } = await open();
    expect(await people()).toEqual([]);
    const ben = await server.token({ role: "person", name: "ben" });
    await signedIn(server);
    const since = server.clock.now();
    await posted(server, agent, { recipients: ["ana", "ben"] });
    await posted(server, agent);
    expect(await people()).toMatchObject([
      { id: "ana", since, browsers: 1, waiting: 1 },
      { id: "ben", since, browsers: 0, waiting: 1 },
    ]);
    await server.clock.advance(60 * 60_000);
    await call(server, ben, "GET /v1/asks");
    const now = server.clock.now();
    await until(async () => (await people()).some(({ id, seen }) => id === "ben" && seen === now));
  });

  it("are known if they have a credential of a version that recorded nobody", async () => {
    const { server, agent, people } = await open();
    await server.token({ role: "person", name: "ben" });
    await server.store.records.delete("person", "ben");
    const { body } = await call(server, agent, "POST /v1/asks", {
      questions: [question],
      recipients: ["ben"],
    });
    expect(body).not.toHaveProperty("warnings");
    expect(await people()).toMatchObject([{ id: "ben" }]);
  });

  it("are for admins only", async () => {
    const { server, agent } = await open();
    expect(refusal(await call(server, agent, "GET /v1/people"))).toBe("403 forbidden");
    const ana = await server.token({ role: "person", name: "ana" });
    expect(refusal(await call(server, ana, "DELETE /v1/people/ana"))).toBe("403 forbidden");
  });
});

describe("an ask to somebody whom nobody knows", () => {
  it("was accepted without a word", async () => {
    const { server, agent, admin } = await open();
    await server.token({ role: "person", name: "ana" });
    const asked = { questions: [question], recipients: ["ana", "zoe"] };
    const warned = { warnings: [expect.stringContaining("zoe")] };
    expect(await call(server, agent, "POST /v1/asks", asked)).toMatchObject({ status: 201, body: warned });
    const held = call(server, agent, "POST /v1/asks?wait=1", asked);
    await awaitedAsk(server);
    await server.clock.advance(2_000);
    expect(await held).toMatchObject({ status: 201, body: warned });
    const { body } = await call(server, admin, "GET /v1/asks");
    const ids = body.asks?.map(({ id }) => id) ?? [];
    expect(body).toMatchObject({ unknown: ids.map((ask) => ({ ask, people: ["zoe"] })) });
    await server.token({ role: "person", name: "zoe" });
    expect((await call(server, admin, "GET /v1/asks")).body).not.toHaveProperty("unknown");
    const later = { questions: [question], recipients: ["ana"], notify: [{ after: "1h", to: ["kim"] }] };
    expect((await call(server, agent, "POST /v1/asks", later)).body).toMatchObject({
      warnings: [expect.stringContaining("kim")],
    });
  });
});

describe("a person who leaves", () => {
  it("left their asks to nobody", async () => {
    const { server, agent, admin, people } = await open();
    const ben = await server.token({ role: "person", name: "ben" });
    const ana = await server.token({ role: "person", name: "ana" });
    const { id } = await posted(server, agent, { recipients: ["ben"] });
    const wrong = await call(server, admin, "DELETE /v1/people/ben?to=nobody");
    expect(refusal(wrong)).toBe("400 invalid_request");
    expect((await call(server, ben, `GET /v1/asks/${id}`)).status).toBe(200);
    const removed = await call(server, admin, "DELETE /v1/people/ben?to=ana");
    expect(removed.body).toEqual({ person: "ben", tokens: 1, browsers: 0, waiting: [id], to: "ana" });
    expect((await server.hub.get(id)).recipients).toEqual(["ben", "ana"]);
    expect((await call(server, ana, `GET /v1/asks/${id}`)).status).toBe(200);
    expect((await call(server, ben, "GET /v1/asks")).status).toBe(401);
    expect(await people()).toMatchObject([
      { id: "ana" },
      { id: "ben", left: server.clock.now(), waiting: 1 },
    ]);
    expect((await call(server, admin, "GET /v1/asks")).body).toMatchObject({
      unknown: [{ people: ["ben"] }],
    });
    expect(refusal(await call(server, admin, "DELETE /v1/people/zoe"))).toBe("404 not_found");
    const audit = JSON.stringify((await call(server, admin, "GET /v1/audit")).body);
    expect(audit).toMatch(/"person\.revoked".*"subject":"ben".*"by":"admin"/);
    await server.token({ role: "person", name: "ben" });
    expect((await people())[1]).not.toHaveProperty("left");
  });

  it("an admin reassigns one ask", async () => {
    const { server, agent, admin } = await open();
    await server.token({ role: "person", name: "ana" });
    const { id } = await posted(server, agent, { recipients: ["ben"] });
    const line = `POST /v1/asks/${id}/reassign`;
    expect(refusal(await call(server, agent, line, { to: ["ana"] }))).toBe("403 forbidden");
    for (const to of [[], "ana", [1], ["zoe"]]) {
      expect(refusal(await call(server, admin, line, { to }))).toBe("400 invalid_request");
    }
    const { body } = await call(server, admin, line, { to: ["ana"] });
    expect(body.ask?.recipients).toEqual(["ben", "ana"]);
    await server.hub.withdraw(id);
    expect(refusal(await call(server, admin, line, { to: ["ana"] }))).toBe("409 already_settled");
  });
});
