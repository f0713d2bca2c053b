// `askline serve` is killed under open tabs, and another program takes its port.

import type { Locator, Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../src/client/index.js";
import type { Outcome } from "../../src/index.js";
import { until } from "../server/open-server.ts";
import { quietTime } from "../support/chromium.ts";
import { fileChromium } from "../support/file-chromium.ts";
import { runHere } from "./in-process.ts";
import { endProcesses } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";
import { closeThieves, steal, type Thief } from "./thief.ts";

const chromium = fileChromium();
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  closeThieves();
  endProcesses();
  removeFolders();
});

function agentOf({ url, data }: ServeProcess): Client {
  const client = connect({ url, token: readCredentials(data, url)?.agent ?? "" });
  clients.push(client);
  return client;
}

async function stolen(open: ServeProcess): Promise<Thief> {
  open.running.child.kill("SIGKILL");
  await open.running.ended;
  return steal(open.url);
}

/**
 * A tab may ask for the proof, and for a script that it loads late and does not run: no cookie, no key of the inbox, no
 * link, nothing that was typed.
 */
async function expectOnlyProofs({ received }: Thief, page: Page): Promise<void> {
  const harmless = /^GET \/(proof\?id=[\w-]{43}&nonce=[\w-]+|assets\/[\w-]+\.js)\n/;
  expect(received.filter((text) => !harmless.test(text))).toEqual([]);
  expect(received.filter((text) => /cookie\n|\/i\/|link_|authorization/i.test(text))).toEqual([]);
  expect(await page.evaluate("globalThis.stolen")).toBeUndefined();
}

/** The outcome. A page that has given up on a slow machine lets the person send again. */
async function sent(card: Locator, client: Client, id: string): Promise<Outcome> {
  const send = card.getByRole("button", { name: "Send" });
  return until(async () => {
    const { outcome } = await client.get(id);
    if (outcome === undefined && (await send.isVisible()))
      await send.click({ timeout: 1_000 }).catch(() => undefined);
    return outcome;
  });
}

const SHIP = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }], session: "s" };

async function openInbox(open: ServeProcess): Promise<Page> {
  const page = await chromium.newPage();
  await page.goto(open.inbox);
  await page.getByRole("button", { name: "Open your inbox" }).click();
  await page.locator("askline-inbox").getByText("Ship it?").first().waitFor();
  // The service worker has the files that are loaded later.
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  return page;
}

it("an open inbox gave its cookie and its key to the program that took the port", async () => {
  const open = await serve(newFolder());
  const { id } = await agentOf(open).post(SHIP);
  const page = await openInbox(open);
  await page.getByText("Ship it?").first().click();
  const card = page.locator("askline-card");
  await card.getByRole("radio", { name: "Yes" }).waitFor();
  await quietTime(page);
  await card.getByRole("radio", { name: "Yes" }).click();

  const thief = await stolen(open);
  await page.getByText(/No connection to the server/).waitFor();
  await quietTime(page);
  await card.getByRole("button", { name: "Send" }).click();
  await page.evaluate(`window.dispatchEvent(new Event("focus"))`);
  await thief.asked(2);
  await expectOnlyProofs(thief, page);

  await thief.close();
  const real = await serve(open.data, { port: new URL(open.url).port });
  await page.getByText(/No connection to the server/).waitFor({ state: "detached" });
  expect(await sent(card, agentOf(real), id)).toMatchObject({ kind: "answered" });
  await agentOf(real).post({ questions: [{ question: "And now?", options: ["Yes", "No"] }] });
  await page.getByText("And now?").first().waitFor();
  await page.close();
}, 60_000);

it("a page that was kept for a server that is down did the same", async () => {
  const open = await serve(newFolder());
  await agentOf(open).post(SHIP);
  const page = await openInbox(open);
  open.running.child.kill("SIGKILL");
  await open.running.ended;
  await page.reload();
  await page.getByText(/No connection to the server/).waitFor();
  const thief = await steal(open.url);
  await thief.asked(2);
  await expectOnlyProofs(thief, page);
  await thief.close();
  await serve(open.data, { port: new URL(open.url).port });
  await page.locator("askline-inbox").getByText("Ship it?").first().waitFor();
  await page.close();
}, 60_000);

/** The page of a signed link to a new ask, with its card. It has no service worker. */
async function openLink(open: ServeProcess): Promise<{ readonly page: Page; readonly id: string }> {
  const { id } = await agentOf(open).post(SHIP);
  const made = await runHere(["token", "create", "--role", "admin", "--name", "root", "--json"], {
    env: open.env,
  });
  const { token } = JSON.parse(made.stdout) as { readonly token: string };
  const response = await fetch(`${open.url}/v1/asks/${id}/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ person: "ana" }),
  });
  const { url } = (await response.json()) as { readonly url: string };
  const page = await chromium.newPage();
  await page.goto(url);
  await page.locator("askline-card").getByRole("radio", { name: "Yes" }).waitFor();
  return { page, id };
}

it("an open signed link gave itself away", async () => {
  const open = await serve(newFolder());
  const { page, id } = await openLink(open);
  const card = page.locator("askline-card");
  await quietTime(page);
  await card.getByRole("radio", { name: "Yes" }).click();
  const thief = await stolen(open);
  await thief.asked(1);
  await quietTime(page);
  await card.getByRole("button", { name: "Send" }).click();
  await thief.asked(1);
  await expectOnlyProofs(thief, page);
  await thief.close();
  const real = await serve(open.data, { port: new URL(open.url).port });
  expect(await sent(card, agentOf(real), id)).toMatchObject({ kind: "answered", by: { surface: "link" } });
  await page.close();
}, 60_000);

it("an open chat did the same", async () => {
  const open = await serve(newFolder());
  await agentOf(open).openSession({ sessionId: "s" });
  const inbox = await chromium.newPage();
  await inbox.goto(open.inbox);
  await inbox.getByRole("button", { name: "Open your inbox" }).click();
  await inbox.waitForURL(/\/i\//);
  await inbox.goto(`${new URL(inbox.url()).origin}${/\/i\/[\w-]+/.exec(inbox.url())?.[0]}/chat/s`);
  await inbox.locator("askline-chat").waitFor();
  await inbox.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  const thief = await stolen(open);
  await thief.asked(2);
  await expectOnlyProofs(thief, inbox);
  await inbox.close();
}, 60_000);

it("an open page ran a script that it loaded from the program that took the port", async () => {
  const open = await serve(newFolder());
  const { page } = await openLink(open);
  const map = (await page.locator("script[type=importmap]").textContent()) ?? "";
  const { integrity } = JSON.parse(map) as { readonly integrity: Readonly<Record<string, string>> };
  const thief = await stolen(open);
  await thief.asked(1);
  const load = (path: string): Promise<unknown> =>
    page.evaluate(`import(${JSON.stringify(path)}).then(() => "ran", () => "refused")`);
  const results = await Promise.all(Object.keys(integrity).map(load));
  const asked = thief.received.filter((text) => text.startsWith("GET /assets/"));
  expect(asked.length).toBeGreaterThan(5);
  expect(results.filter((result) => result === "refused").length).toBeGreaterThanOrEqual(asked.length);
  await expectOnlyProofs(thief, page);
  await page.close();
}, 60_000);
