// Takes the pictures of docs/web.md from a running server: node scripts/capture-pages.mjs. Beside each picture, a file
// with the text of the screen goes to the folder given as an argument, to read what the picture shows.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer as createNodeServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { createHub, memoryStore } from "../dist/hub/index.js";
import { createAuth, createServer } from "../dist/server/index.js";
import { openSession } from "../dist/sessions/index.js";
import { findChromium } from "./prerequisites/chromium.mjs";
import { root } from "./run.mjs";

const [texts] = process.argv.slice(2);
const PHONE = { viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1120, height: 720 } };

const store = memoryStore();
const hub = await createHub({ store });
const auth = createAuth({ records: store.records, now: () => store.now() });
const server = createServer({ hub, auth });
const node = createNodeServer();
server.attach(node);
await new Promise((done) => node.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${node.address().port}`;
await ask();

const browser = await chromium.launch({
  executablePath: findChromium(),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  await take("inbox-light", DESK);
  await take("inbox-phone", PHONE);
  await take("inbox-dark-phone", { ...PHONE, colorScheme: "dark" }, async (page) => {
    await page.locator("askline-inbox .fold").click();
  });
  await take("chat-light", { viewport: { width: 960, height: 980 } }, async (page, base) => {
    await page.goto(`${url}${base}/chat/orders-report`);
    await page.getByRole("heading", { name: "Who should get it?" }).waitFor();
  });
} finally {
  await browser.close();
  node.closeAllConnections();
  node.close();
  await server.close();
  await hub.close();
}

async function take(name, options, then) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const { code } = await auth.createInboxCode("ana");
  await page.goto(`${url}/?code=${code}#open`);
  await page.locator("askline-card h2").first().waitFor();
  await then?.(page, /\/i\/[\w-]+/.exec(page.url())[0]);
  // Fonts, Markdown and the mark of a waiting agent.
  await page.waitForTimeout(1_200);
  const path = join(root, "docs/images", `${name}.png`);
  await page.screenshot({ path });
  console.log(path);
  if (texts !== undefined) {
    mkdirSync(texts, { recursive: true });
    writeFileSync(join(texts, `${name}.txt`), await page.locator("body").ariaSnapshot());
  }
  await context.close();
}

async function ask() {
  const waiting = (request) => void hub.ask(request).catch(() => undefined);
  waiting({
    ...{
      session: "checkout",
      agentId: "builder",
      metadata: { cwd: "/home/ana/shop-api" },
      timeoutMs: 2_400_000,
    },
    context: "The service keeps about **1,000 orders** a day.",
    questions: [
      {
        question: "Which database should the new service use?",
        header: "Database",
        options: [
          { label: "PostgreSQL", description: "Several servers can share it", recommended: true },
          { label: "SQLite", description: "One file, nothing to install" },
        ],
      },
    ],
  });
  await hub.post({
    ...{ session: "release", agentId: "release-bot", metadata: { cwd: "/srv/website" } },
    approval: { actions: [{ name: "run_command", args: { command: "npm publish" } }] },
  });
  await hub.post({
    ...{ session: "release", agentId: "release-bot", metadata: { cwd: "/srv/website" } },
    questions: [
      { question: "Which checks must pass before a release?", multiSelect: true, options: ["Unit", "Load"] },
      { question: "What should the release be called?" },
    ],
  });
  const session = await openSession({ hub, sessionId: "orders-report", asker: "reporter" });
  await session.user("Write me a report about last month.");
  await session.thinking("What should it be about?");
  await session.toolUse({ id: "t1", name: "read_orders", message: "Reading last month's orders" });
  await session.toolResult({ id: "t1" });
  await session.ask([{ question: "What should the report be about?", options: ["Revenue", "Returns"] }], {
    onAsked: ({ askId }) =>
      void hub.answer(
        askId,
        { answers: [{ question: "q1", selected: ["Returns"] }] },
        { by: { kind: "person", id: "ana", surface: "page" } },
      ),
  });
  await session.toolUse({ id: "t2", name: "count_returns", message: "Counting the returns" });
  await session.toolResult({ id: "t2" });
  await session.text("There were **312 returns**, most of them because something was too small.");
  void session
    .ask([{ question: "Who should get it?", options: ["Sales", "Everybody"] }], { timeoutMs: 2_400_000 })
    .catch(() => undefined);
}
