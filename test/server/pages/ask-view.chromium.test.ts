import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import type { AskInput } from "../../../src/core/index.ts";
import { fileChromium } from "../../support/file-chromium.ts";
import { closeServers, openServer } from "../open-server.ts";

// The page of one ask without script: Markdown, chips, previews and arguments.

const chromium = fileChromium();
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
  await closeServers();
});

/** Opens an ask by its signed link. What breaks the policy or fails is in `faults`. */
async function show(ask: AskInput): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const open = await openServer();
  const { id } = await open.hub.post(ask);
  const { link } = await open.auth.createLink({ askId: id, person: "ana", expiresIn: 60_000 });
  const page = await (await chromium.newContext({ javaScriptEnabled: false })).newPage();
  pages.push(page);
  const faults: string[] = [];
  page.on("console", (message) => faults.push(message.text()));
  await page.goto(`http://127.0.0.1:${open.port}/a/${link}`);
  return { page, faults };
}

it("renders the context as Markdown, with a chip for each question", async () => {
  const { page, faults } = await show({
    context: "**Bold** and [a link](javascript:alert(1)), <script>alert(2)</script>\n\n- first\n- second",
    questions: [
      { question: "Which database?", header: "Database", options: ["SQLite", "PostgreSQL"] },
      { question: "Which cache?", header: "Cache", options: ["None", "Redis"] },
    ],
  });
  expect(await page.locator(".context strong").textContent()).toBe("Bold");
  expect(await page.locator(".context li").allTextContents()).toEqual(["first", "second"]);
  expect(await page.locator(".context :is(a, script)").count()).toBe(0);
  expect(await page.locator("legend .tag").allTextContents()).toEqual(["Database", "Cache"]);
  expect(faults).toEqual([]);
});

it("shows every action of an approval with its whole arguments, a plan as Markdown", async () => {
  const { page, faults } = await show({
    approval: {
      actions: [
        { name: "shell", args: { command: "echo \\u202e \u202edone", env: { CI: true } } },
        { name: "plan", args: { plan: "# Steps\n\n1. one\n2. two" } },
        { name: "stop", args: {} },
      ],
    },
  });
  expect(await page.locator("legend").allTextContents()).toEqual(["shell", "plan", "stop"]);
  expect(await page.locator("pre").first().textContent()).toBe("echo \\u202e \\u202edone");
  expect(await page.locator("pre mark").allTextContents()).toEqual(["\\u202e"]);
  expect(await page.locator("pre").nth(1).textContent()).toContain('"CI": true');
  expect(await page.locator("fieldset li").allTextContents()).toEqual(["one", "two"]);
  await page.getByText("No arguments.").waitFor();
  expect(faults).toEqual([]);
});

it("renders previews, and an HTML preview cannot run, load, or lead anywhere", async () => {
  const asked: string[] = [];
  const host = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const hostile = `<style>p{width:123px}</style><p>Look</p><META http-equiv=refresh content="0;url=${url}/meta">
    <link rel=stylesheet href="${url}/link"><img src="${url}/img"><iframe src="${url}/frame"></iframe>
    <a href="${url}/a">go</a><script>parent.location="${url}/script"</script><style>@import "${url}/import"</style>`;
  const { page } = await show({
    questions: [
      {
        question: "Which layout?",
        options: [
          { label: "Table", preview: "| a | b |\n|---|---|\n| 1 | 2 |" },
          { label: "Text", preview: { format: "text", content: "plain *text*" } },
          { label: "Page", preview: { format: "html", content: hostile } },
        ],
      },
    ],
  });
  expect(await page.locator(".preview td").allTextContents()).toEqual(["1", "2"]);
  expect(await page.locator(".preview pre").textContent()).toBe("plain *text*");
  const frame = page.locator("iframe").contentFrame();
  await frame.getByText("go").click();
  expect((await frame.getByText("Look").boundingBox())?.width).toBe(123);
  expect(asked).toEqual([]);
  host.closeAllConnections();
  await new Promise((done) => host.close(done));
});
