import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { connect } from "../../src/client/index.ts";
import { root } from "../package/repository.ts";
import { quietTime } from "../support/chromium.ts";
import { fileChromium } from "../support/file-chromium.ts";
import { endProcesses, run, start } from "./processes.ts";
import { removeFolders, serve } from "./servers.ts";

// The examples of docs/embed.md, as they are.

const chromium = fileChromium();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  endProcesses();
  removeFolders();
});

async function open(
  url: string,
  options: BrowserContextOptions & { readonly user?: string } = {},
): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const { user, ...rest } = options;
  const context = await chromium.newContext(rest);
  closing.push(() => context.close());
  if (user !== undefined) await context.addCookies([{ name: "user", value: user, url: new URL(url).origin }]);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(url);
  return { page, faults };
}

it("shows the card in a plain HTML file, which any web server can serve", async () => {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://files").pathname;
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    const file = createReadStream(join(root, path)).on("error", () => response.writeHead(404).end());
    file.once("open", () => file.pipe(response.setHeader("content-type", type)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { page } = await open(`http://127.0.0.1:${port}/examples/card-html/index.html`);
  await page.getByRole("radio", { name: "Staging" }).waitFor();
  await quietTime(page);
  await page.getByRole("radio", { name: "Staging" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { name: /^Answered/ }).waitFor();
  await expect.poll(() => sent(page)).toEqual([{ question: "q1", selected: ["o1"] }]);
});

it("shows the single file in a sandbox, opened from the disk", async () => {
  const { page, faults } = await open(pathToFileURL(join(root, "examples/card-html/offline.html")).href);
  const frame = page.locator("iframe").contentFrame();
  await frame.getByText("npm publish --tag next").waitFor();
  await quietTime(page);
  await frame.getByRole("button", { name: "Approve", exact: true }).click();
  await frame.getByRole("heading", { name: /^Decided/ }).waitFor();
  await expect.poll(() => sent(page)).toEqual([{ action: "a1", kind: "approve" }]);
  expect(faults).toEqual([]);
});

it("lets a user of a React app answer on a server of another origin, with a short-lived token", async () => {
  const files = mkdtempSync(join(tmpdir(), "askline-app-"));
  closing.push(() => rmSync(files, { recursive: true, force: true }));
  const app = join(root, "examples/card-react");
  // The port of the app is known before it is started, since the server allows its origin.
  const { url: origin, port } = await freeOrigin();
  const [built, askline] = await Promise.all([
    run(join(root, "node_modules/vite/bin/vite.js"), ["build", app, "--outDir", files, "--emptyOutDir"]),
    serve(undefined, { args: ["--allow-origin", origin] }),
  ]);
  expect(built.code, built.stderr).toBe(0);
  const admin = (await askline.run(["token", "create", "--role", "admin", "--name", "app"])).stdout.trim();
  const host = start(join(app, "host.mjs"), [], {
    env: { ASKLINE_URL: askline.url, ASKLINE_ADMIN_TOKEN: admin, PORT: String(port), FILES: files },
  });
  await host.prints("\n");
  const agent = connect({
    url: askline.url,
    token: await tokenOf(askline.url, admin, { role: "agent", name: "shop-agent" }),
  });
  closing.push(() => agent.close());

  const refund = agent.ask({
    questions: [{ question: "Refund the order?", options: ["Yes", "No"] }],
    recipients: ["ana"],
  });
  const { page, faults } = await open(origin, { user: "ana" });
  await page.getByRole("heading", { name: "1 waiting for you" }).waitFor();
  await page.getByRole("radio", { name: "No" }).waitFor();
  await quietTime(page);
  await page.getByRole("radio", { name: "No" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  expect(await refund).toMatchObject({ kind: "answered", by: { id: "ana", surface: "card" } });
  await page.getByRole("heading", { name: /^Answered by you/ }).waitFor();
  await page.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();

  const quick = agent.ask({
    questions: [{ question: "Ship today?", options: ["Yes", "No"] }],
    session: "quick",
  });
  await page.getByRole("group", { name: "Ship today?" }).getByRole("button", { name: "Yes" }).click();
  expect(await quick).toMatchObject({
    kind: "answered",
    answers: [{ selected: ["o1"] }],
    by: { id: "ana", surface: "our-app" },
  });

  await page.goto(`${origin}/#inbox`);
  await page.reload();
  void agent.ask({ questions: [{ question: "In the inbox?" }] }).catch(() => undefined);
  await page.locator("askline-inbox").getByText("In the inbox?").first().waitFor();
  expect(faults).toEqual([]);
});

it("serves a Fetch route handler under a Node host of ten lines", async () => {
  const host = start(join(root, "examples/fetch-route/host.mjs"), []);
  const url = (await host.prints("\n")).trim();
  const { page } = await open(url, { user: "ana" });
  await page.getByRole("radio", { name: "Yes" }).waitFor();
  await quietTime(page);
  await page.getByRole("radio", { name: "Yes" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  expect(await host.prints("answered")).toContain("answered by ana: Yes\n");
});

/** What the page got from its card. A frame shows the end of its ask a moment before its page hears of it. */
async function sent(page: Page): Promise<unknown> {
  const text = (await page.locator("output").textContent()) ?? "";
  return text.startsWith("[") ? JSON.parse(text) : text;
}

async function freeOrigin(): Promise<{ readonly url: string; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return { url: `http://127.0.0.1:${port}`, port };
}

async function tokenOf(url: string, admin: string, body: object): Promise<string> {
  const response = await fetch(`${url}/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { readonly token: string }).token;
}
