// The card as an MCP App: in Chromium, inside the official AppBridge, with the official client.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readCardFile } from "../../../src/cli/connect/card-file.js";
import { settle } from "../../people/web/card-page.ts";
import { closeServers } from "../../server/open-server.ts";
import { fileChromium } from "../../support/file-chromium.ts";
import { type OpenMcp, openMcp, QUESTION, type Result } from "./clients.ts";

const chromium = fileChromium();
let script: string;
beforeAll(async () => {
  const entryPoints = [new URL("host-page.ts", import.meta.url).pathname];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
  });
  script = outputFiles[0]?.text ?? "";
});
afterEach(closeServers);

const ui = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };

interface CardResult extends Result {
  readonly _meta: {
    readonly "askline/card": { readonly token: string; readonly ask: { readonly id: string } };
  };
}

async function openHost(options: Parameters<typeof openMcp>[0] = {}) {
  const open = await openMcp({ card: readCardFile, ...options }, { reports: ["ana"] });
  const client = new Client(
    { name: "host", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities: { extensions: ui } },
  );
  const requestInit = { headers: { authorization: `Bearer ${open.agent}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${open.url}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as CardResult;
  return { open, client, call };
}

async function show(
  call: (name: string, args: object) => Promise<Result>,
  html: string,
  result: Result,
  {
    capabilities = { serverTools: {}, message: { text: {} } },
    context = {},
  }: { capabilities?: object; context?: object },
): Promise<{
  readonly page: Page;
  told(): Promise<readonly [string, unknown][]>;
  readonly faults: readonly string[];
}> {
  const browser = await chromium.newContext({ offline: true, viewport: { width: 640, height: 700 } });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => faults.push(request.url()));
  await page.exposeFunction("callTool", (params: { name: string; arguments: object }) =>
    call(params.name, params.arguments),
  );
  await page.setContent("<!doctype html><html><body></body></html>");
  await page.addScriptTag({ content: script });
  await page.evaluate(
    ([source, given, more]) =>
      (window as unknown as { host: { show(...call: unknown[]): Promise<void> } }).host.show(
        source,
        given,
        more,
      ),
    [html, result, { capabilities, context }] as const,
  );
  const told = (): Promise<readonly [string, unknown][]> =>
    page.evaluate(() => (window as unknown as { host: { told: [string, unknown][] } }).host.told);
  return { page, told, faults };
}

async function htmlOf(client: Client): Promise<string> {
  const { contents } = await client.readResource({ uri: "ui://askline/card" });
  const [content] = contents;
  expect(content).toMatchObject({ mimeType: "text/html;profile=mcp-app", _meta: { ui: { csp: {} } } });
  return String((content as { readonly text?: string }).text);
}

function outcomeOf({ hub }: OpenMcp, id: string) {
  return hub.get(id).then(({ outcome }) => outcome);
}

describe("the card in an MCP host", () => {
  it("shows the question in the host's language and theme, and a click answers it", async () => {
    const { open, client, call } = await openHost();
    const { tools } = await client.listTools();
    const meta = Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta?.ui]));
    expect(meta).toMatchObject({
      ask_user_question: { resourceUri: "ui://askline/card", visibility: ["model", "app"] },
      post_question: { resourceUri: "ui://askline/card" },
      answer_ask: { visibility: ["app"] },
    });
    expect(meta.ask_approval).toBeUndefined();
    const result = await call("ask_user_question", { questions: [QUESTION] });
    expect(result.structuredContent).toMatchObject({ status: "pending" });
    const { ask, token } = result._meta["askline/card"];
    expect(JSON.stringify([result.content, result.structuredContent])).not.toContain(token);
    const context = { theme: "dark", locale: "vi-VN" };
    const { page, told, faults } = await show(call, await htmlOf(client), result, { context });
    const frame = page.locator("iframe").contentFrame();
    const card = frame.locator("askline-card");
    await card.getByRole("radio", { name: "SQLite" }).waitFor();
    expect(await frame.locator("html").evaluate((html) => html.style.colorScheme)).toBe("dark");
    await expect.poll(() => page.locator("iframe").evaluate((it_) => it_.clientHeight)).toBeGreaterThan(200);
    await page.evaluate(() =>
      (window as unknown as { host: { change(c: object): void } }).host.change({ theme: "light" }),
    );
    await expect.poll(() => frame.locator("html").evaluate((html) => html.style.colorScheme)).toBe("light");
    await settle(page);
    await card.getByRole("radio", { name: "SQLite" }).click();
    await settle(page);
    await card.getByRole("button", { name: "Gửi" }).click();
    await expect
      .poll(told)
      .toEqual([
        ["message", { role: "user", content: [{ type: "text", text: expect.stringContaining('"SQLite"') }] }],
      ]);
    expect(await outcomeOf(open, ask.id)).toMatchObject({
      kind: "answered",
      answers: [{ selected: ["o2"] }],
      by: { kind: "person", id: "ana", surface: "mcp-app", via: "builder" },
    });
    const closed = page.evaluate(() =>
      (window as unknown as { host: { close(): Promise<object> } }).host.close(),
    );
    expect(await closed).toEqual({});
    expect(faults).toEqual([]);
  });

  it("shows who was faster, and updates the context of a host that takes no messages", async () => {
    const { open, client, call } = await openHost();
    const result = await call("post_question", { questions: [QUESTION] });
    const { id } = result._meta["askline/card"].ask;
    const capabilities = { serverTools: {}, updateModelContext: { text: {} } };
    const { page, told } = await show(call, await htmlOf(client), result, { capabilities });
    const card = page.locator("iframe").contentFrame().locator("askline-card");
    await card.getByRole("radio", { name: "SQLite" }).waitFor();
    const by = { kind: "person", id: "bo", surface: "test" } as const;
    await open.hub.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by });
    await settle(page);
    await card.getByRole("radio", { name: "SQLite" }).click();
    await settle(page);
    await card.getByRole("button", { name: "Send" }).click();
    await expect
      .poll(told)
      .toEqual([["context", { content: [{ type: "text", text: expect.stringContaining('"PostgreSQL"') }] }]]);
    await card.getByText("bo", { exact: false }).first().waitFor();
  });
});

describe("answer_ask", () => {
  const answers = [{ question: "q1", selected: ["o1"] }];

  it("is refused without the token of that card, and with an answer that does not fit", async () => {
    const { open, call } = await openHost();
    const first = (await call("ask_user_question", { questions: [QUESTION] }))._meta["askline/card"];
    const other = await call("ask_user_question", { questions: [{ ...QUESTION, question: "Other?" }] });
    const ask = first.ask.id;
    const tokens = [
      undefined,
      "",
      "guessed",
      other._meta["askline/card"].token,
      `${first.token.slice(0, -2)}AA`,
    ];
    for (const token of tokens) {
      const result = await call("answer_ask", { ask, answers, ...(token !== undefined && { token }) });
      expect([result.isError, result.content[0]?.text]).toEqual([true, expect.stringContaining("Refused")]);
    }
    const { token } = first;
    const wrong = await call("answer_ask", { ask, token, answers: [{ question: "q1", selected: ["o9"] }] });
    expect(wrong.isError).toBe(true);
    expect((await open.hub.get(ask)).status).toBe("pending");
    expect(
      (await call("answer_ask", { ask, token, reply: { text: "why?" } })).structuredContent,
    ).toMatchObject({
      status: "replied",
      answered_by: { id: "ana", reported_by: "builder" },
    });
    // Used: it can only tell how the ask ended.
    const late = await call("answer_ask", { ask, token, answers });
    expect(late.structuredContent).toMatchObject({ status: "replied", text: "why?" });
  });

  it("is neither listed nor noticed where the host shows no cards", async () => {
    const { open } = await openHost();
    const plain = await open.connect("2.4", "HTTP");
    expect((await plain.tools()).map(({ name }) => name)).not.toContain("answer_ask");
    const asking = plain.call("ask_user_question", { questions: [QUESTION] });
    const { id } = await open.pending();
    await open.hub.answer(id, { answers }, { by: { kind: "person", id: "ana", surface: "test" } });
    expect(await asking).not.toHaveProperty("_meta.askline/card");
  });
});
