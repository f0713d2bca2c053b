// The public plugin, as far as its frames are known, against `askline serve`: it has a path of its own, its token in the
// URL, its chat on the same socket, and after a reconnect it neither asks again nor resumes.

import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { ready } from "../people/web/inbox-page.ts";
import { type Envelope, openRaw, type RawSocket } from "../server/gateway/raw-socket.ts";
import { quietTime } from "../support/chromium.ts";
import { fileChromium } from "../support/file-chromium.ts";
import { endProcesses } from "./processes.ts";
import { removeFolders, type ServeProcess, serve } from "./servers.ts";

const chromium = fileChromium();
afterEach(() => {
  endProcesses();
  removeFolders();
});

const PATH = "/api/v1/providers/ws";
const ADDRESS = { sessionKey: "user-42", agentId: "coding-agent" };

function event(name: string, payload: object = {}): Envelope {
  return { type: "event", payload: { event: name, payload: { ...ADDRESS, ...payload } } };
}

async function connectPlugin({ url, data }: ServeProcess): Promise<RawSocket> {
  const token = encodeURIComponent(readCredentials(data, url)?.agent ?? "");
  const plugin = await openRaw({ port: Number(new URL(url).port) }, { path: PATH, query: `?token=${token}` });
  plugin.send({ type: "health" });
  return plugin;
}

async function openInbox({ inbox }: ServeProcess): Promise<Page> {
  // High enough for the whole command: what was not on the screen cannot be approved.
  const context = await chromium.newContext({ viewport: { width: 1200, height: 2000 } });
  const page = await context.newPage();
  await page.goto(inbox);
  await page.getByRole("button", { name: "Open your inbox" }).click();
  return page;
}

describe("the public plugin", () => {
  it("chats, asks and gets its approval after a reconnect; the page shows the whole command", async () => {
    const server = await serve(undefined, { args: ["--gateway-path", PATH] });
    const plugin = await connectPlugin(server);
    plugin.send(event("chat.presence", { status: "online" }));
    plugin.send(event("models.sync", { models: [] }));
    for (let part = 0; part < 30; part += 1) plugin.send(event("chat.chunk", { content: `part ${part}` }));

    const questionId = randomUUID();
    const question = "Which database should I use for caching?";
    const options = ["Redis", "SQLite"].map((label) => ({ label, description: `${label}.` }));
    const questions = [{ question, header: "Database", options, multiSelect: false }];
    plugin.send(event("ask_user_question", { questionId, questions }));
    expect(await plugin.untilPong()).toEqual([]);
    const page = await openInbox(server);
    const card = page.locator("askline-card");
    await ready(card, question);
    await page.getByRole("radio", { name: "Redis" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    expect(await plugin.next()).toEqual({
      type: "hook.ask_user_answer",
      payload: { questionId, answers: { [question]: "Redis" } },
    });

    plugin.send(event("tool.start", { toolName: "exec", status: "running" }));
    const executionId = randomUUID();
    const words = Array.from({ length: 600 }, (_, index) => `w${String(index).padStart(3, "0")}`);
    const command = `echo ${words.join(" ")}`.slice(0, 3_000);
    expect(command).toHaveLength(3_000);
    const action = command.slice(0, 200);
    plugin.send(
      event("exec.approval.requested", { executionId, toolName: "exec", action, params: { command } }),
    );
    expect(await plugin.untilPong()).toEqual([]);
    await plugin.close();

    const shown = card.locator("pre.command");
    await shown.waitFor();
    expect(await shown.textContent()).toBe(command);
    // Nothing of it has to be scrolled to inside of a box, or sideways.
    const isWhole = await shown.evaluate(
      (box) => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight,
    );
    expect(isWhole).toBe(true);
    await quietTime(page);
    await card.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("No questions are waiting for you.").waitFor();

    const again = await connectPlugin(server);
    expect(await again.next()).toEqual({ type: "hook.approval", payload: { executionId, approved: true } });
    again.send(event("chat.chunk", { content: "done" }));
    again.send(event("chat.done", { done: true }));
    expect(await again.untilPong()).toEqual([]);
    await page.context().close();
  });
});
