import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { browser, signedIn } from "./browser.ts";
import { closeServers, openServer, question } from "./open-server.ts";

afterEach(closeServers);

describe("a page", () => {
  it("may load nothing but its own script and previews, be framed by nobody, and tells nobody where it was", async () => {
    const open = await openServer();
    const { html, headers } = await (await signedIn(open)).get("/");
    const policy = headers.get("content-security-policy") ?? "";
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
    const map = /<script type="importmap">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    const [hash, mapHash] = [style, map].map((text) => createHash("sha256").update(text).digest("base64"));
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self' 'sha256-${mapHash}'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).not.toMatch(/javascript:|style="| on\w+="/);
    const scripts = [...html.matchAll(/<script.*?<\/script>/gs)].map(([script]) => script);
    // Neither names the path of the inbox, which is a secret.
    expect(scripts).toEqual([
      expect.stringMatching(
        /^<script type="importmap">\{"integrity":\{("\/assets\/[\w-]+\.js":"sha256-[^"]+",?)+\}\}<\/script>$/,
      ),
      expect.stringMatching(/^<script type="module" src="\/assets\/app-[A-Z0-9]{8}\.js"><\/script>$/),
    ]);
  });

  it("speaks the language that the browser prefers, English if it has none of them", async () => {
    const open = await openServer();
    const { id } = await open.hub.post({ questions: [question], agentId: "builder" });
    const ana = await signedIn(open);
    const vietnamese = { "accept-language": "vi-VN,vi;q=0.9,en;q=0.8" };
    const page = await ana.get(`/asks/${id}`, vietnamese);
    expect(page.headers.get("content-language")).toBe("vi");
    for (const text of ['<html lang="vi">', "từ builder", "Để trả lời, hãy mở câu hỏi"]) {
      expect(page.html).toContain(text);
    }
    expect((await ana.get("/", vietnamese)).html).toContain("Để xem trang này");
    const gone = await ana.submit(
      `/asks/${id}/answer`,
      {},
      { origin: "null", "sec-fetch-site": "same-origin", ...vietnamese },
    );
    expect([gone.status, gone.html]).toEqual([410, expect.stringContaining("Để trả lời, hãy mở câu hỏi")]);
    expect((await ana.get("/asks/ask_none", vietnamese)).html).toContain("Ở đây không có gì");
    expect((await ana.get("/", { "accept-language": "de" })).html).toContain("To see this page");
  });

  it("shows what a model wrote as text, whatever it is", async () => {
    const open = await openServer();
    const evil = `"><script>alert(1)</script>\u202e\u0007'`;
    const asks = [
      await open.hub.post({ questions: [{ question: evil, header: "h" }], agentId: "<b>" }),
      await open.hub.post({ approval: { actions: [{ name: evil, args: { evil } }] }, agentId: "<b>" }),
    ];
    const own = await signedIn(open);
    for (const { id } of asks) {
      const { html } = await own.get(`/asks/${id}`);
      expect(html.match(/<script/g)).toHaveLength(2);
      expect(html).toContain("from &lt;b&gt;");
      expect(html).not.toMatch(/[\u202e\u0007]/);
      expect(html).toContain("&quot;&gt;&lt;script&gt;");
    }
  });
});

describe("the page behind a signed link", () => {
  it("shows one ask; opening it changes nothing", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question], recipients: ["ana"] });
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    const position = await open.hub.position();
    const shown = await browser(open).get(`/a/${link}`);
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining("Ship it?")]);
    expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
    expect(shown.html).not.toContain("Sign out");
    expect(await open.hub.position()).toBe(position);
  });

  it("tells a person, in a page, that the link is not good", async () => {
    const open = await openServer();
    const shown = await browser(open).get("/a/link_x.y");
    expect([shown.status, shown.html]).toEqual([401, expect.stringContaining("invalid_link")]);
    const { link } = await open.auth.createLink({ askId: "ask_gone", person: "ana", expiresIn: 60_000 });
    expect((await browser(open).get(`/a/${link}`)).status).toBe(404);
  });
});
