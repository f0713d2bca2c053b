import type { BrowserContext, CDPSession, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { endChromium, type Pages, ready, startPages } from "./inbox-page.ts";

// What a page costs on a slow line, and what is kept of a text when the page goes or the line does.

let pages: Pages;
beforeEach(async () => {
  pages = await startPages();
});
afterEach(() => pages.close());
afterAll(endChromium);

const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const by = { kind: "person", id: "ana", surface: "terminal" } as const;
const NAME = { questions: [{ question: "Which name?" }] };

async function slowPage(
  context: BrowserContext,
): Promise<{ readonly page: Page; readonly line: CDPSession }> {
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.setCacheDisabled", { cacheDisabled: true });
  await line.send("Network.emulateNetworkConditions", SLOW_3G);
  return { page, line };
}

/** The requests of a page in their order, without the path of the inbox. */
function requestsOf(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request: Request) => {
    requests.push(`${request.method()} ${new URL(request.url()).pathname.replace(/^\/i\/[\w-]+/, "")}`);
  });
  return requests;
}

it("sent 202 KB, in a chain of scripts and calls, before the first card", async () => {
  const ask = await pages.hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
  // The service worker would have the files.
  const { page: first, base } = await pages.open({ serviceWorkers: "block" });
  const { page, line } = await slowPage(first.context());
  let bytes = 0;
  line.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const requests = requestsOf(page);
  await page.goto(`${pages.url}${base}/`, { waitUntil: "commit" });
  await page.locator("askline-card #title", { hasText: "Ship it?" }).waitFor();
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(90_000);
  // The page, one script, a list, then the ask and its draft at once.
  const early = requests.slice(0, requests.indexOf("GET /v1/asks")).filter((request) => /^GET/.test(request));
  expect(early).toEqual(["GET /", expect.stringMatching(/^GET \/assets\/app-\w+\.js$/)]);
  const before = requests.slice(0, requests.indexOf(`GET /v1/asks/${ask.id}`));
  expect(before).toContain(`GET /v1/asks/${ask.id}/draft`);
});

it("answered 401 to a signed-in person who opens the bare address, and loaded another page", async () => {
  await pages.hub.post(NAME);
  const { page, base, inbox, card, faults } = await pages.open();
  const loads: string[] = [];
  page.on("framenavigated", (frame) => loads.push(new URL(frame.url()).pathname));
  const response = await page.goto(`${pages.url}/`);
  await ready(card, "Which name?");
  expect([response?.status(), new URL(page.url()).pathname, loads]).toEqual([200, "/", ["/"]]);
  await inbox.locator(".row").first().click();
  await page.waitForURL(`${pages.url}${base}/asks/*`);
  await page.goBack();
  await ready(card, "Which name?");
  expect(faults).toEqual([]);
});

it("shows who is not signed in how to sign in, at the bare address", async () => {
  const page = await pages.chromium.newPage();
  const response = await page.goto(`${pages.url}/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(response?.status()).toBe(200);
  expect(await page.locator("askline-inbox").count()).toBe(0);
  await page.close();
});

it.each([
  ["left for another", (page: Page) => page.goto(`http://localhost:${new URL(pages.url).port}/healthz`)],
  ["loaded again", (page: Page) => page.reload()],
  ["closed", (page: Page) => page.close({ runBeforeUnload: true })],
])("lost what was typed in the last second before a page was %s", async (_, leave) => {
  const ask = await pages.hub.post(NAME);
  const { page, card } = await pages.open();
  await ready(card, "Which name?");
  await card.locator("textarea").first().fill("Aurora");
  await leave(page);
  const stored = async (): Promise<string> => JSON.stringify(await pages.hub.draft(ask.id, { by })) ?? "";
  await expect.poll(stored).toContain("Aurora");
});

it("lost what was typed offline when the page was loaded again", async () => {
  const ask = await pages.hub.post(NAME);
  const { page, base, card, inbox } = await pages.open();
  await ready(card, "Which name?");
  await pages.stop();
  await inbox.getByText(/No connection to the server/).waitFor();
  const field = card.locator("textarea").first();
  await field.fill("Aur");
  // The first save has failed, and is tried again: the rest is typed while nothing is sent.
  await card.page().waitForFunction(() => JSON.stringify({ ...localStorage }).includes("Aur"));
  await field.fill("Aurora");
  await page.goto("about:blank");
  await pages.restart();
  // Meanwhile somebody else at another surface of this person wrote a note, and an older name.
  const elsewhere = { question: "q1", selected: [], own: true, text: "Boreas", at: 1, surface: "terminal" };
  const note = { text: "before Friday", at: 1, surface: "terminal" };
  await pages.hub.saveDraft(ask.id, { version: 1, answers: [elsewhere], decisions: [], note }, { by });
  await page.goto(`${pages.url}${base}/`);
  await ready(card, "Which name?");
  await expect.poll(() => field.inputValue()).toBe("Aurora");
  const stored = async (): Promise<string> => JSON.stringify(await pages.hub.draft(ask.id, { by })) ?? "";
  await expect.poll(stored).toMatch(/Aurora.*before Friday/);
  const kept = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(kept).not.toContain("Aurora");
});

it("keeps nothing that was typed after signing out", async () => {
  await pages.hub.post(NAME);
  const { page, card, inbox } = await pages.open();
  await ready(card, "Which name?");
  await page.route("**/draft", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await card.locator("textarea").first().fill("Aurora");
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("Aurora"));
  await inbox.getByRole("button", { name: "Devices" }).click();
  await inbox.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("Aurora");
});
