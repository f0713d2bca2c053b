// What a person has typed stays theirs: it is neither lost, nor changed, nor said by somebody else.

import { afterEach, describe, expect, it } from "vitest";
import { browser, type Shown, signedIn } from "../browser.js";
import { closeServers, openServer, question } from "../open-server.js";

afterEach(closeServers);

/** The fields that a form of the page would send as they are. */
function hiddenFields({ html }: Shown): Record<string, string> {
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]));
}

describe("an answer that came too late", () => {
  it("is not taken for what stands, even where the same person said both", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const [desk, phone] = [await signedIn(open), await signedIn(open)];
    await desk.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o1" });
    const late = await phone.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o2", "note:q1": "wait!" });
    expect(late.status).toBe(409);
    expect(late.html).toContain("Your answer was not saved");
    const [stands = "", sent = ""] = late.html.split("What you sent</h2>");
    expect(stands).toContain("You already answered this (page)");
    expect(stands).toContain("<dd>Yes</dd>");
    expect(sent).toContain("<dd>No</dd><dd>“wait!”</dd>");
    const same = await desk.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o1" });
    expect([same.status, same.html]).toEqual([200, expect.stringContaining("<strong>Answered</strong>")]);
    expect(same.html).not.toContain("What you sent");
  });

  it("keeps the words for an ask that was taken back, by link too", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ approval: { actions: [{ name: "deploy", args: { to: "x" } }] } });
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    await open.hub.withdraw(ask.id);
    const own = browser(open);
    const decided = await own.submit(`/a/${link}/decide`, {
      "kind:a1": "edit",
      "args:a1": `{"to":"staging"}`,
      note: "carefully",
    });
    expect(decided.status).toBe(409);
    for (const text of [
      "The agent withdrew this",
      "Approved with changes",
      "{&quot;to&quot;:&quot;staging&quot;}",
      "“carefully”",
    ]) {
      expect(decided.html).toContain(text);
    }
    const replied = await own.submit(`/a/${link}/reply`, { text: "a long\r\nreply" });
    expect(replied.html).toContain("“a long\nreply”");
  });
});

