// The pictures of docs/web.md: the inbox and a conversation, from a running server.
import { createServer as createNodeServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../run.mjs";

const PHONE = { viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1120, height: 720 } };

export const pagePictures = [
  { name: "inbox-light", take: taking(DESK) },
  { name: "inbox-phone", take: taking(PHONE) },
  {
    name: "inbox-dark-phone",
    take: taking({ ...PHONE, colorScheme: "dark" }, (page) => page.locator("askline-inbox .fold").click()),
  },
  {
    name: "chat-light",
    take: taking({ viewport: { width: 960, height: 980 } }, async (page, base) => {
      await page.goto(`${base}/chat/orders-report`);
      await page.getByRole("heading", { name: "Who should get it?" }).waitFor();
    }),
  },
];

function taking(options, then) {
  return async (browser, shoot) => {
    const { url, auth, close } = await openServer();
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      // Ages and times left stay what they are at the start, however long the picture takes.
      await page.clock.setFixedTime(new Date());
      const { code } = await auth.createInboxCode("ana");
      await page.goto(`${url}/?code=${code}#open`);
      await page.locator("askline-card h2").first().waitFor();
      await then?.(page, `${url}${/\/i\/[\w-]+/.exec(page.url())[0]}`);
      // Fonts, Markdown and the mark of a waiting agent.
      await page.waitForTimeout(1_200);
      return { text: await page.locator("body").ariaSnapshot(), png: shoot && (await page.screenshot()) };
    } finally {
      await context.close();
      await close();
    }
  };
}

async function openServer() {
  const { createHub, memoryStore } = await fromDist("hub");
  const { createAuth, createServer } = await fromDist("server");
  const store = memoryStore();
  const hub = await createHub({ store });
  const auth = createAuth({ records: store.records, now: () => store.now() });
  const server = createServer({ hub, auth });
  const node = createNodeServer();
  server.attach(node);
  await new Promise((done) => node.listen(0, "127.0.0.1", done));
  await post(hub);
  return {
    url: `http://127.0.0.1:${node.address().port}`,
    auth,
    async close() {
      node.closeAllConnections();
      node.close();
      await server.close();
      await hub.close();
    },
  };
}

function fromDist(folder) {
  return import(pathToFileURL(join(root, "dist", folder, "index.js")).href);
}

async function post(hub) {
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
  const { openSession, takeMessage } = await fromDist("agents/sessions");
  const session = await openSession({ hub, sessionId: "orders-report", asker: "reporter" });
  const prompt = { type: "message", text: "Write me a report about last month." };
  await takeMessage(hub, "orders-report", prompt, { by: { kind: "person", id: "ana", surface: "page" } });
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
