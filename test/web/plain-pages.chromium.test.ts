import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AskInput } from "../../src/core/index.ts";
import { violations } from "./card/look.ts";
import { endChromium, type Pages, startPages } from "./inbox-page.ts";

// The pages without script: accessible in every state, light and dark, and no wider than a phone.

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
  ({ page, base } = await pages.open(options));
  copy = await (await pages.chromium.newContext({ viewport: options.viewport })).newPage();
});
afterAll(async () => {
  await copy.context().close();
  await pages.close();
  await endChromium();
});

const QUESTIONS: AskInput = {
  agentId: "builder",
  context: "The API has **no** middleware.\n\n```ts\nconst a = 1;\n```",
  timeoutMs: 600_000,
  allowPartial: true,
  questions: [
    {
      question: "Which authentication?",
      header: "Auth",
      options: [
        {
          label: "OAuth",
          description: "An account they have",
          recommended: true,
          preview: "| a | b |\n|---|---|\n| 1 | 2 |",
        },
        { label: "Key", preview: { format: "html", content: "<p>Key</p>" } },
        { label: "None", preview: { format: "text", content: "plain" } },
      ],
    },
    { question: "Which regions?", header: "Regions", multiSelect: true, minPicks: 2, options: ["EU", "US"] },
    { question: "Why?", options: [] },
  ],
};
const COMMAND = {
  name: "Bash",
  description: "Cleans",
  args: { command: "rm -rf \u200bdist", env: { A: "1" } },
};

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
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("main :is(button, select, textarea, input[type=text], .option > label)")]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
      .map(({ outerHTML }) => outerHTML.slice(0, 100)),
  );
  expect(small, place).toEqual([]);
}

async function open(ask: AskInput): Promise<string> {
  const { id } = await pages.hub.post(ask);
  const { link } = await pages.auth.createLink({ askId: id, person: "ana", expiresIn: 60_000 });
  await page.goto(`${pages.url}/a/${link}`);
  return id;
}

it("asks several questions, says what is missing at each, and shows the answers", async () => {
  const id = await open({ ...QUESTIONS, allowPartial: false });
  await check("questions");
  await page.getByRole("button", { name: "Send" }).first().tap();
  await page.locator(".issue").first().waitFor();
  await check("questions without answers");
  await page.getByRole("radio", { name: /^Key/ }).check();
  for (const region of ["EU", "US"]) await page.getByRole("checkbox", { name: region }).check();
  await page.locator('textarea[name^="text:"]').last().fill("Because");
  await page.getByRole("button", { name: "Send" }).first().tap();
  await page
    .getByText(/answered/i)
    .first()
    .waitFor();
  await check("answers");
  expect((await pages.hub.get(id)).outcome).toMatchObject({
    kind: "answered",
    answers: [{ selected: ["o2"] }, { selected: ["o1", "o2"] }, { text: "Because" }],
  });
});

it("asks for an approval, for how long it counts, and decides", async () => {
  const { id } = await pages.hub.post({ approval: { actions: [{ ...COMMAND, rules: ["Bash(rm:*)"] }] } });
  await page.goto(`${pages.url}${base}/`);
  const card = page.locator("details.card", { hasText: "Bash" });
  if (!(await card.getByRole("combobox").isVisible())) await card.locator("> summary").tap();
  await check("an approval");
  await page.getByRole("combobox").selectOption({ label: "Always" });
  await page.getByRole("radio", { name: "Approve with changes", exact: true }).check();
  await page.getByRole("button", { name: "Send" }).first().tap();
  await page
    .locator(".issue")
    .getByText(/^Changed arguments count only this time/)
    .waitFor();
  await check("changed arguments that cannot be remembered");
  await page.getByRole("combobox").selectOption({ label: "Bash(rm:*)" });
  await page.getByRole("radio", { name: "Reject", exact: true }).check();
  await page.getByRole("button", { name: "Send" }).first().tap();
  await page
    .locator(".issue")
    .getByText(/^Only an approval makes the agent’s own rule/)
    .waitFor();
  await page.getByRole("combobox").selectOption({ label: "Always" });
  await page.getByRole("radio", { name: "Approve", exact: true }).check();
  await page.getByRole("button", { name: "Send" }).first().tap();
  await page
    .getByText(/decided/i)
    .first()
    .waitFor();
  await check("a decision");
  expect((await pages.hub.get(id)).outcome).toMatchObject({
    decisions: [{ kind: "approve", remember: "always" }],
  });
});
