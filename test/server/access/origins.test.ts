import { afterEach, describe, expect, it } from "vitest";
import { signedIn } from "../browser.ts";
import { call, closeServers, openServer, posted, question, refusal } from "../open-server.ts";

afterEach(closeServers);

const APP = "https://app.example.com";
const foreign = (origin = APP) => ({ origin, "sec-fetch-site": "cross-site" });
const asked = { questions: [question] };

describe("a page of an allowed origin", () => {
  it("reads, asks and streams with a bearer token", async () => {
    const open = await openServer({ allowedOrigins: [APP] });
    const token = await open.token();
    const made = await call(open, token, "POST /v1/asks", asked, foreign());
    expect([made.status, made.headers.get("access-control-allow-origin")]).toEqual([201, APP]);
    expect(made.headers.get("vary")).toBe("Origin");
    expect(made.headers.get("access-control-expose-headers")).toContain("Askline-Position");
    expect(made.headers.get("access-control-allow-credentials")).toBeNull();
    const headers = { ...foreign(), authorization: `Bearer ${token}` };
    const stream = await fetch(`${open.url}/v1/events?after=0`, { headers });
    expect(stream.headers.get("access-control-allow-origin")).toBe(APP);
    await stream.body?.cancel();
    const document = await fetch(`${open.url}/openapi.json`, { headers: foreign() });
    expect(document.headers.get("access-control-allow-origin")).toBe(APP);
  });

  it("could not read why it was refused", async () => {
    const open = await openServer({ allowedOrigins: [APP] });
    const refused = await call(open, undefined, "POST /v1/asks", asked, foreign());
    expect(refusal(refused)).toBe("401 unauthorized");
    expect(refused.headers.get("access-control-allow-origin")).toBe(APP);
    const missing = await call(open, await open.token(), "GET /v1/nothing", undefined, foreign());
    expect([missing.status, missing.headers.get("access-control-allow-origin")]).toEqual([404, APP]);
  });

  it("may send every method and header that the API has", async () => {
    const open = await openServer({ allowedOrigins: [APP], basePath: "/askline" });
    const preflight = await fetch(`${open.url}/askline/v1/asks/ask_1/draft`, {
      method: "OPTIONS",
      headers: {
        ...foreign(),
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(APP);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    const headers = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    expect(headers).toEqual(
      expect.arrayContaining([
        ...["authorization", "content-type", "idempotency-key", "askline-surface", "last-event-id"],
      ]),
    );
  });

  it("could not call /mcp", async () => {
    const open = await openServer({
      allowedOrigins: [APP],
      mcp: async () => Response.json({}, { headers: { "mcp-session-id": "s1" } }),
    });
    const wanted = "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name";
    const preflight = await fetch(`${open.url}/mcp`, {
      method: "OPTIONS",
      headers: {
        ...foreign(),
        "access-control-request-method": "POST",
        "access-control-request-headers": wanted,
      },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, APP]);
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    expect(allowed).toEqual(expect.arrayContaining(wanted.split(", ")));
    const called = await call(open, await open.token(), "POST /mcp", {}, foreign());
    expect([called.status, called.headers.get("access-control-allow-origin")]).toEqual([200, APP]);
    expect(called.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    const other = await call(open, await open.token(), "POST /mcp", {}, foreign("https://other.example.com"));
    expect(refusal(other)).toBe("403 origin_not_allowed");
  });

  it.each([[APP], ["*"]])("could not use the cookie (%s)", async (allowed) => {
    const open = await openServer({ allowedOrigins: [allowed] });
    const ask = await posted(open, await open.token());
    const own = await signedIn(open);
    const cookie = { cookie: own.cookie ?? "" };
    const line = `POST ${own.base}/v1/asks/${ask.id}/decline`;
    for (const headers of [foreign(), { origin: APP }]) {
      const refused = await call(open, undefined, line, {}, { ...cookie, ...headers });
      expect(refusal(refused)).toBe("403 origin_not_allowed");
      expect(refused.headers.get("access-control-allow-credentials")).toBeNull();
    }
    const declined = await call(open, undefined, line, {}, { ...cookie, origin: open.url });
    expect(declined.status).toBe(200);
  });

  it("gets nothing from the pages for people", async () => {
    const open = await openServer({ allowedOrigins: ["*"] });
    const page = await fetch(`${open.url}/`, { headers: foreign() });
    expect(page.headers.get("access-control-allow-origin")).toBeNull();
    const login = await fetch(`${open.url}/login`, {
      method: "POST",
      headers: { ...foreign(), "content-type": "application/x-www-form-urlencoded" },
    });
    expect(login.status).toBe(403);
  });
});

describe("a page of an origin that is not allowed", () => {
  it.each([[[]], [[APP]]])("is refused with a token (allowed: %j)", async (allowedOrigins) => {
    const open = await openServer({ allowedOrigins });
    for (const origin of ["https://evil.example", `${APP}.evil.example`, `${APP}:8443`, "null"]) {
      const refused = await call(open, await open.token(), "POST /v1/asks", asked, foreign(origin));
      expect(refusal(refused)).toBe("403 origin_not_allowed");
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
      const preflight = await fetch(`${open.url}/v1/asks`, {
        method: "OPTIONS",
        headers: { ...foreign(origin), "access-control-request-method": "POST" },
      });
      expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([405, null]);
    }
  });
});

it.each(["app.example.com", `${APP}/`, `${APP}/path`, "null", "ftp://app.example.com", ""])(
  "refuses %j as an allowed origin",
  async (origin) => {
    await expect(openServer({ allowedOrigins: [origin] })).rejects.toMatchObject({ code: "invalid_request" });
  },
);
