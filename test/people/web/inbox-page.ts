// A server with its pages, on disk where it must survive, and people who open them in one Chromium.

import { createServer as createNodeServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { createHub, type Hub, memoryStore, type Store } from "../../../src/hub/index.ts";
import { type Auth, createAuth, createServer } from "../../../src/server/index.ts";
import { quietTime, startChromium } from "../../support/chromium.ts";

export interface Pages {
  readonly hub: Hub;
  readonly auth: Auth;
  readonly url: string;
  readonly chromium: Browser;
  /** Opens the inbox of a person as they would: the printed link, one click. */
  open(options?: OpenOptions): Promise<OpenPage>;
  /** Cuts every connection, as a killed server does. */
  stop(): Promise<void>;
  /** Serves the same store again, on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  readonly person?: string;
}

export interface OpenPage {
  readonly page: Page;
  readonly inbox: Locator;
  readonly card: Locator;
  /** The path of the person's pages, `/i/KEY`. */
  readonly base: string;
  /** Policy violations, errors and requests to other hosts; network errors only while the server was there. */
  readonly faults: string[];
}

let shared: Promise<Browser> | undefined;

export async function startPages(): Promise<Pages> {
  shared ??= startChromium();
  const chromium = await shared;
  const store: Store = memoryStore();
  const hub = await createHub({ store });
  const auth = createAuth({ records: store.records, now: () => store.now() });
  let server = createServer({ hub, auth });
  let node = await listen(server, 0);
  const { port } = node.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const contexts: { close(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    node.closeAllConnections();
    await new Promise((done) => node.close(done));
    await server.close();
  };
  return {
    ...{ hub, auth, url, chromium, stop },
    async open({ person = "ana", ...options } = {}) {
      const context = await chromium.newContext({ viewport: { width: 1200, height: 800 }, ...options });
      contexts.push(context);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        const isNetwork = /ERR_|Failed to load resource/.test(message.text());
        if (["error", "warning"].includes(message.type()) && !isNetwork) faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("request", (request) => {
        if (!/^(data|blob|about):/.test(request.url()) && !request.url().startsWith(url))
          faults.push(request.url());
      });
      const { code } = await auth.createInboxCode(person);
      await page.goto(`${url}/?code=${code}`);
      await page.getByRole("button", { name: "Open your inbox" }).click();
      if (options.javaScriptEnabled !== false) await page.locator("askline-inbox .frame").waitFor();
      const base = /\/i\/[\w-]+/.exec(page.url())?.[0] ?? "";
      return { page, base, faults, inbox: page.locator("askline-inbox"), card: page.locator("askline-card") };
    },
    async restart() {
      server = createServer({ hub, auth });
      node = await listen(server, port);
    },
    async close() {
      for (const context of contexts) await context.close();
      await stop();
      await hub.close();
    },
  };
}

/** Once all test files of this process have ended. */
export async function endChromium(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

/** Waits until the card shows this, and takes clicks: it takes none in the first 300 ms. */
export async function ready(card: Locator, title: string | RegExp): Promise<void> {
  await card.locator("#title", { hasText: title }).waitFor();
  await quietTime(card.page());
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<Server> {
  const node = createNodeServer();
  server.attach(node);
  await new Promise<void>((done) => node.listen(port, "127.0.0.1", done));
  return node;
}
