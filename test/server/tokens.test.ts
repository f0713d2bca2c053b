import { afterEach, describe, expect, it } from "vitest";
import type { TokenInfo } from "../../src/core/model/token.js";
import { signedIn } from "./browser.ts";
import { call, closeServers, openServer, posted, refusal } from "./open-server.ts";

afterEach(closeServers);

interface Created {
  readonly token: string;
  readonly info: TokenInfo;
}

async function opened() {
  const open = await openServer();
  const admin = await open.token({ role: "admin" });
  const create = async (input: unknown) => {
    const reply = await call(open, admin, "POST /v1/tokens", input);
    return { ...reply, created: reply.body as unknown as Created };
  };
  const list = async (query = "") => {
    const { body } = await call(open, admin, `GET /v1/tokens${query}`);
    return body as unknown as { readonly tokens: readonly TokenInfo[]; readonly next?: string };
  };
  return { open, admin, create, list };
}

describe("tokens over HTTP", () => {
  it("are created for a person, in some sessions, until a time", async () => {
    const { open, create } = await opened();
    const { status, created } = await create({
      ...{ role: "person", name: "ana", sessions: ["one"], expiresInMinutes: 5 },
    });
    const now = open.clock.now();
    expect([status, created.info]).toMatchObject([
      201,
      { role: "person", name: "ana", sessions: ["one"], createdAt: now, expiresAt: now + 300_000 },
    ]);
    const agent = await open.token();
    const seen = await posted(open, agent, { session: "one" });
    const hidden = await posted(open, agent, { session: "two" });
    expect((await call(open, created.token, `GET /v1/asks/${seen.id}`)).status).toBe(200);
    expect((await call(open, created.token, `GET /v1/asks/${hidden.id}`)).status).toBe(404);
    await open.clock.advance(300_000);
    expect(refusal(await call(open, created.token, "GET /v1/asks"))).toBe("401 unauthorized");
  });

  it("expire after an hour by default", async () => {
    const { open, create } = await opened();
    const { created } = await create({ role: "agent", name: "builder" });
    expect(created.info.expiresAt).toBe(open.clock.now() + 3_600_000);
  });

  it("are listed without secrets, in pages, and revoked once", async () => {
    const { open, admin, create, list } = await opened();
    const names = ["a", "b", "c"];
    const made: Created[] = [];
    for (const name of names) made.push((await create({ role: "agent", name })).created);
    const first = await list("?limit=2");
    const second = await list(`?limit=2&after=${first.next}`);
    const all = [...first.tokens, ...second.tokens];
    expect(all.map(({ name }) => name).sort()).toEqual(["a", "admin", "b", "c"]);
    expect(second.next).toBeUndefined();
    expect(made.some(({ token }) => JSON.stringify(all).includes(token.slice(20)))).toBe(false);
    const [revoked] = made;
    const line = `DELETE /v1/tokens/${revoked?.info.id}`;
    expect((await call(open, admin, line)).status).toBe(204);
    expect(refusal(await call(open, admin, line))).toBe("404 not_found");
    expect(refusal(await call(open, revoked?.token, "GET /v1/asks"))).toBe("401 unauthorized");
  });

  it("left a browser and a sign-in code of a person alive when the token was revoked over HTTP", async () => {
    const { open, admin, create } = await opened();
    const { info } = (await create({ role: "person", name: "ana" })).created;
    const limited = (await create({ role: "person", name: "ana", sessions: ["one"] })).created;
    const browser = await signedIn(open);
    const { code } = await open.auth.createInboxCode("ana");
    // Nobody can have signed in with one for some sessions.
    await call(open, admin, `DELETE /v1/tokens/${limited.info.id}`);
    expect((await browser.get("/")).status).toBe(200);
    expect((await call(open, admin, `DELETE /v1/tokens/${info.id}`)).status).toBe(204);
    expect(await open.auth.hasInboxCode(code)).toBe(false);
    expect(await open.auth.devices("ana")).toEqual([]);
    expect((await browser.get("/")).status).not.toBe(200);
  });

  it.each(["agent", "person"] as const)("are not for the role %s", async (role) => {
    const { open } = await opened();
    const token = await open.token({ role });
    const input = { role, name: "ben" };
    expect(refusal(await call(open, token, "POST /v1/tokens", input))).toBe("403 forbidden");
    expect(refusal(await call(open, token, "GET /v1/tokens"))).toBe("403 forbidden");
    expect(refusal(await call(open, token, "DELETE /v1/tokens/0123456789ab"))).toBe("403 forbidden");
  });

  it.each([
    ["an admin's role", { role: "admin", name: "root" }, "role must be agent or person"],
    ["no name", { role: "person" }, "name must have"],
    ["no sessions at all", { role: "person", name: "ana", sessions: [] }, "empty list of sessions"],
    ["a text for sessions", { role: "person", name: "ana", sessions: "one" }, "sessions must be a list"],
    ["half a minute", { role: "person", name: "ana", expiresInMinutes: 0.5 }, "expiresInMinutes must be"],
    ["no expiry", { role: "person", name: "ana", expiresInMinutes: 1e9 }, "expiresInMinutes must be"],
    ["a mistyped field", { role: "person", name: "ana", expires: "1h" }, 'unknown field "expires"'],
    ["a list", [], "send a JSON object"],
  ])("are refused for %s", async (_what, input, message) => {
    const { create, list } = await opened();
    const reply = await create(input);
    expect(refusal(reply)).toBe("400 invalid_request");
    expect(reply.body.error?.message).toContain(message);
    expect((await list()).tokens).toHaveLength(1);
  });
});
