// A hub with its server, for cards in a page of another origin, each with a client of the package and a token of its
// person.

import { createServer as createNodeServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions } from "playwright-core";
import { createHub, type Hub, memoryStore } from "../../../../src/hub/index.ts";
import { createAuth, createServer } from "../../../../src/server/index.ts";
import type { CardBrowser, CardPage } from "../card-page.ts";

export interface CardHub {
  readonly hub: Hub;
  readonly url: string;
  /** A page with `window.client`, connected as this person, and without a card. */
  open(person: string, options?: BrowserContextOptions): Promise<CardPage>;
  close(): Promise<void>;
}

export async function startCardHub(cards: CardBrowser): Promise<CardHub> {
  const store = memoryStore();
  const hub = await createHub({ store });
  const auth = createAuth({ records: store.records, now: () => store.now() });
  const server = createServer({ hub, auth, allowedOrigins: [cards.url.replace(/\/$/, "")] });
  const node = createNodeServer();
  server.attach(node);
  await new Promise<void>((done) => node.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const pages: CardPage[] = [];
  return {
    hub,
    url,
    async open(person, options) {
      const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${url}; frame-src ${url}`;
      const opened = await cards.open(undefined, { policy, also: url, ...options });
      pages.push(opened);
      const { token } = await auth.createToken({ role: "person", name: person });
      await opened.page.evaluate(`(async () => {
        const { connect } = await import("/dist/client/index.js");
        window.client = connect(${JSON.stringify({ url, token })});
      })()`);
      return opened;
    },
    async close() {
      for (const { page } of pages) await page.context().close();
      await server.close();
      node.closeAllConnections();
      await new Promise((done) => node.close(done));
      await hub.close();
    },
  };
}

/** Shows an ask in the page of `open`, in the place of what was there. */
export async function showCard(
  { page, card }: CardPage,
  properties: Readonly<Record<string, unknown>>,
): Promise<void> {
  await page.evaluate((given) => {
    for (const before of document.querySelectorAll("askline-card")) before.remove();
    const added = document.createElement("askline-card");
    Object.assign(added, { client: (window as unknown as { client: object }).client }, given);
    document.querySelector("main")?.append(added);
  }, properties);
  await card.locator("#title").waitFor();
}
