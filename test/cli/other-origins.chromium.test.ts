// A page on one loopback origin and `askline serve` on another, which is killed in between.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../src/client/index.js";
import { until } from "../server/open-server.ts";
import { fileChromium } from "../support/file-chromium.ts";
import { endProcesses, ROOT } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";

const chromium = fileChromium();
let script = "";
const origins: Server[] = [];
const clients: Client[] = [];
beforeAll(async () => {
  // Our own client, as a page bundles it.
  const { outputFiles } = await build({
    stdin: { contents: 'export { connect } from "./src/client/browser.ts";', resolveDir: ROOT },
    ...{ bundle: true, format: "iife", globalName: "askline", platform: "browser", write: false },
  });
  script = outputFiles[0]?.text ?? "";
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const origin of origins.splice(0)) {
    origin.closeAllConnections();
    origin.close();
  }
  endProcesses();
  removeFolders();
});

/** What a front end of another origin would have: readers that take a new ticket after each error. */
const PAGE = `<!doctype html><title>chat</title><script src="/client.js"></script><script>
const { connect } = askline;
const seen = { client: [], fetch: [], eventSource: [], webSocket: [] };
let socket;
const later = (again) => setTimeout(again, 50);
function headers({ token }) { return { authorization: "Bearer " + token, "content-type": "application/json" }; }
async function ticket(server) {
  const body = JSON.stringify({ path: server.path });
  const response = await fetch(server.url + "/v1/tickets", { method: "POST", headers: headers(server), body });
  return (await response.json()).ticket;
}
const afterOf = (events) => (events.length === 0 ? "0" : events.at(-1).id);
async function byFetch(server, events) {
  try {
    const response = await fetch(server.url + server.path + "?after=" + afterOf(events), { headers: headers(server) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      for (let end; (end = text.indexOf("\\n\\n")) >= 0; text = text.slice(end + 2)) {
        const [, id, data] = /^id: (.*)\\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        if (data !== undefined) events.push({ id, event: JSON.parse(data) });
      }
    }
  } catch {}
  later(() => byFetch(server, events));
}
async function byEventSource(server, events) {
  const again = () => later(() => byEventSource(server, events));
  try {
    const source = new EventSource(server.url + server.path + "?ticket=" + (await ticket(server)) + "&after=" + afterOf(events));
    source.onmessage = ({ data, lastEventId }) => events.push({ id: lastEventId, event: JSON.parse(data) });
    source.onerror = () => { source.close(); again(); };
  } catch { again(); }
}
async function byWebSocket(server, events) {
  const again = () => later(() => byWebSocket(server, events));
  try {
    socket = new WebSocket(server.url.replace("http", "ws") + server.path + "?ticket=" + (await ticket(server)) + "&after=" + afterOf(events));
    socket.onmessage = ({ data }) => { const { id, ...event } = JSON.parse(data); if (id !== undefined) events.push({ id, event }); };
    socket.onclose = again;
  } catch { again(); }
}
async function byClient({ url, token }, events) {
  for await (const event of connect({ url, token }).followSession("s")) events.push(event);
}
function start(server) {
  byClient(server, seen.client);
  byFetch(server, seen.fetch);
  byEventSource(server, seen.eventSource);
  byWebSocket(server, seen.webSocket);
}
/** "opened" or "failed" for each way to get in. */
async function attempt({ server, credentials, tickets }) {
  const result = (promise) => promise.then(() => "opened", () => "failed");
  const stream = (query) => new Promise((resolve, reject) => {
    const source = new EventSource(server.url + server.path + query, { withCredentials: credentials === "include" });
    source.onopen = () => { source.close(); resolve(); };
    source.onerror = () => { source.close(); reject(); };
  });
  const webSocket = (query) => new Promise((resolve, reject) => {
    const own = new WebSocket(server.url.replace("http", "ws") + server.path + query);
    own.onopen = () => { own.close(); resolve(); };
    own.onerror = reject;
  });
  const auth = server.token === undefined ? {} : { headers: headers(server) };
  const read = (path, init) => fetch(server.url + path, { ...init, ...auth, credentials }).then((response) => {
    if (!response.ok) throw new Error();
  });
  const answer = JSON.stringify({ type: "message", text: "from elsewhere" });
  return {
    history: await result(read(server.path.replace("stream", "history"))),
    fetch: await result(read(server.path)),
    message: await result(read(server.path.replace("stream", "messages"), { method: "POST", body: answer })),
    ticket: await result(read("/v1/tickets", { method: "POST", body: JSON.stringify({ path: server.path }) })),
    eventSource: await result(stream(tickets.length > 0 ? "?ticket=" + tickets[0] : "")),
    webSocket: await result(webSocket(tickets.length > 0 ? "?ticket=" + tickets[1] : "")),
  };
}
</script>`;

