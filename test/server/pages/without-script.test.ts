// What a person without script gets from the pages: how to answer, and nothing that answers.

import { afterEach, describe, expect, it } from "vitest";
import { browser, signedIn } from "../browser.ts";
import { call, closeServers, openServer, posted, question, refusal } from "../open-server.ts";

afterEach(closeServers);

const HOW = "To answer, open the question in a browser with JavaScript, or run askline inbox in a terminal.";
const ENDINGS = ["answer", "decide", "decline", "reply"] as const;
const FIELDS = { "pick:q1": "o1", "kind:a1": "approve", text: "Yes" };

describe("the page of an ask", () => {
  it("has its title, who asks, and one sentence, signed in and by link", async () => {
    const open = await openServer();
    const input = { questions: [question], context: "Secret plan", agentId: "builder" };
    const ask = await open.hub.post(input, { asker: "builder" });
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    for (const path of [`/asks/${ask.id}`, `/a/${link}`]) {
      const { status, html } = await (await signedIn(open)).get(path);
      expect(status).toBe(200);
      expect(html).toContain("<title>Ship it? · Askline</title>");
      for (const text of ["<h1>Ship it?</h1>", "from builder", HOW]) expect(html).toContain(text);
      expect(html).not.toMatch(/Secret plan|<input|<textarea|<select|\/answer/);
    }
    await open.hub.withdraw(ask.id);
    const ended = await browser(open).get(`/a/${link}`);
    expect(ended.html).toContain("This question has already ended.");
    expect(ended.html).not.toContain(HOW);
  });

  it("changes nothing, and does not count as having shown the ask", async () => {
    const open = await openServer();
    const person = await open.token({ role: "person" });
    const ask = await posted(open, await open.token());
    const position = await open.hub.position();
    const own = await signedIn(open);
    for (const path of ["/", `/asks/${ask.id}`]) expect((await own.get(path)).status).toBe(200);
    await open.clock.advance(10_000);
    expect(await open.hub.position()).toBe(position);
    const { body } = await call(open, person, `GET /v1/asks/${ask.id}/audit`);
    expect(JSON.stringify(body)).not.toContain("ask.shown");
  });

  it("is for nobody who may not see the ask", async () => {
    const open = await openServer();
    const forBo = await open.hub.post({ questions: [question], recipients: ["bo"] });
    expect((await (await signedIn(open)).get(`/asks/${forBo.id}`)).status).toBe(404);
    const signedOut = await browser(open).get(`/asks/${forBo.id}`);
    expect([signedOut.status, signedOut.html]).toEqual([401, expect.stringContaining("Sign in")]);
  });
});

it.each(["/", "/history", "/devices", "/chat/s", "/?after=1&done=x&look=again"])(
  "%s says that it needs script, and has no ask in it",
  async (path) => {
    const open = await openServer();
    await open.hub.post({ questions: [question] });
    const { status, headers, html } = await (await signedIn(open)).get(path);
    expect(status).toBe(200);
    expect(headers.get("refresh")).toBeNull();
    expect(html).toMatch(/To see this page, open it in a browser with JavaScript, or run askline inbox/);
    expect(html).not.toContain("Ship it?");
  },
);

describe("the forms that answered without script", () => {
  it.each(ENDINGS)("are gone, with how to answer now: %s", async (ending) => {
    const open = await openServer();
    const ask = await open.hub.post(
      ending === "decide"
        ? { approval: { actions: [{ name: "deploy", args: {} }] } }
        : { questions: [question] },
    );
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    const own = await signedIn(open);
    for (const [page, base] of [
      [`/asks/${ask.id}`, own.base],
      [`/a/${link}`, ""],
    ] as const) {
      const { status, html } = await own.submit(`${page}/${ending}`, FIELDS);
      expect([status, html]).toEqual([410, expect.stringContaining(HOW)]);
      expect(html).toContain(`<a href="${base}${page}">Open the question</a>`);
      const program = await call(open, undefined, `POST ${page}/${ending}`, FIELDS);
      expect([refusal(program), program.body.error?.message]).toEqual(["410 gone", HOW]);
    }
    expect((await open.hub.get(ask.id)).status).toBe("pending");
  });

  it("are gone for everyone alike: from other sites, signed out, for an ask that does not exist", async () => {
    const open = await openServer();
    const elsewhere = { origin: "https://evil.example" };
    expect((await browser(open).submit("/asks/ask_none/answer", FIELDS, elsewhere)).status).toBe(410);
    expect((await browser(open).submit("/a/link_x.y/reply", FIELDS)).status).toBe(410);
  });

  it("lead a person who opens their address to the question", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question] });
    const own = await signedIn(open);
    const { status, headers, html } = await own.get(`/asks/${ask.id}/answer`);
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    expect(html).toContain(HOW);
    expect(html).toContain(`<a href="${own.base}/asks/${ask.id}">`);
  });
});

describe("an address that no page has", () => {
  it("is explained to a person in a page, with where to go", async () => {
    const open = await openServer();
    const own = await signedIn(open);
    const nothing = await own.get("/nothing");
    expect([nothing.status, nothing.html]).toEqual([404, expect.stringContaining(`<a href="${own.base}/">`)]);
    expect((await own.get("/v1/nothing")).headers.get("content-type")).toContain("application/json");
    const elsewhere = await own.get(`${open.url}//elsewhere.example/answer`);
    expect([elsewhere.status, elsewhere.html]).toEqual([404, expect.not.stringContaining("elsewhere")]);
    const login = await own.get("/login");
    expect([login.status, login.html]).toEqual([405, expect.stringContaining("form submissions only")]);
  });
});

it("needs more than a cookie for requests of scripts: the page they came from counts too", async () => {
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
