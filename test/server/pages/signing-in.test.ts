import { afterEach, describe, expect, it } from "vitest";
import { browser, signedIn } from "../browser.js";
import { closeServers, openServer } from "../open-server.js";

afterEach(closeServers);

describe("signing in", () => {
  it("takes a click on what the printed link opens: opening it changes nothing", async () => {
    const open = await openServer();
    const { code } = await open.auth.createInboxCode("ana");
    const own = browser(open);
    expect((await own.get("/")).html).toContain("Sign in");
    for (let count = 0; count < 3; count += 1) {
      const shown = await own.get(`/?code=${code}`);
      expect(shown.html).toContain(`<form method="post" action="/login">`);
      expect(own.cookie).toBeUndefined();
    }
    const inbox = await own.submit("/login", { code });
    expect([inbox.status, inbox.html]).toEqual([
      200,
      expect.stringContaining("Signed in as <strong>ana</strong>"),
    ]);
    const again = await browser(open).submit("/login", { code });
    expect([again.status, again.html]).toEqual([401, expect.stringContaining("invalid_code")]);
  });

  it("sets a cookie that scripts and other sites cannot use, and that ends", async () => {
    const open = await openServer();
    const { code } = await open.auth.createInboxCode("ana");
    const response = await fetch(`${open.url}/login`, {
      method: "POST",
      headers: { origin: open.url },
      body: new URLSearchParams({ code }),
      redirect: "manual",
    });
    const base = response.headers.get("location")?.replace(/\/$/, "") ?? "";
    expect([response.status, base]).toEqual([303, expect.stringMatching(/^\/i\/[\w-]{22}$/)]);
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      new RegExp(
        `^askline_${open.port}=[\\w-]{43}; Path=${base}; Max-Age=2592000; HttpOnly; SameSite=Strict$`,
      ),
    );
    const own = browser(open);
    own.cookie = cookie.split(";")[0];
    expect((await own.get("/")).html).toContain("Sign in");
    own.base = base;
    expect((await own.get("/")).status).toBe(200);
    const [session] = await open.store.records.list("inbox-session", { limit: 2 });
    expect(session?.expiresAt).toBe(open.store.now() + 30 * 24 * 60 * 60_000);
    expect(JSON.stringify(session)).not.toContain(own.cookie?.split("=")[1]);
    own.cookie = `askline_${open.port}=${"x".repeat(43)}`;
    expect((await own.get("/")).status).toBe(401);
  });

  it("is Secure behind a proxy that speaks https", async () => {
    const open = await openServer({ publicUrl: "https://ask.example.com" });
    const { code } = await open.auth.createInboxCode("ana");
    const response = await open.server.fetch(
      new Request("http://ask.example.com/login", {
        method: "POST",
        headers: { origin: "https://ask.example.com" },
        body: new URLSearchParams({ code }),
      }),
    );
    expect(response.headers.get("set-cookie")).toMatch(/^askline_443=.*; Secure$/);
  });

  it("does not work with a code that is too old, and of two at once works for one", async () => {
    const open = await openServer();
    const { code } = await open.auth.createInboxCode("ana");
    const both = await Promise.all([code, code].map((it) => browser(open).submit("/login", { code: it })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const old = await open.auth.createInboxCode("ana");
    await open.clock.advance(10 * 60_000);
    expect((await browser(open).submit("/login", { code: old.code })).status).toBe(401);
  });

  it("ends by signing out, here or from everywhere", async () => {
    const open = await openServer();
    const [one, other] = [await signedIn(open), await signedIn(open)];
    const { cookie, base } = one;
    expect((await one.submit("/logout", {})).html).toContain("Sign in");
    Object.assign(one, { cookie, base });
    expect((await one.get("/")).status).toBe(401);
    expect((await other.get("/")).status).toBe(200);
    expect(await open.auth.signOut("ana")).toBe(1);
    expect((await other.get("/")).status).toBe(401);
  });
});