/** A page of a new origin. */
async function openPage(): Promise<{ readonly page: Page; readonly origin: string }> {
  const origin = createServer((request, response) => {
    const isScript = request.url === "/client.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : PAGE);
  });
  origins.push(origin);
  await new Promise<void>((resolve) => {
    origin.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const page = await (await chromium.newContext()).newPage();
  await page.goto(url);
  return { page, origin: url };
}

const SESSION = "/v1/sessions/s/stream";

function tokens({ data, url }: Pick<ServeProcess, "data" | "url">) {
  const { agent, person } = readCredentials(data, url) ?? {};
  return { agent: agent ?? "", person: person ?? "" };
}

async function agentOf(server: ServeProcess) {
  const quiet = { warn: () => undefined, error: () => undefined };
  const client = connect({ url: server.url, token: tokens(server).agent, logger: quiet });
  clients.push(client);
  return client.openSession({ sessionId: "s" });
}

/** The ids that a reader of the page has seen. */
function idsOf(
  page: Page,
): Promise<Readonly<Record<"fetch" | "eventSource" | "webSocket", readonly string[]>>> {
  return page.evaluate(
    "Object.fromEntries(Object.entries(seen).map(([name, events]) => [name, events.map(({ id }) => id)]))",
  );
}

/** All events of the session, as a program reads them from the beginning. */
async function allIds(server: ServeProcess, last: string): Promise<readonly string[]> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${tokens(server).person}` };
  const response = await fetch(`${server.url}${SESSION}?after=0`, { headers, signal: stop.signal });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes(last)) break;
  }
  stop.abort();
  return [...text.matchAll(/^id: (\S+)$/gm)].map(([, id = ""]) => id);
}

describe("a page of another origin", () => {
  it("reads history, streams and answers with a token and tickets, and misses nothing when the server is killed", async () => {
    const { page, origin } = await openPage();
    const data = newFolder();
    const args = ["--allow-origin", origin];
    const first = await serve(data, { args });
    const agent = await agentOf(first);
    await agent.text("one");
    let approvalKey = "";
    const asking = agent.ask([{ question: "Which?", options: ["A", "B"] }], {
      onAsked: (asked) => {
        approvalKey = asked.approvalKey;
      },
    });
    const server = { url: first.url, path: SESSION, token: tokens(first).person };
    await until(() => approvalKey !== "");
    const history = await page.evaluate(
      `fetch(${JSON.stringify(`${first.url}/v1/sessions/s/history`)}, { headers: headers(${JSON.stringify(server)}) }).then(async (response) => ({ position: response.headers.get("askline-position"), messages: await response.json() }))`,
    );
    expect(history).toMatchObject({ position: expect.stringMatching(/^\d+/), messages: [{}, {}] });
    await page.evaluate(`start(${JSON.stringify(server)})`);
    await page.waitForFunction("Object.values(seen).every((events) => events.length >= 6)");

    const ended = first.running.ended;
    first.running.child.kill("SIGKILL");
    await ended;
    const second = await serve(data, { port: new URL(first.url).port, args });
    await agent.text("two");
    await agent.text("three");
    await page.waitForFunction(
      `Object.values(seen).every((events) => JSON.stringify(events).includes('"three"'))`,
    );
    await page.waitForFunction("socket.readyState === WebSocket.OPEN");
    const message = { type: "approval", approval_key: approvalKey, answers: { "Which?": "B" } };
    await page.evaluate(`socket.send(${JSON.stringify(JSON.stringify(message))})`);
    expect((await asking).outcome).toMatchObject({
      kind: "answered",
      by: { kind: "person", surface: "chat" },
    });
    await page.waitForFunction(
      "Object.values(seen).every((events) => events.at(-1).event.type === 'approval_resolved')",
    );
    const whole = await allIds(second, "approval_resolved");
    expect(whole.length).toBeGreaterThan(10);
    expect(await idsOf(page)).toEqual({ client: whole, fetch: whole, eventSource: whole, webSocket: whole });
    await page.context().close();
  });

  it("gets in by none of these ways if its origin is not allowed, and by the cookie from no other origin", async () => {
    const { page: allowed, origin } = await openPage();
    const { page: stranger } = await openPage();
    const server = await serve(undefined, { args: ["--allow-origin", origin] });
    const agent = await agentOf(server);
    await agent.text("one");
    const { person: token } = tokens(server);
    const target = { url: server.url, path: SESSION, token };
    const tickets = await allowed.evaluate<string[]>(
      `Promise.all([1, 2, 3, 4].map(() => ticket(${JSON.stringify(target)})))`,
    );
    const attempt = (page: Page, options: object): Promise<unknown> =>
      page.evaluate(`attempt(${JSON.stringify(options)})`);
    const failed = {
      ...{ history: "failed", fetch: "failed", message: "failed", ticket: "failed" },
      ...{ eventSource: "failed", webSocket: "failed" },
    };
    const own = { server: target, credentials: "omit", tickets: tickets.slice(0, 2) };
    expect(await attempt(stranger, own)).toEqual(failed);
    // The tickets were good, and nothing has used them up.
    expect(await attempt(allowed, own)).toEqual(
      Object.fromEntries(Object.keys(failed).map((name) => [name, "opened"])),
    );

    await allowed.goto(server.inbox);
    await allowed.getByRole("button", { name: "Open your inbox" }).click();
    await allowed.getByText("History").first().waitFor();
    const inbox = new URL(allowed.url());
    await allowed.goto(origin);
    expect(await allowed.context().cookies(inbox.href)).toHaveLength(1);
    const url = inbox.href.replace(/\/$/, "");
    const signedIn = { server: { url, path: SESSION }, credentials: "include", tickets: [] };
    expect(await attempt(allowed, signedIn)).toEqual(failed);
    const text = JSON.stringify(await historyOf(server));
    expect(text.split("from elsewhere")).toHaveLength(2);
    for (const page of [allowed, stranger]) await page.context().close();
  });
});

async function historyOf(server: ServeProcess): Promise<unknown> {
  const headers = { authorization: `Bearer ${tokens(server).person}` };
  return (await fetch(`${server.url}/v1/sessions/s/history`, { headers })).json();
}
