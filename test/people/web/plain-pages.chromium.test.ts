import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { violations } from "./card/look.ts";
import { endChromium, type Pages, startPages } from "./inbox-page.ts";

// The pages without script: accessible, light and dark, and no wider than a phone.

let pages: Pages;
let page: Page;
/** A page with script, in which axe runs: it shows a copy of what the other one has. */
let copy: Page;
let base: string;
beforeAll(async () => {
  pages = await startPages();
  const options = {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  };
  // Signs in without script.
  ({ page, base } = await pages.open(options));
  copy = await (await pages.chromium.newContext({ viewport: options.viewport })).newPage();
});
afterAll(async () => {
  await copy.context().close();
  await pages.close();
  await endChromium();
});

async function check(place: string): Promise<void> {
  const shown = await page.content();
  // With script, the page would be hidden until the script has replaced it.
  await copy.setContent(
    shown.replaceAll(/<script[^>]*><\/script>/g, "").replaceAll(" data-page=", " data-was="),
  );
  const light = await violations(copy);
  await copy.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(copy, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
  await copy.emulateMedia({ colorScheme: "light" });
  expect([...light, ...dark], place).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(360);
}

it("says how to answer a question, on its page and by its link", async () => {
  const long = `Which of these? ${"x".repeat(200)}`;
  const ask = await pages.hub.post({ questions: [{ question: long }], agentId: "builder" });
  const { link } = await pages.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
  for (const path of [`${base}/asks/${ask.id}`, `/a/${link}`]) {
    await page.goto(`${pages.url}${path}`);
    await page.getByRole("heading", { name: long }).waitFor();
    await page.getByText("from builder").waitFor();
    await page.getByText(/^To answer, open the question in a browser with JavaScript/).waitFor();
    expect(await page.locator("main").locator("form, input, button").count()).toBe(0);
    await check(path);
  }
});

it("says of the inbox that it needs script, explains errors, and signs out", async () => {
  await page.goto(`${pages.url}${base}/`);
  await page
    .getByRole("heading", { name: /^To see this page, open it in a browser with JavaScript/ })
    .waitFor();
  await check("the inbox");
  await page.goto(`${pages.url}${base}/asks/ask_none`);
  await page.getByText("There is nothing here, or it is not meant for you.").waitFor();
  await check("an error");
  await page.goto(`${pages.url}${base}/`);
  await page.getByRole("button", { name: "Sign out" }).tap();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await check("signing in");
});
