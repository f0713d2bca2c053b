import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { profiles, requireAsk } from "../../src/core/index.ts";
import { browser, signedIn } from "./browser.ts";
import { closeServers, openServer, question } from "./open-server.ts";

afterEach(closeServers);

const approval = {
  actions: [
    { name: "deploy", args: { to: "production" } },
    { name: "drop", args: {}, allow: ["approve" as const, "reject" as const] },
  ],
};

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

describe("answering by form", () => {
  it("takes picks, typed text and notes, and says what stands", async () => {
    const open = await openServer();
    const ask = await open.hub.post({
      questions: [
        question,
        { question: "Where?", options: ["Here", "There", "Other"], multiSelect: true },
        { question: "Why?" },
      ],
    });
    const own = await signedIn(open);
    const shown = await own.submit(`/asks/${ask.id}/answer`, {
      "pick:q1": "/own",
      "text:q1": "Tomorrow",
      "pick:q2": ["o1", "o2"],
      "text:q3": "two\r\nlines",
      "note:q3": "a note",
      note: "on all",
    });
    expect(shown.html).toContain("<strong>Answered</strong>");
    expect(shown.html).toContain("Here, There");
    expect((await open.hub.get(ask.id)).outcome).toEqual({
      kind: "answered",
      answers: [
        { question: "q1", selected: [], text: "Tomorrow" },
        { question: "q2", selected: ["o1", "o2"] },
        { question: "q3", selected: [], text: "two\nlines", note: "a note" },
      ],
      choices: [
        { question: "q1", labels: [], text: "Tomorrow" },
        { question: "q2", labels: ["Here", "There"] },
        { question: "q3", labels: [], text: "two\nlines", note: "a note" },
      ],
      note: "on all",
      by: { kind: "person", id: "ana", surface: "page" },
    });
  });

  it("renders a catch-all option as the text field, and no second one", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [{ question: "Who?", options: ["Ana", "Other"] }] });
    const own = await signedIn(open);
    const { html } = await own.get("/");
    expect(html.match(/name="text:q1"/g)).toHaveLength(1);
    expect(html).not.toContain("Something else");
    const blank = await own.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o2" });
    expect([blank.status, blank.html]).toEqual([422, expect.stringContaining("Type your own answer")]);
    await own.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o2", "text:q1": "Bo" });
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({ answers: [{ selected: [], text: "Bo" }] });
  });

  it("offers no text where none is taken, and skipping only where it is allowed", async () => {
    const open = await openServer();
    const strict = await open.hub.post({ questions: [{ ...question, freeText: false }] });
    const own = await signedIn(open);
    const { html } = await own.get("/");
    expect(html).not.toContain(`name="text:q1"`);
    expect(html).not.toContain("Skip this question");
    expect((await own.submit(`/asks/${strict.id}/answer`, { "pick:q1": "/skip" })).status).toBe(422);
    const partial = await open.hub.post({ questions: [question], allowPartial: true });
    expect((await own.get("/")).html).toContain("Skip this question");
    await own.submit(`/asks/${partial.id}/answer`, { "pick:q1": "/skip" });
    expect((await open.hub.get(partial.id)).outcome).toMatchObject({ answers: [{ skipped: true }] });
  });

  it("shows what is missing beside its question, and keeps what was typed", async () => {
    const open = await openServer();
    const ask = await open.hub.post({
      questions: [question, { question: "Why?" }, { ...question, question: "Really?" }],
    });
    const own = await signedIn(open);
    const shown = await own.submit(`/asks/${ask.id}/answer`, {
      "pick:q1": "o2",
      "text:q2": "  ",
      "note:q2": "half <done>",
      "pick:q3": "o1",
      "text:q3": "and this",
    });
    expect(shown.status).toBe(422);
    expect((await open.hub.get(ask.id)).status).toBe("pending");
    const [, first = "", second = "", third = ""] = shown.html.split("<fieldset");
    expect(first).toMatch(/value="o2" checked/);
    expect(first).not.toContain("issue");
    expect(second).toMatch(/class="issue" id="([^"]+)">Type an answer\./);
    expect(second).toContain("half &lt;done&gt;");
    expect(third).toContain("Choose either one option or your own answer.");
    expect(third).toMatch(/value="o1" checked[\s\S]*and this/);
  });

  it("tells who was faster, and what stands", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const [ana, bo] = [await signedIn(open), await signedIn(open, "bo")];
    await bo.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o2" });
    const late = await ana.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o1" });
    expect(late.html).toContain("Already answered by bo (page)");
    expect(late.html).toContain("<dd>No</dd>");
    const broken = await ana.submit(`/asks/${ask.id}/answer`, {});
    expect(broken.html).toContain("Already answered by");
  });

  it("replies and declines", async () => {
    const open = await openServer();
    const [replied, declined] = [
      await open.hub.post({ questions: [question] }),
      await open.hub.post({ questions: [question] }),
    ];
    const own = await signedIn(open);
    const blank = await own.submit(`/asks/${replied.id}/reply`, { text: " " });
    expect([blank.status, blank.html]).toEqual([422, expect.stringContaining("A reply must not be blank.")]);
    expect((await own.submit(`/asks/${replied.id}/reply`, { text: "Later" })).html).toContain("Replied");
    await own.submit(`/asks/${declined.id}/decline`, { reason: "No time" });
    expect((await open.hub.get(declined.id)).outcome).toMatchObject({ kind: "declined", reason: "No time" });
  });

  it("decides about each action, and asks again where the fields contradict each other", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ approval });
    const own = await signedIn(open);
    const path = `/asks/${ask.id}/decide`;
    const args = `{\r\n  "to": "production"\r\n}`;
    const refused = async (fields: Record<string, string>, text: string): Promise<void> => {
      const shown = await own.submit(path, fields);
      expect([shown.status, shown.html]).toEqual([422, expect.stringContaining(text)]);
    };
    await refused({ "kind:a1": "approve", "args:a1": args }, "Approve or reject this action.");
    await refused(
      { "kind:a1": "approve", "args:a1": `{"to":"x"}`, "kind:a2": "approve" },
      "“Approve” sends them unchanged",
    );
    await refused({ "kind:a1": "edit", "args:a1": "{", "kind:a2": "approve" }, "must be a JSON object");
    await refused(
      { "kind:a1": "approve", "args:a1": args, "message:a1": "no!", "kind:a2": "approve" },
      "a reason for rejecting",
    );
    await own.submit(path, {
      "kind:a1": "edit",
      "args:a1": `{"to":"staging"}`,
      "kind:a2": "reject",
      "message:a2": "no",
    });
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({
      decisions: [
        { action: "a1", kind: "edit", args: { to: "staging" } },
        { action: "a2", kind: "reject", message: "no" },
      ],
    });
  });

  it("is refused from other sites, without a cookie, and for asks of others", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const forBo = await open.hub.post({ questions: [question], recipients: ["bo"] });
    const own = await signedIn(open);
    const fields = { "pick:q1": "o1" };
    const elsewhere = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { origin: open.url.replace(/\d+$/, "1") },
    ];
    for (const headers of elsewhere) {
      expect((await own.submit(`/asks/${ask.id}/answer`, fields, headers)).status).toBe(403);
    }
    expect((await browser(open).submit(`/asks/${ask.id}/answer`, fields)).status).toBe(401);
    expect((await own.submit(`/asks/${forBo.id}/answer`, fields)).status).toBe(404);
    expect((await own.get(`/asks/${forBo.id}`)).status).toBe(404);
    expect((await own.get(`/?done=${forBo.id}`)).status).toBe(200);
    expect((await open.hub.get(ask.id)).status).toBe("pending");
    expect((await own.submit(`/asks/${ask.id}/answer`, fields, { origin: open.url })).status).toBe(200);
  });

  it("counts for requests of scripts as well: a cookie alone is not enough", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const { cookie = "", base } = await signedIn(open);
    const decline = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${open.url}${base}/v1/asks/${ask.id}/decline`, {
        method: "POST",
        headers: { cookie, ...headers },
      });
    expect((await decline({})).status).toBe(403);
    expect((await decline({ origin: open.url })).status).toBe(200);
  });

  it("takes every option for itself, whatever an agent calls it", async () => {
    const open = await openServer();
    const ids = ["/own", "/skip", "a\u200eb", "50%", "é c"];
    const questions = [
      { id: "q\u200f/1", question: "Which?", options: ids.map((id) => ({ id, label: `L${id}` })) },
    ];
    const own = await signedIn(open, "ana");
    for (const [index, id] of ids.entries()) {
      const ask = await open.hub.post({ questions, allowPartial: true });
      const { html } = await own.get(`/asks/${ask.id}`);
      const fields = [...html.matchAll(/name="(pick:[^"]*)" value="([^"]*)"/g)];
      const [, name = "", value = ""] = fields[index] ?? [];
      await own.submit(`/asks/${ask.id}/answer`, { [name]: value });
      expect((await open.hub.get(ask.id)).outcome).toMatchObject({ answers: [{ selected: [id] }] });
    }
  });

  it("decides about an action, whatever an agent calls it", async () => {
    const open = await openServer();
    const own = await signedIn(open, "ana");
    const ask = await open.hub.post({ approval: { actions: [{ id: "x\u200e", name: "deploy", args: {} }] } });
    const { html } = await own.get(`/asks/${ask.id}`);
    const name = /name="(kind:[^"]*)"/.exec(html)?.[1] ?? "";
    await own.submit(`/asks/${ask.id}/decide`, { [name]: "approve" });
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({ decisions: [{ kind: "approve" }] });
  });

  it("remembers a decision where the person chose so, and never by a signed link", async () => {
    const open = await openServer();
    const own = await signedIn(open, "ana");
    const actions = [{ name: "deploy", args: {}, rules: ["Allow deploy"] }];
    const ask = await open.hub.post({ approval: { actions } }, { asker: "builder" });
    const { html } = await own.get(`/asks/${ask.id}`);
    expect([...html.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)).toEqual([
      "",
      "session",
      "always",
      "Allow deploy",
    ]);
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    expect((await own.get(`/a/${link}`)).html).not.toContain("<option");
    const sent = { "kind:a1": "approve", "remember:a1": "always" };
    expect((await browser(open).submit(`/a/${link}/decide`, sent)).status).toBe(403);
    const wrong = await own.submit(`/asks/${ask.id}/decide`, {
      ...sent,
      "kind:a1": "reject",
      "remember:a1": "Allow deploy",
    });
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('"Allow deploy" selected')]);
    expect(await open.hub.rules.list("ana")).toEqual([]);
    await own.submit(`/asks/${ask.id}/decide`, sent);
    expect(await open.hub.rules.list("ana")).toMatchObject([{ effect: "allow", tool: "deploy" }]);
  });

  it("keeps the lines of a reply as they were typed, not as browsers send them", async () => {
    const open = await openServer();
    const own = await signedIn(open, "ana");
    const ask = await open.hub.post({ questions: [question] });
    await own.submit(`/asks/${ask.id}/reply`, { text: "one\r\ntwo" });
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({ kind: "replied", text: "one\ntwo" });
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
