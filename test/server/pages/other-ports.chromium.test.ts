import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../support/chromium.ts";
import { LAN_HOST } from "../../support/chromium-server.ts";
import { call, closeServers, type OpenServer, openServer, question, refusal, yes } from "../open-server.ts";

let chromium: Browser;
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium.close();
});

/** A dev server on another port of the same host, whose page attacks the inbox. */
interface OtherPort {
  readonly url: (host: string) => string;
  /** The cookies that it received, one entry a request. */
  readonly cookies: readonly string[];
  page: string;
  close(): void;
}
const others: OtherPort[] = [];

async function openOtherPort(): Promise<OtherPort> {
  const cookies: string[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    cookies.push(incoming.headers.cookie ?? "");
    outgoing.writeHead(200, { "content-type": "text/html" }).end(other.page);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const other: OtherPort = {
    url: (host) => `http://${host}:${port}/`,
    cookies,
    page: "<title>dev server</title>",
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  others.push(other);
  return other;
}

afterEach(async () => {
  for (const other of others.splice(0)) other.close();
  await closeServers();
});

async function signIn(open: OpenServer, page: Page, host: string): Promise<void> {
  const { code } = await open.auth.createInboxCode("ana");
  await page.goto(`http://${host}:${open.port}/?code=${code}`);
  await page.getByRole("button", { name: "Open your inbox" }).click();
  await page.getByText(/^Devices$/).waitFor();
}

describe.each(["127.0.0.1", "localhost", LAN_HOST])("the inbox on %s", (host) => {
  const visit = async (): Promise<{ readonly context: BrowserContext; readonly page: Page }> => {
    const context = await chromium.newContext();
    return { context, page: await context.newPage() };
  };

  it("gave its cookie to every other port of the host, which approved as the person", async () => {
    const open = await openServer({ allowedHosts: [LAN_HOST] });
    const ask = await open.hub.post({ questions: [question] });
    const origin = `http://${host}:${open.port}`;
    const { context, page } = await visit();
    await signIn(open, page, host);

    const other = await openOtherPort();
    other.page = `<form method="post" action="${origin}/v1/asks/${ask.id}/decline"><button>Go</button></form>
<img src="${origin}/"><script>
const send = (path, body) => fetch("${origin}" + path, { method: "POST", mode: "no-cors", credentials: "include", body });
Promise.allSettled([
  send("/v1/asks/${ask.id}/answer", JSON.stringify(${JSON.stringify(yes)})),
]).then(() => { document.title = "attacked"; });
</script>`;
    const attacker = await context.newPage();
    await attacker.goto(other.url(host));
    await attacker.waitForFunction(`document.title === "attacked"`);
    await attacker.getByRole("button", { name: "Go" }).click();
    await attacker.getByText(/unauthorized|origin_not_allowed/).waitFor();

    expect(other.cookies.filter((cookie) => cookie !== "")).toEqual([]);
    expect((await open.hub.get(ask.id)).status).toBe("pending");
    // Even if it had the cookie: the key in the path is missing.
    const [cookie] = await context.cookies(page.url());
    const stolen = { cookie: `${cookie?.name}=${cookie?.value}`, origin };
    const answered = await call(open, undefined, `POST /v1/asks/${ask.id}/answer`, yes, stolen);
    expect(refusal(answered)).toBe("401 unauthorized");
    await context.close();
  });

  it("works for the person: lists, answers, and still works after coming back", async () => {
    const open = await openServer({ allowedHosts: [LAN_HOST] });
    const ask = await open.hub.post({ questions: [question] });
    const { context, page } = await visit();
    await signIn(open, page, host);
    const address = page.url();
    await page.getByLabel("Yes").waitFor();
    // A card takes no clicks in its first moments.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 350)));
    await page.getByLabel("Yes").check();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Answered").first().waitFor();
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({ kind: "answered", by: { id: "ana" } });
    await page.goto("about:blank");
    await page.goto(address);
    await page.getByRole("button", { name: "Devices" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(address);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await context.cookies(address)).toEqual([]);
    await context.close();
  });
});
