import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../package/repository.ts";
import { quietTime, startChromium } from "../../support/chromium.ts";

// The component and the hooks in strict mode, with a hub in the page itself as their client.

const PROGRAM = `
import { createElement as h, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { AsklineCard, useAsk, useAskForm, useInbox } from "./dist/people/react/index.js";

const question = (text) => ({ questions: [{ question: text, options: ["Yes", "No"] }] });
const asks = new Map();
const watchers = new Set();
let streams = 0;
const put = (ask) => { asks.set(ask.id, ask); for (const tell of watchers) tell(ask); };
const stored = (id) => ({
  id, status: "pending", createdAt: 1, session: "", allowPartial: false, recipients: [],
  questions: [{ id: "q1", question: "Stored", options: [{ id: "o1", label: "A" }, { id: "o2", label: "B" }], multiSelect: false, freeText: true }],
});
const client = {
  list: async () => ({ asks: [...asks.values()].filter(({ status }) => status === "pending") }),
  async get(id) { if (!asks.has(id)) throw new Error("there is no " + id); return asks.get(id); },
  async *watch(_filter, { signal }) {
    streams += 1;
    const waiting = [];
    let wake = () => {};
    watchers.add((ask) => { waiting.push(ask); wake(); });
    while (!signal.aborted) { while (waiting.length > 0) yield waiting.shift(); await new Promise((done) => { wake = done; }); }
  },
  async settle(id, { type: _, ...answered }, { by }) { put({ ...asks.get(id), status: "answered", outcome: { kind: "answered", ...answered, by } }); return asks.get(id); },
  saveDraft: async () => {}, draft: async () => undefined,
};
// Its draft is long in coming.
const late = { ...client, draft: () => new Promise((done) => { window.bringDraft = done; }) };
put(stored("ask_1"));
const events = [];
Object.assign(window, { events, put, stored, streams: () => streams });

function Form({ name, ask, options }) {
  const { view, dispatch } = useAskForm(ask, options);
  return h("section", { "aria-label": name }, h("output", null, view.phase, " ", String(view.ended?.ours)),
    view.rows.map((row) => row.kind === "option" && h("button", { key: row.key, onClick() {
      dispatch({ type: "pick", row: row.key }); dispatch({ type: "submit" }); } }, row.option.label)));
}

function App() {
  const [renders, setRenders] = useState(0);
  const inbox = useInbox(client);
  const [one, none] = [useAsk(client, "ask_1"), useAsk(client, "ask_9")];
  return h("main", null,
    h("button", { onClick: () => setRenders(renders + 1) }, "Render"),
    // A new object each time, as apps write it.
    h(AsklineCard, { ask: question("Ship?"), className: "n" + renders, onSettled: () => events.push("settled"),
      async onAnswer({ detail }) { events.push(detail.answers); if (events.length === 1) throw new Error("offline"); } }),
    h(Form, { name: "own", ask: question("Own?"), options: { onSubmit: async (sent) => { events.push(sent); } } }),
    h(Form, { name: "stored", ask: stored("ask_1"), options: { client, person: "ana" } }),
    h(Form, { name: "late", ask: stored("ask_3"), options: { client: late, person: "ana" } }),
    h("p", { id: "inbox" }, inbox.loading ? "loading" : inbox.asks.map(({ id }) => id).join(" ")),
    h("p", { id: "one" }, one.ask?.status, " ", none.error?.message));
}
createRoot(document.body.appendChild(document.createElement("div"))).render(h(StrictMode, null, h(App)));
`;

let chromium: Browser;
let server: Server;
let page: Page;
const faults: string[] = [];
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: root },
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "/",
    entryNames: "app",
    define: { "process.env.NODE_ENV": '"development"' },
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]));
  server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.setHeader("content-type", file === undefined ? "text/html" : "text/javascript");
    response.end(
      file ?? `<!doctype html><meta charset="utf-8"><body><script type="module" src="/app.js"></script>`,
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  chromium = await startChromium();
  page = await chromium.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.text().includes("404"))
      faults.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await chromium.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const events = (): Promise<unknown> => page.evaluate("window.events");

it("keeps what was chosen through renders, and sends again after a handler has failed", async () => {
  const card = page.locator("askline-card");
  await card.getByRole("radio", { name: "Yes" }).waitFor();
  await quietTime(page);
  await card.getByRole("radio", { name: "Yes" }).click();
  await page.getByRole("button", { name: "Render" }).click();
  expect(await card.getAttribute("class")).toBe("n1");
  await card.getByRole("button", { name: "Send" }).click();
  await card.getByText("This could not be sent").first().waitFor();
  await card.getByRole("button", { name: "Send" }).click();
  await card.getByRole("heading", { name: /^Answered/ }).waitFor();
  const answers = [{ question: "q1", selected: ["o1"] }];
  expect(await events()).toEqual([answers, answers, "settled"]);
});

it("gives a form of one's own, without a client", async () => {
  const own = page.getByRole("region", { name: "own" });
  await own.getByRole("button", { name: "No" }).click();
  await own.getByText("settled true").waitFor();
  expect(((await events()) as unknown[]).at(-1)).toEqual({
    type: "answer",
    answers: [{ question: "q1", selected: ["o2"] }],
  });
});

it("keeps an ask and the inbox up to date over one stream, and says what cannot be read", async () => {
  await page.locator("#one").getByText("pending there is no ask_9").waitFor();
  expect(await page.locator("#inbox").textContent()).toBe("ask_1");
  await page.evaluate("window.put(window.stored('ask_2'))");
  await page.locator("#inbox").getByText("ask_1 ask_2").waitFor();
  // Somebody else is faster.
  await page.evaluate(
    "window.put({ ...window.stored('ask_1'), status: 'declined', outcome: { kind: 'declined', by: { kind: 'person', id: 'bo', surface: 'x' } } })",
  );
  await page.getByRole("region", { name: "stored" }).getByText("settled false").waitFor();
  await page.locator("#one").getByText("declined").waitFor();
  expect(await page.locator("#inbox").textContent()).toBe("ask_2");
  // One for each of the two clients.
  expect(await page.evaluate("window.streams()")).toBe(2);
  expect(faults).toEqual([]);
});

it("left a form open whose ask ended while its draft was being read", async () => {
  await page.evaluate(
    "window.put({ ...window.stored('ask_3'), status: 'withdrawn', outcome: { kind: 'withdrawn' } })",
  );
  await page.evaluate("window.bringDraft()");
  await page.getByRole("region", { name: "late" }).getByText("settled false").waitFor();
});
