import { afterEach, describe, expect, it } from "vitest";
import { browser, signedIn } from "../browser.ts";
import { readEvents } from "../event-reader.ts";
import { call, closeServers, openServer, posted, refusal, yes } from "../open-server.ts";

afterEach(closeServers);

describe("a person who was revoked", () => {
  it("kept their signed links, codes and streams", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    const token = await open.token({ role: "person" });
    const other = await open.token({ role: "person", name: "bo" });
    const own = await signedIn(open);
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    const { code } = await open.auth.createInboxCode("ana");
    const stream = await readEvents(open, token);

    expect(await open.auth.revokePerson("ana")).toEqual({ tokens: 1, browsers: 1 });
    await open.clock.advance(1_000);

    await stream.ended;
    expect(refusal(await call(open, token, "GET /v1/asks"))).toBe("401 unauthorized");
    expect(refusal(await call(open, link, `POST /v1/asks/${ask.id}/answer`, yes))).toBe("410 link_expired");
    expect((await own.get("/")).status).toBe(401);
    expect((await browser(open).submit("/login", { code })).status).toBe(401);
    expect((await call(open, other, "GET /v1/asks")).status).toBe(200);
  });

  it("can be given a new token, code and link", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    await open.auth.revokePerson("ana");
    await open.auth.revokePerson("ana");
    const token = await open.token({ role: "person" });
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    expect((await call(open, token, "GET /v1/asks")).status).toBe(200);
    expect((await (await signedIn(open)).get("/")).status).toBe(200);
    expect((await call(open, link, `GET /v1/asks/${ask.id}`)).status).toBe(200);
    await open.auth.revokePerson("ana");
    await open.clock.advance(1_000);
    expect(refusal(await call(open, link, `GET /v1/asks/${ask.id}`))).toBe("410 link_expired");
  });

  it("is revoked until there is a new token, or they have signed in again", async () => {
    const { auth, clock } = await openServer();
    expect(await auth.isRevoked("ana")).toBe(false);
    await auth.revokePerson("ana");
    expect(await auth.isRevoked("ana")).toBe(true);
    expect(await auth.isRevoked("bo")).toBe(false);
    await auth.createToken({ role: "person", name: "ana" });
    expect(await auth.isRevoked("ana")).toBe(false);
    await auth.revokePerson("ana");
    await auth.redeemInboxCode((await auth.createInboxCode("ana")).code);
    expect(await auth.isRevoked("ana")).toBe(false);
    await auth.signOut("ana");
    await clock.advance(1_000);
    expect(await auth.isRevoked("ana")).toBe(true);
  });
});