describe("a form that came to nothing", () => {
  it("can be sent again once the person has signed in again", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [{ question: "Why?" }] });
    const own = await signedIn(open);
    await open.auth.signOut("ana");
    const path = `/asks/${ask.id}/answer`;
    const refused = await own.submit(path, { "text:q1": "because\r\nof <this>" });
    expect([refused.status, refused.html]).toEqual([401, expect.stringContaining("askline link")]);
    expect(refused.html).toContain(`<p class="said">because\r\nof &lt;this&gt;</p>`);
    expect(refused.html).toContain(`action="${own.base}${path}"`);
    own.cookie = (await signedIn(open)).cookie;
    const fields = hiddenFields(refused);
    expect(Object.keys(fields)).toEqual(["text:q1"]);
    const { "text:q1": text = "" } = fields;
    await own.submit(path, { ...fields, "text:q1": text.replace("&lt;", "<").replace("&gt;", ">") });
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({ answers: [{ text: "because\nof <this>" }] });
  });

  it("shows what was typed where sending it again is of no use", async () => {
    const open = await openServer();
    const { link } = await open.auth.createLink({ askId: "ask_gone", person: "ana", expiresIn: 60_000 });
    const refused = await browser(open).submit(`/a/${link}/reply`, { text: "my words" });
    expect([refused.status, refused.html]).toEqual([404, expect.stringContaining("my words")]);
    expect(refused.html).not.toContain("<button");
  });

  it("is not sent back where it is larger than people type, as nobody need be signed in to send it", async () => {
    const open = await openServer();
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`x${index}`, ""]));
    for (const fields of [many, { text: "x".repeat(262_144) }]) {
      const refused = await browser(open).submit("/asks/ask_1/reply", fields);
      expect(refused.status).toBe(401);
      expect(refused.html.length).toBeLessThan(10_000);
    }
    const kept = await browser(open).submit("/asks/ask_1/reply", { text: "x".repeat(262_140) });
    expect(kept.html).toContain("x".repeat(262_140));
  });

  it("is not read to its end where nobody is known to have sent it", async () => {
    const open = await openServer();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        if (sent > 1_900_000) controller.close();
        else controller.enqueue(Buffer.alloc(65_536, "+"));
      },
    });
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: open.url };
    const request = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const refused = await open.server.fetch(new Request(`${open.url}/asks/ask_1/reply`, request));
    expect(refused.status).toBe(401);
    expect(sent).toBeLessThan(600_000);
  });

  it("counts as a credential that is none, where nobody is known to have sent it", async () => {
    const limits = { addressRate: 1, addressBurst: 300 };
    const open = await openServer({ limits, trustedProxies: ["127.0.0.1"] });
    const from = { origin: "null", "sec-fetch-site": "same-origin", "x-forwarded-for": "192.0.2.1" };
    const statuses: number[] = [];
    while (statuses.length < 3) {
      statuses.push((await browser(open).submit("/asks/ask_1/reply", { text: "x" }, from)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  it("has no more fields than the longest ask", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`x${index}`, ""]));
    const refused = await (await signedIn(open)).submit(`/asks/${ask.id}/reply`, { ...many, text: "x" });
    expect([refused.status, refused.html]).toEqual([413, expect.stringContaining("at most 2000 fields")]);
  });

  it("is not sent in the name of who has signed in since", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const [ana, bo] = [await signedIn(open), await signedIn(open, "bo")];
    const shown = await ana.get(`/asks/${ask.id}`);
    const fields = { ...hiddenFields(shown), "pick:q1": "o1" };
    ana.cookie = bo.cookie;
    for (const ending of ["answer", "reply", "decline"]) {
      const refused = await ana.submit(`/asks/${ask.id}/${ending}`, { ...fields, text: "no" });
      expect([refused.status, refused.html]).toEqual([401, expect.stringContaining("you are signed out")]);
    }
    expect((await open.hub.get(ask.id)).status).toBe("pending");
  });
});

describe("a form that is shown again", () => {
  it("has every character that was typed: marks of direction, and blank lines at the start", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question, { question: "Why?" }] });
    const own = await signedIn(open);
    const text = "\nשלום\u200f (abc)\u061c";
    const shown = await own.submit(`/asks/${ask.id}/answer`, {
      "text:q2": text,
      "note:q2": text,
      note: text,
    });
    expect(shown.status).toBe(422);
    // A parser drops the first line end of a text field, so there is one more.
    expect(shown.html.split(`>\n${text}</textarea>`)).toHaveLength(4);
    expect(shown.html).not.toContain("\ufffd");
  });
});

describe("an address that no page has", () => {
  it("tells a person so in a page, and where to go", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const own = await signedIn(open);
    const form = await own.get(`/asks/${ask.id}/answer`);
    expect([form.status, form.headers.get("allow")]).toEqual([405, "POST"]);
    expect(form.html).toContain(`<a href="${own.base}/asks/${ask.id}">`);
    const nothing = await own.get("/nothing");
    expect([nothing.status, nothing.html]).toEqual([404, expect.stringContaining(`<a href="${own.base}/">`)]);
    expect((await own.get("/v1/nothing")).headers.get("content-type")).toContain("application/json");
    const elsewhere = await own.get(`${open.url}//elsewhere.example/answer`);
    expect([elsewhere.status, elsewhere.html]).toEqual([404, expect.not.stringContaining("elsewhere")]);
    const program = await fetch(`${open.url}/asks/${ask.id}/answer`);
    expect([program.status, await program.json()]).toMatchObject([405, { error: {} }]);
  });

  it("tells who is signed out how to sign in, and not to send something again", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const shown = await browser(open).get(`/asks/${ask.id}`);
    expect([shown.status, shown.html]).toEqual([401, expect.stringContaining("Sign in")]);
    expect(shown.html).not.toContain("send it again");
  });
});
