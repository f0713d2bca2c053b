import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { ready } from "../people/web/inbox-page.ts";
import { fileChromium } from "../support/file-chromium.ts";
import { endProcesses, ROOT, type Running, start } from "./processes.ts";
import { removeFolders, type ServeProcess, serve } from "./servers.ts";

const chromium = fileChromium();
afterEach(endProcesses);
afterAll(removeFolders);

/** A server, the model of the example, and the inbox of the person in a browser: each as a user would start it. */
async function open(): Promise<{
  readonly server: ServeProcess;
  readonly token: string;
  readonly model: Running;
  readonly page: Page;
  /** Starts the agent, in the session "example". */
  readonly startAgent: () => Running;
}> {
  const server = await serve();
  const model = start(join(ROOT, "examples/agent/model.mjs"), []);
  const [modelUrl = ""] = (await model.prints("\n")).split("\n");
  const token = readCredentials(server.data, server.url)?.agent ?? "";
  const env = {
    ASKLINE_URL: server.url,
    ASKLINE_TOKEN: token,
    MODEL_URL: modelUrl,
  };
  const page = await chromium.newPage();
  await page.goto(server.inbox);
  await page.getByRole("button", { name: "Open your inbox" }).click();
  const startAgent = () => start(join(ROOT, "examples/agent/agent.mjs"), ["example"], { env });
  return { server, token, model, page, startAgent };
}

describe("examples/agent, answered from the page", () => {
  it("goes on with the option that a person clicks", async () => {
    const { model, page, startAgent } = await open();
    const agent = startAgent();
    await ready(page.locator("askline-card"), "Which database should the service use?");
    await page.getByRole("radio", { name: "SQLite" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    expect(await agent.ended).toEqual({ code: 0, stdout: "I set up SQLite.\n", stderr: "" });
    const read = 'The person answered:\n1. "Which database should the service use?"\n   chose: "SQLite"\n';
    expect((await model.prints("chose")).split("\n").slice(1).join("\n")).toBe(read);
  });

  it("is killed while it waits, asks nothing twice, and goes on with what a person typed meanwhile", async () => {
    const { server, token, model, page, startAgent } = await open();
    const first = startAgent();
    await ready(page.locator("askline-card"), "Which database should the service use?");
    first.child.kill("SIGKILL");
    await first.ended;
    await page.getByRole("radio", { name: "Other" }).click();
    await page.locator("askline-card").getByRole("textbox").fill('Redis, or "Valkey"');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("No questions are waiting for you.").waitFor();
    expect(await startAgent().ended).toMatchObject({ code: 0, stdout: 'I set up Redis, or "Valkey".\n' });
    expect(await model.prints("typed")).toContain('   typed: "Redis, or \\"Valkey\\""');
    const headers = { authorization: `Bearer ${token}` };
    const { asks } = (await (await fetch(`${server.url}/v1/asks`, { headers })).json()) as {
      asks: unknown[];
    };
    expect(asks).toMatchObject([{ session: "example", status: "answered" }]);
  });
});
