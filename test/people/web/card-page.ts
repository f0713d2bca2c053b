// A page that has nothing but the built card, under a policy that a careful site would have. What breaks the policy,
// what fails and what is asked of any other host is collected, and must be nothing.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { AsklineCard } from "../../../src/people/web/card.ts";
import type { CardAsk } from "../../../src/people/web/types.ts";
import { root } from "../../package/repository.ts";
import { nextFrame, startChromium } from "../../support/chromium.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Card</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="/page.css">
<script type="module" src="/index.js"></script></head><body><main></main></body></html>`;
const STYLE =
  "html{color-scheme:light dark;background:light-dark(#eef0f3,#0e0f11)}body{margin:12px}main{max-width:60rem;margin:auto;display:grid;gap:12px}";

const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", html: "text/html", css: "text/css" };

export interface CardPage {
  readonly page: Page;
  readonly card: Locator;
  /** Everything that went wrong: policy violations, errors, requests to other hosts. */
  readonly faults: readonly string[];
  /** The events of the card so far, with their details. */
  events(): Promise<readonly (readonly [string, Readonly<Record<string, unknown>>])[]>;
}

export interface CardOptions extends BrowserContextOptions {
  readonly properties?: Partial<
    Pick<AsklineCard, "answerOnPick" | "locale" | "person" | "draft" | "previewFrame">
  >;
  readonly policy?: string;
  /** A further address that the page may reach. */
  readonly also?: string;
}

export interface CardBrowser {
  readonly url: string;
  readonly chromium: Browser;
  /** Opens a page without a card, or with one if there is an ask. */
  open(ask?: CardAsk, options?: CardOptions): Promise<CardPage>;
  close(): Promise<void>;
}

export async function startCards(): Promise<CardBrowser> {
  const chromium = await startChromium();
  let policy = POLICY;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://card").pathname;
    const type = TYPES[path.split(".").at(-1) ?? ""] ?? "text/html";
    response.setHeader("content-type", `${type}; charset=utf-8`);
    if (path === "/") response.setHeader("content-security-policy", policy);
    // The client, whose files import each other.
    const contents = path === "/" ? PAGE : path === "/page.css" ? STYLE : file(path);
    response.statusCode = contents === undefined ? 404 : 200;
    response.end(contents);
  });
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    chromium,
    async open(ask, { properties = {}, policy: given = POLICY, also = "", ...options } = {}) {
      policy = given;
      const context = await chromium.newContext({ viewport: { width: 800, height: 900 }, ...options });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("request", (request) => {
        const known = [url, also].some((address) => address !== "" && request.url().startsWith(address));
        if (!/^(data|blob|about):/.test(request.url()) && !known) faults.push(request.url());
      });
      await page.goto(url);
      if (ask !== undefined)
        await page.evaluate(addCard, { ask: ask as object, properties: properties as object });
      const card = page.locator("askline-card").first();
      if (ask !== undefined) await card.locator("#title").waitFor();
      return {
        page,
        card,
        faults,
        events: () =>
          page.evaluate(() => (window as unknown as { events: [string, Record<string, unknown>][] }).events),
      };
    },
    async close() {
      await chromium.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** In the page: adds a card, and collects its events. */
export function addCard({ ask, properties }: { readonly ask: object; readonly properties: object }): void {
  const card = document.createElement("askline-card");
  const page = window as unknown as { events?: unknown[] };
  page.events ??= [];
  for (const name of ["answer", "decide", "decline", "reply", "draft", "settled"]) {
    card.addEventListener(name, (event) => {
      page.events?.push([name, JSON.parse(JSON.stringify((event as CustomEvent).detail))]);
    });
  }
  Object.assign(card, properties, { ask });
  document.querySelector("main")?.append(card);
}

/** Waits until the cards take clicks: they take none within 300 ms after something has appeared in them. */
export async function settle(page: Page): Promise<void> {
  await nextFrame(page);
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        let timer = setTimeout(done, 350);
        const watching = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(done, 350);
        });
        for (const { shadowRoot } of document.querySelectorAll("askline-card")) {
          if (shadowRoot) watching.observe(shadowRoot, { childList: true, subtree: true });
        }
      }),
  );
}

function file(path: string): Buffer | undefined {
  try {
    const inside = normalize(path);
    return readFileSync(join(root, inside.startsWith("/dist/") ? inside : join("dist/people/web", inside)));
  } catch {
    return undefined;
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, "127.0.0.1", done));
}
