import { afterEach, describe, expect, it } from "vitest";
import { signedIn } from "../browser.js";
import { closeServers, openServer, question } from "../open-server.js";

afterEach(closeServers);

const MINUTE = 60_000;
const text = (html: string): string => html.replace(/<[^>]*>/g, "");

describe("an inbox with nothing in it", () => {
  it("says so of itself, and not of all questions, where it is a further page", async () => {
    const open = await openServer();
    const asks = [];
    for (let count = 0; count < 21; count += 1) asks.push(await open.hub.post({ questions: [question] }));
    const own = await signedIn(open);
    const next = /href="(\/i\/[\w-]+\/\?after=\d+)"/.exec((await own.get("/")).html)?.[1] ?? "";
    await open.hub.withdraw(asks[20]?.id ?? "");
    const { html } = await own.get(next);
    expect(html).toContain("No more questions are waiting.");
    expect(html).not.toContain("No questions are waiting for you.");
    expect(html).toContain(`<a href="${own.base}/">Back to the first</a>`);
  });

  it("looks again by itself on request, and only while there is nothing to fill in", async () => {
    const open = await openServer();
    const own = await signedIn(open);
    const usual = await own.get("/");
    expect(usual.headers.get("refresh")).toBeNull();
    expect(usual.html).toContain(`href="${own.base}/?look=again"`);
    expect((await own.get("/?look=again")).headers.get("refresh")).toBe("30");
    await open.hub.post({ questions: [question] });
    const found = await own.get("/?look=again");
    expect([found.headers.get("refresh"), found.html]).toEqual([null, expect.stringContaining("Ship it?")]);
  });
});

describe("a time on a page", () => {
  it("is told by the clock too, as the page may be looked at later", async () => {
    const open = await openServer();
    const now = open.clock.now();
    const deadline = now + 5 * MINUTE;
    await open.hub.post({ questions: [question], deadline });
    const { html } = await (await signedIn(open)).get("/");
    const iso = new Date(deadline).toISOString();
    expect(html).toContain(`ends in 5 minutes, <time datetime="${iso}">${iso.slice(11, 16)} UTC</time>`);
    expect(text(html)).toContain(`as of ${new Date(now).toISOString().slice(11, 16)} UTC`);
  });

  it("has its day where that is another, and any that an ask may have", async () => {
    const open = await openServer();
    const deadline = 8_640_000_000_000_000;
    await open.hub.post({ questions: [question], deadline });
    expect(text((await (await signedIn(open)).get("/")).html)).toContain(", +275760-09-13 00:00 UTC");
  });

  it("says what happens then: the end, nothing, or an answer that nobody gave", async () => {
    const open = await openServer();
    const options = [{ label: "Yes", recommended: true }, "No"];
    const timeoutMs = 90 * MINUTE;
    const own = await signedIn(open);
    const shown = async (more: object): Promise<string> => {
      const { id } = await open.hub.post({ questions: [{ ...question, options }], timeoutMs, ...more });
      return text((await own.get(`/asks/${id}`)).html);
    };
    const taken = "then the recommended options are chosen";
    const recommended = await shown({ onDeadline: "recommended" });
    expect(recommended).toMatch(/ends in 1 hour, .*UTC; then the recommended options are chosen/);
    const none = await shown({ onDeadline: "recommended", questions: [question] });
    expect(none).toContain("ends in 1 hour");
    expect(none).not.toContain(taken);
    expect(await shown({ onDeadline: "wait" })).toContain("due in 1 hour");
    expect(await shown({})).not.toContain(taken);
  });
});

describe("a form with something missing", () => {
  it("begins with what, and leads there", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [question, { question: "Why\nnow?" }] });
    const own = await signedIn(open);
    const { html } = await own.submit(`/asks/${ask.id}/answer`, { "pick:q1": "o1" });
    expect(html).toContain("<title>Not saved: ");
    expect(html).toMatch(/role="alert" tabindex="-1" autofocus>/);
    expect(html).toContain(`<li><a href="#${ask.id}-1">Why now?</a> Type an answer.</li>`);
    expect(html).toContain(`<fieldset id="${ask.id}-1" aria-describedby="${ask.id}-1-issue">`);
    expect(html).not.toContain(`href="#${ask.id}-0"`);
  });
});

describe("a question of several lines", () => {
  it("is there once, with its lines", async () => {
    const open = await openServer();
    const ask = await open.hub.post({ questions: [{ ...question, question: "One:\n- a\n- b" }] });
    const { html } = await (await signedIn(open)).get(`/asks/${ask.id}`);
    expect(html).toContain("<h1>One:\n- a\n- b</h1>");
    expect(html).toContain(`<legend><span class="unseen">One:\n- a\n- b </span>`);
  });
});
