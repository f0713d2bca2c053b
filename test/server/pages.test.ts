import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { profiles, requireAsk } from "../../src/core/index.ts";
import { browser, signedIn } from "./browser.ts";
import { closeServers, openServer, question } from "./open-server.ts";

afterEach(closeServers);

describe("a page", () => {
  it("may load nothing but its own script and previews, be framed by nobody, and tells nobody where it was", async () => {
    const open = await openServer();
    const { html, headers } = await (await signedIn(open)).get("/");
    const policy = headers.get("content-security-policy") ?? "";
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).not.toMatch(/javascript:|style="| on\w+="/);
    const scripts = [...html.matchAll(/<script.*?<\/script>/gs)].map(([script]) => script);
    expect(scripts).toEqual([
      expect.stringMatching(
        /^<script type="module" src="\/i\/[\w-]{22}\/assets\/app-[A-Z0-9]{8}\.js"><\/script>$/,
      ),
    ]);
  });

  it("speaks the language that the browser prefers, English if it has none of them", async () => {
    const open = await openServer();
    const { id } = await open.hub.post({ questions: [{ ...question, multiSelect: true, minPicks: 2 }] });
    const ana = await signedIn(open);
    const vietnamese = { "accept-language": "vi-VN,vi;q=0.9,en;q=0.8" };
    const inbox = await ana.get("/", vietnamese);
    expect(inbox.headers.get("content-language")).toBe("vi");
    expect(inbox.html).toContain('<html lang="vi">');
    expect(inbox.html).toContain("1 câu hỏi đang chờ");
    const sent = await ana.submit(
      `/asks/${id}/answer`,
      { "pick:q1": "o1" },
      {
        ...{ origin: "null", "sec-fetch-site": "same-origin" },
        ...vietnamese,
      },
    );
    expect([sent.status, sent.html]).toEqual([422, expect.stringContaining("Hãy chọn ít nhất 2")]);
    const missing = await ana.get("/asks/ask_none", vietnamese);
    expect(missing.html).toContain("Ở đây không có gì");
    expect((await ana.get("/", { "accept-language": "de" })).html).toContain("1 question is waiting");
  });

  it("shows what a model wrote as text, whatever it is", async () => {
    const open = await openServer();
    const evil = `"><script>alert(1)</script>\u202e\u0007'`;
    await open.hub.post({
      questions: [
        {
          ...{ id: evil.replaceAll("\u0007", ""), question: evil, header: evil },
          options: [
            { label: evil, description: evil, preview: { format: "html", content: evil } },
            { label: "b", preview: evil },
          ],
        },
      ],
      ...{ context: evil, session: "s", agentId: "<b>" },
    });
    await open.hub.post({ approval: { actions: [{ name: evil, args: { evil }, description: evil }] } });
    const { html } = await (await signedIn(open)).get("/");
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain("from &lt;b&gt;");
    expect(html).not.toMatch(/[\u202e\u0007]/);
    expect(html).toContain("&quot;&gt;&lt;script&gt;");
  });

  it("shows an invisible character in arguments as an escape; it was replaced", async () => {
    const open = await openServer();
    await open.hub.post({ approval: { actions: [{ name: "pay", args: { amount: "1\u200b00" } }] } });
    const { html } = await (await signedIn(open)).get("/");
    expect(html).toContain("1\\u200b00");
    expect(html).not.toMatch(/\u200b|\ufffd/);
  });

  it("shows labels that look alike with numbers and escapes; they could not be told apart", async () => {
    const open = await openServer();
    const options = ["Yes", "Yes\u200b"].map((label) => ({ label, description: "d" }));
    const questions = [{ question: "Delete it?", header: "Sure", options }];
    await open.hub.post(requireAsk({ questions }, { profile: profiles.canonical }));
    const { html } = await (await signedIn(open)).get("/");
    expect(html).toContain(">Yes (option 1)");
    expect(html).toContain(">Yes\\u200b (option 2)");
  });

  it("lists what waits for the person: agent, session, age, and whether an agent waits now", async () => {
    const open = await openServer();
    const ask = await open.hub.post(
      { questions: [{ ...question, header: "Release" }], agentId: "builder", session: "api" },
      { asker: "builder" },
    );
    await open.hub.post({ questions: [{ question: "Not for you" }], recipients: ["bo"] });
    await open.clock.advance(5 * 60_000);
    const own = await signedIn(open);
    const before = await own.get("/");
    expect(before.html).toContain("1 question is waiting");
    for (const text of ["Ship it?", "Release", "from builder", "in api", "5 minutes ago"]) {
      expect(before.html).toContain(text);
    }
    expect(before.html).not.toContain("Not for you");
    expect(before.html).not.toContain("an agent is waiting");
    const waiting = open.hub.wait(ask.id);
    expect((await own.get("/")).html).toContain("an agent is waiting");
    await own.submit(`/asks/${ask.id}/decline`, {});
    expect(await waiting).toMatchObject({ kind: "declined" });
  });

  it("goes over to a further page, and gives a long ask a page of its own", async () => {
    const open = await openServer();
    for (let count = 0; count < 21; count += 1) await open.hub.post({ questions: [question] });
    const long = await open.hub.post({
      questions: [{ question: "Long?" }],
      context: "x".repeat(65_000),
      metadata: { y: "y".repeat(2_000) },
    });
    const own = await signedIn(open);
    const first = await own.get("/");
    expect(first.html).toContain("20 and more questions are waiting");
    const next = /href="(\/i\/[\w-]+\/\?after=\d+)"/.exec(first.html)?.[1] ?? "";
    const second = await own.get(next);
    expect(second.html).toContain("2 further questions are waiting");
    expect(second.html).toContain(`<a href="${own.base}/asks/${long.id}">`);
    expect((await own.get(`/asks/${long.id}`)).html).toContain("x".repeat(65_000));
  });
});

describe("the page behind a signed link", () => {
  it("shows one ask and answers it; opening it changes nothing", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question], recipients: ["ana"] });
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    const own = browser(open);
    const position = await open.hub.position();
    const shown = await own.get(`/a/${link}`);
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining("Ship it?")]);
    expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
    expect(shown.html).not.toContain("Sign out");
    expect(await open.hub.position()).toBe(position);
    const missing = await own.submit(`/a/${link}/answer`, {});
    expect(missing.status).toBe(422);
    expect(
      (await own.submit(`/a/${link}/answer`, { "pick:q1": "o1" }, { origin: "https://evil.example" })).status,
    ).toBe(403);
    const done = await own.submit(`/a/${link}/answer`, { "pick:q1": "o1" });
    expect(done.html).toContain("<strong>Answered</strong>");
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({ by: { id: "ana", surface: "link" } });
  });

  it("tells a person, in a page, that the link is not good", async () => {
    const open = await openServer();
    const shown = await browser(open).get("/a/link_x.y");
    expect([shown.status, shown.html]).toEqual([401, expect.stringContaining("invalid_link")]);
    const { link } = await open.auth.createLink({ askId: "ask_gone", person: "ana", expiresIn: 60_000 });
    expect((await browser(open).get(`/a/${link}`)).status).toBe(404);
  });
});
