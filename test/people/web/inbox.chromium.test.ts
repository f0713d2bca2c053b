import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import { endChromium, type Pages, ready, startPages } from "./inbox-page.ts";

let pages: Pages;
beforeEach(async () => {
  pages = await startPages();
});
afterEach(() => pages.close());
afterAll(endChromium);

const question = (text: string, options: readonly string[] = ["Yes", "No"]): object => ({
  questions: [{ question: text, options }],
});

describe("the inbox page", () => {
  it("shows what waits, moves on after an answer, and shows a new question by itself", async () => {
    const first = await pages.hub.post({
      ...question("Ship it?"),
      session: "s1",
      agentId: "builder",
      metadata: { cwd: "/home/ana/shop-api" },
    });
    const second = await pages.hub.post({ ...question("Tag it?"), session: "s2", agentId: "tagger" });
    const { page, inbox, card, faults } = await pages.open();
    await ready(card, "Ship it?");
    expect(await page.title()).toBe("(2) Askline");
    expect(await inbox.locator(".row").first().textContent()).toContain("shop-api · builder");
    await card.getByText("Yes", { exact: true }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await ready(card, "Tag it?");
    expect((await pages.hub.get(first.id)).outcome).toMatchObject({
      kind: "answered",
      by: { surface: "page" },
    });
    await card.getByText("No", { exact: true }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await page.getByText("All caught up").waitFor();
    expect((await pages.hub.get(second.id)).status).toBe("answered");
    await pages.hub.post(question("And now?"));
    await ready(card, "And now?");
    expect(await page.title()).toBe("(1) Askline");
    expect(await page.locator("link[rel=icon]").getAttribute("href")).toMatch(/^data:image\/png/);
    expect(faults).toEqual([]);
  });

  it("finds by words, session and agent", async () => {
    await pages.hub.post({ ...question("Ship it?"), session: "s1", agentId: "builder" });
    await pages.hub.post({ ...question("Tag it?"), session: "s2", agentId: "tagger" });
    const { page, inbox } = await pages.open();
    const rows = inbox.locator(".row .title");
    await rows.nth(1).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("tag");
    await expect.poll(() => rows.allInnerTexts()).toEqual(["Tag it?"]);
    await inbox.getByLabel("Search").fill("");
    await inbox.getByLabel("Session").selectOption("s1");
    await expect.poll(() => rows.allInnerTexts()).toEqual(["Ship it?"]);
    await inbox.getByLabel("Session").selectOption("");
    await inbox.getByLabel("Agent", { exact: true }).selectOption("tagger");
    await expect.poll(() => rows.allInnerTexts()).toEqual(["Tag it?"]);
  });

  it("is worked by keyboard alone", async () => {
    await pages.hub.post(question("Ship it?"));
    await pages.hub.post({ questions: [{ question: "Which name?" }] });
    const { page, card, inbox } = await pages.open();
    await ready(card, "Ship it?");
    await inbox.locator(".row").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(focused)).toBe("title");
    await page.keyboard.press("1");
    await page.keyboard.press("Control+Enter");
    await ready(card, "Which name?");
    await expect.poll(() => page.evaluate(focused)).toBe("title");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Aurora");
    await page.keyboard.press("Control+Enter");
    await page.getByText("All caught up").waitFor();
  });

  it("works at 360 pixels by touch, and three short options need no scrolling", async () => {
    await pages.hub.post(question("Which colour should the button have?", ["Red", "Green", "Blue"]));
    const { page, card } = await pages.open({
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await ready(card, "Which colour");
    const box = await card.getByText("Blue", { exact: true }).boundingBox();
    expect((box?.y ?? 1_000) + (box?.height ?? 0)).toBeLessThan(640);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await card.getByText("Green", { exact: true }).tap();
    await card.getByRole("button", { name: "Send" }).tap();
    await page.getByText("All caught up").waitFor();
  });

  it("tells the other tab how the ask ended, and lets that person go on", async () => {
    await pages.hub.post(question("Ship it?"));
    await pages.hub.post(question("Tag it?"));
    const [one, two] = [await pages.open(), await pages.open()];
    await ready(one.card, "Ship it?");
    await ready(two.card, "Ship it?");
    await one.card.getByText("Yes", { exact: true }).click();
    await one.card.getByRole("button", { name: "Send" }).click();
    await two.card
      .getByText(/Answered by you/)
      .first()
      .waitFor();
    await two.inbox.getByRole("button", { name: "Next question" }).click();
    await ready(two.card, "Tag it?");
  });

  it("keeps a draft through a reload, and takes one that was begun elsewhere within two seconds", async () => {
    const ask = await pages.hub.post({ questions: [{ question: "Which name?" }] });
    const { page, card } = await pages.open();
    await ready(card, "Which name?");
    await card.locator("textarea").first().fill("Aur");
    const by = { kind: "person", id: "ana", surface: "terminal" } as const;
    const stored = async (): Promise<string> => JSON.stringify(await pages.hub.draft(ask.id, { by })) ?? "";
    await expect.poll(stored).toContain("Aur");
    await page.reload();
    await ready(card, "Which name?");
    expect(await card.locator("textarea").first().inputValue()).toBe("Aur");
    const { token } = await pages.auth.createToken({ role: "person", name: "ana" });
    const terminal = connect({ url: pages.url, token, surface: "terminal" });
    const draft = await terminal.draft(ask.id);
    const later = JSON.parse(
      JSON.stringify(draft)
        .replace(/"Aur"/, '"Aurora"')
        .replace(/"at":\d+/g, `"at":${Date.now() + 1}`),
    );
    await terminal.saveDraft(ask.id, later, { by });
    await expect.poll(() => card.locator("textarea").first().inputValue()).toBe("Aurora");
    await terminal.close();
  });

  it("left a card open whose ask ended while the card was being opened", async () => {
    const { page, inbox, card } = await pages.open({ serviceWorkers: "block" });
    const draft = await hold(page, "**/v1/asks/*/draft");
    const ask = await pages.hub.post(question("Ship it?"));
    await draft.held;
    const by = { kind: "person", id: "bo", surface: "phone" } as const;
    await pages.hub.answer(ask.id, { answers: [{ question: "q1", selected: ["Yes"] }] }, { by });
    await inbox.locator(".row").waitFor({ state: "detached" });
    draft.release();
    await card.getByRole("heading", { name: /^Answered by bo \(phone\)/ }).waitFor();
  });

  it("missed a draft that was saved elsewhere before the page was connected", async () => {
    const { page, base, card } = await pages.open({ serviceWorkers: "block" });
    // For its first listener, the hub repeats the hints of the last second.
    pages.hub.onDraft("bo", () => undefined);
    const ask = await pages.hub.post({ questions: [{ question: "Which name?" }] });
    const stream = await hold(page, "**/v1/events*");
    await page.goto(`${pages.url}${base}/asks/${ask.id}`);
    await ready(card, "Which name?");
    await stream.held;
    const by = { kind: "person", id: "ana", surface: "terminal" } as const;
    const answer = { question: "q1", selected: [], own: true, text: "Aurora", at: 1, surface: "terminal" };
    await pages.hub.saveDraft(ask.id, { version: 1, answers: [answer], decisions: [] }, { by });
    stream.release();
    await expect.poll(() => card.locator("textarea").first().inputValue()).toBe("Aurora");
  });

  it("says that the server is away, keeps the text, and misses nothing", async () => {
    await pages.hub.post({ questions: [{ question: "Which name?" }] });
    const { page, card, inbox } = await pages.open();
    await ready(card, "Which name?");
    await card.locator("textarea").first().fill("Aurora");
    await pages.stop();
    await inbox.getByText(/No connection to the server/).waitFor();
    await pages.hub.post(question("Meanwhile?"));
    await pages.restart();
    await inbox.getByText(/No connection to the server/).waitFor({ state: "detached" });
    await expect
      .poll(() => inbox.locator(".row .title").allInnerTexts())
      .toEqual(["Which name?", "Meanwhile?"]);
    await page.context().setOffline(true);
    await inbox.getByText(/offline/).waitFor();
    await page.context().setOffline(false);
    await inbox.getByText(/offline/).waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Send" }).click();
    await ready(card, "Meanwhile?");
  });

  it("opens without the server, and shows nothing that it kept", async () => {
    await pages.hub.post(question("Ship it?"));
    const { page, card, inbox } = await pages.open();
    await ready(card, "Ship it?");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await pages.stop();
    await page.reload();
    await inbox.getByText(/No connection to the server/).waitFor();
    expect(await inbox.locator(".frame").textContent()).not.toContain("Ship it?");
    const kept = await page.evaluate(async () => {
      const cache = await caches.open((await caches.keys())[0] ?? "");
      return Promise.all(
        (await cache.keys()).map(async (key) => (await (await cache.match(key))?.text()) ?? ""),
      );
    });
    expect(kept.some((text) => text.includes("Ship it?"))).toBe(false);
    await pages.restart();
    await ready(card, "Ship it?");
  });

  it("buried an honest question below hundreds of another agent", async () => {
    for (let index = 0; index < 200; index += 1)
      await pages.hub.post(question(`Ask ${index}?`), { asker: "builder" });
    await pages.hub.post(question("Honest?"), { asker: "shipper" });
    const { inbox, card, faults } = await pages.open();
    await ready(card, "Ask 0?");
    const more = inbox.locator(".row", { hasText: "180 more of builder" });
    await inbox.locator(".scroll").evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await inbox.locator(".row", { hasText: "Honest?" }).click();
    await ready(card, "Honest?");
    await more.click();
    await inbox.locator(".row", { hasText: "Ask 20?" }).waitFor();
    expect(await more.count()).toBe(0);
    await ready(card, "Honest?");
    expect(faults).toEqual([]);
  });

  it("did not open the rest of an agent that works for somebody, and had no key against it", async () => {
    const agent = { asker: "builder", owner: "ana" };
    for (let index = 0; index < 22; index += 1) await pages.hub.post(question(`Ask ${index}?`), agent);
    await pages.hub.post(question("Honest?"), { asker: "shipper" });
    const { page, inbox, card } = await pages.open();
    let muted: readonly object[] = [];
    await page.route("**/v1/notifications", async (route) => {
      const changes = route.request().postDataJSON() ?? {};
      if (changes.mute !== undefined) muted = [changes.mute];
      if (changes.unmute !== undefined) muted = [];
      await route.fulfill({ json: { privacy: "everything", language: "en", muted } });
    });
    await ready(card, "Ask 0?");
    const titles = (): Promise<readonly string[]> => inbox.locator(".row .title").allInnerTexts();
    const row = (text: string) => inbox.locator(".row", { hasText: text });
    await row("Ask 1?").focus();
    await page.keyboard.press("m");
    await inbox.getByText("builder (ana) is muted").waitFor();
    await expect.poll(titles).toEqual(["22 questions of builder (ana), muted", "Honest?"]);
    await row("builder (ana), muted").focus();
    await page.keyboard.press("m");
    await inbox.getByText("no longer muted").waitFor();
    const list = inbox.locator(".scroll");
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await row("2 more of builder (ana)").click();
    await row("Ask 21?").waitFor();
    await list.evaluate((box) => box.scrollTo(0, 0));

    const asked: string[] = [];
    let isSure = false;
    page.on("dialog", async (dialog) => {
      asked.push(dialog.message());
      await (isSure ? dialog.accept() : dialog.dismiss());
    });
    await row("Ask 1?").focus();
    await page.keyboard.press("Shift+D");
    await expect.poll(() => asked).toEqual(["Decline 22 questions of builder (ana)?"]);
    expect((await pages.hub.list({ status: "pending" })).asks).toHaveLength(23);
    isSure = true;
    await page.keyboard.press("Shift+D");
    await inbox.getByText("Declined 22 questions of builder (ana).").waitFor();
    await expect.poll(titles).toEqual(["Honest?"]);
    expect((await pages.hub.list({ status: "pending" })).asks).toHaveLength(1);
  });

  it("lists two thousand asks in a window, within 100 MB", async () => {
    for (let number = 0; number < 2_000; number += 1) await pages.hub.post(question(`Question ${number}?`));
    const { page, inbox, card } = await pages.open();
    await ready(card, "Question 0?");
    await inbox.getByRole("button", { name: "Inbox 2000" }).waitFor();
    expect(await inbox.locator(".row").count()).toBeLessThan(60);
    await inbox.locator(".scroll").evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await inbox.getByText("Question 1999?").waitFor();
    expect(await inbox.locator(".row").count()).toBeLessThan(60);
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
    expect(usedSize).toBeLessThan(100_000_000);
  });
});

/** Holds such requests of a page: `held` resolves with the first one, and `release` lets all of them go on. */
async function hold(
  page: Page,
  url: string,
): Promise<{ readonly held: Promise<void>; readonly release: () => void }> {
  let came: () => void = () => undefined;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    came = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    came();
    await released;
    await route.continue();
  });
  return { held, release };
}

/** In the page: what has the focus, within shadow trees. */
function focused(): string | undefined {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.id;
}

describe("history, devices and signing in", () => {
  it("shows outcomes and the audit, and signs another device out", async () => {
    const ask = await pages.hub.post(question("Ship it?"));
    const by = { kind: "person", id: "ana", surface: "terminal" } as const;
    await pages.hub.answer(ask.id, { answers: [{ question: "q1", selected: ["Yes"] }] }, { by });
    const [one, other] = [await pages.open(), await pages.open()];
    await one.inbox.getByRole("button", { name: "History" }).click();
    await one.inbox.locator(".row").first().click();
    await one.inbox.getByText("you, terminal").waitFor();
    await one.page.reload();
    await one.inbox.getByText("you, terminal").waitFor();
    await one.inbox.getByRole("button", { name: "Devices" }).click();
    await expect.poll(() => one.inbox.locator(".devices li").count()).toBe(2);
    const foreign = one.inbox.locator(".devices li", { hasNotText: "this one" });
    await foreign.getByRole("button").click();
    await expect.poll(() => one.inbox.locator(".devices li").count()).toBe(1);
    await other.page.reload();
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("remembers a decision as a rule, which decides until it is revoked in the page", async () => {
    const run = (command: string, more: object = {}) =>
      pages.hub.post(
        {
          approval: { actions: [{ name: "bash", args: { command }, rules: ["Allow npm in shop"], ...more }] },
          session: "s1",
          metadata: { project: "/home/ana/shop" },
        },
        { asker: "builder" },
      );
    const first = await run("npm test");
    const { page, base, inbox, card, faults } = await pages.open();
    await ready(card, "Approve this action?");
    const remember = card.getByLabel("This decision counts");
    expect(await remember.locator("option").allInnerTexts()).toEqual([
      "Only this time",
      "For this session",
      "Always",
      "Allow npm in shop",
    ]);
    await remember.selectOption("Always");
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByText("All caught up").waitFor();
    expect((await pages.hub.get(first.id)).outcome).toMatchObject({
      decisions: [{ kind: "approve", remember: "always" }],
    });

    const second = await run("npm test");
    const [rule] = await pages.hub.rules.list("ana");
    expect((await pages.hub.get(second.id)).outcome).toMatchObject({
      kind: "decided",
      by: { kind: "policy", rule: rule?.id, madeBy: "ana" },
    });
    await inbox.getByRole("button", { name: "History" }).click();
    await inbox.locator(".row", { hasText: "remembered rule" }).click();
    await inbox.locator(".audit li", { hasText: "remembered rule, made by ana" }).waitFor();

    await inbox.getByRole("button", { name: "Devices" }).click();
    const listed = inbox.locator(".rules li");
    expect(await listed.textContent()).toMatch(
      /Approve bash\s+.*npm test.*\s+agent builder · project \/home\/ana\/shop, as the agent says · every session\s+you, /,
    );
    await listed.getByRole("button", { name: "Revoke the decision about bash" }).click();
    await inbox.getByText("None. When you approve").waitFor();
    const third = await run("npm test");
    expect((await pages.hub.get(third.id)).outcome).toBeUndefined();

    // An action that is for once, and a signed link, offer no rule.
    const plan = await run("plan", { once: true });
    await page.goto(`${pages.url}${base}/asks/${plan.id}`);
    await card.getByText("plan", { exact: true }).waitFor();
    expect(await remember.count()).toBe(0);
    const linked = await run("npm publish");
    const { link } = await pages.auth.createLink({ askId: linked.id, person: "ana", expiresIn: 60_000 });
    await page.goto(`${pages.url}/a/${link}`);
    await card.getByText("npm publish", { exact: true }).waitFor();
    expect(await remember.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("opens the inbox by a used link, or the bare address, in a browser that is signed in", async () => {
    const { page, inbox } = await pages.open();
    const { code } = await pages.auth.createInboxCode("ana");
    await pages.auth.redeemInboxCode(code);
    for (const path of [`/?code=${code}`, "/"]) {
      await page.goto(`${pages.url}${path}`);
      await inbox.locator(".frame").waitFor();
    }
    const stranger = await pages.chromium.newPage();
    await stranger.goto(`${pages.url}/?code=${code}`);
    await stranger.getByText("already used").waitFor();
    await stranger.close();
  });

  it("answers by a signed link, framed by the one origin that the link names", async () => {
    const ask = await pages.hub.post(question("Ship it?"));
    const { token } = await pages.auth.createToken({ role: "admin", name: "root" });
    const admin = connect({ url: pages.url, token });
    await expect(admin.link(ask.id, { person: "ana", frame: "https://a.example/path" })).rejects.toThrow(
      "frame",
    );
    const framed = await admin.link(ask.id, { person: "ana", frame: "https://app.example.com" });
    const plain = await admin.link(ask.id, { person: "ana" });
    const policy = async (url: string): Promise<string> =>
      (await fetch(url)).headers.get("content-security-policy") ?? "";
    expect(await policy(framed.url)).toContain("frame-ancestors https://app.example.com;");
    expect(await policy(plain.url)).toContain("frame-ancestors 'none'");
    const page = await pages.chromium.newPage();
    await page.goto(framed.url);
    const card = page.locator("askline-card");
    await ready(card, "Ship it?");
    await card.getByText("Yes", { exact: true }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await card
      .getByText(/Answered by you/)
      .first()
      .waitFor();
    expect((await pages.hub.get(ask.id)).outcome).toMatchObject({ by: { id: "ana", surface: "link" } });
    await page.close();
    await admin.close();
  });
});
