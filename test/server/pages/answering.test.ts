import { afterEach, describe, expect, it } from "vitest";
import { browser, signedIn } from "../browser.ts";
import { closeServers, openServer, question } from "../open-server.ts";

afterEach(closeServers);

const approval = {
  actions: [
    { name: "deploy", args: { to: "production" } },
    { name: "drop", args: {}, allow: ["approve" as const, "reject" as const] },
  ],
};

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
