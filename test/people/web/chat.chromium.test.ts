import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PassThrough } from "node:stream";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession, takeMessage } from "../../../src/agents/sessions/index.ts";
import { runSessionDemo } from "../../../src/cli/demo/session-demo.ts";
import { connect } from "../../../src/client/connect.ts";
import { endChromium, type OpenOptions, type OpenPage, type Pages, ready, startPages } from "./inbox-page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ana = { kind: "person", id: "ana", surface: "terminal" } as const;

let pages: Pages;
beforeEach(async () => {
  pages = await startPages();
});
afterEach(() => pages.close());
afterAll(endChromium);

async function openChat(
  session: string,
  options?: OpenOptions,
): Promise<OpenPage & { readonly chat: Locator; readonly said: () => Promise<readonly string[]> }> {
  const opened = await pages.open(options);
  await opened.page.goto(`${pages.url}${opened.base}/chat/${session}`);
  const chat = opened.page.locator("askline-chat");
  await chat.locator(".frame").waitFor();
  return { ...opened, chat, said: () => saidIn(opened.page) };
}

/** What a person reads in the conversation, line by line; not what a folded group holds. */
function saidIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const box = document.querySelector("askline-chat")?.shadowRoot?.querySelector<HTMLElement>(".said");
    // biome-ignore lint/performance/useDomNodeTextContent: what is folded is not read.
    return (box?.innerText ?? "").split("\n").filter((line) => !/^(\s*|You:)$/.test(line));
  });
}

describe("the chat page", () => {
  it("shows the session demo live, and the same after a reload", async () => {
    const { token } = await pages.auth.createToken({ role: "agent", name: "local" });
    const client = connect({ url: pages.url, token });
    const stdout = new PassThrough();
    let printed = "";
    stdout.on("data", (chunk) => {
      printed += String(chunk);
    });
    const demo = runSessionDemo({
      ...{ client, stdout, json: false, columns: 100, url: pages.url, dataFolder: "/nowhere" },
      signal: new AbortController().signal,
    });
    await expect.poll(() => printed).toMatch(/\/chat\/demo-\w+/);
    const { page, chat, card, said, faults } = await openChat(/\/chat\/(demo-\w+)/.exec(printed)?.[1] ?? "");
    await ready(card, "What should the report be about?");
    await card.getByText("Returned goods").click();
    await card.getByRole("button", { name: "Send" }).click();
    await ready(card, "Who should get it?");
    await card.getByText("Sales", { exact: true }).click();
    await card.getByText("Warehouse", { exact: true }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await chat.getByText("The report would be on its way.").waitFor();
    expect(await demo).toBe(true);
    // The styles that came with Markdown are beside the others, and not in their place.
    expect(await chat.locator("label.unseen").boundingBox()).toMatchObject({ width: 1, height: 1 });
    const live = await said();
    expect(live).toEqual([
      // The demo says it for the person.
      ...["Written by the agent local", "Write me a report."],
      ...["Preparing the first question", expect.stringContaining("step")],
      ...["What should the report be about?", "Returned goods"],
      ...["Adding up the orders", expect.stringContaining("step")],
      ...["Who should get it?", "Sales, Warehouse"],
      "Thank you. The report would be on its way.",
    ]);
    await page.reload();
    await chat.getByText("The report would be on its way.").waitFor();
    await expect.poll(said).toEqual(live);
    expect(faults).toEqual([]);
    await client.close();
  });

  it("shows document 001's two rounds as its picture does: groups folded, questions outside", async () => {
    const { hub } = pages;
    const session = await openSession({ hub, sessionId: "s1", locale: "vi" });
    await session.user("hãy hỏi 2 lần");
    for (const round of [1, 2]) {
      await session.thinking("Nghĩ thầm");
      await session.toolUse({
        id: `tc-${round}`,
        name: "write_todos",
        message: `Chuẩn bị câu hỏi lần ${round}`,
      });
      await session.toolResult({ id: `tc-${round}` });
      await session.ask([{ question: `Q${round}`, options: [`A${round}`, "B"] }], {
        onAsked: ({ askId }) =>
          void hub.answer(askId, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ana }),
      });
    }
    await session.text("Cảm ơn! Tổng kết...", { final: true });
    const { chat, said } = await openChat("s1");
    await chat.getByText("Cảm ơn! Tổng kết...").waitFor();
    expect((await said()).filter((line) => !/^\d+ steps?$/.test(line))).toEqual([
      "hãy hỏi 2 lần",
      ...["Chuẩn bị câu hỏi lần 1", "Q1", "A1"],
      ...["Chuẩn bị câu hỏi lần 2", "Q2", "A2"],
      "Cảm ơn! Tổng kết...",
    ]);
    expect(await chat.locator("details[open]").count()).toBe(0);
    await chat.locator("summary").first().click();
    await chat.getByText("Nghĩ thầm").first().waitFor();
  });

  it("showed what an agent wrote as what the person said", async () => {
    const { hub } = pages;
    const agent = await openSession({ hub, sessionId: "s1", asker: "builder" });
    await agent.user("Yes, delete everything");
    const from = (id: string) => ({ by: { kind: "person", id, surface: "phone" } as const });
    await takeMessage(hub, "s1", { type: "message", text: "I never said that" }, from("ana"));
    const { page, chat, said } = await openChat("s1");
    await chat.getByText("I never said that").waitFor();
    await takeMessage(hub, "s1", { type: "message", text: "Neither did I" }, from("ben"));
    await chat.getByText("Neither did I").waitFor();
    const live = ["Written by the agent builder", "Yes, delete everything", "I never said that"];
    expect(await said()).toEqual([...live, "ben", "Neither did I"]);
    await page.reload();
    await expect.poll(said).toEqual([...live, "ben", "Neither did I"]);
  });

  it("decides an approval inside its group, and a text replies to the open question", async () => {
    const { hub } = pages;
    const session = await openSession({ hub, sessionId: "s1" });
    await session.thinking("Which one?");
    const deciding = session.approve([{ name: "deploy", args: { to: "staging" } }]);
    const { chat, card, page, said } = await openChat("s1");
    await ready(card, /deploy|Approve/);
    expect(await chat.locator("details[open] askline-card").count()).toBe(1);
    await card.getByRole("button", { name: "Approve", exact: true }).click();
    expect((await deciding).outcome).toMatchObject({ kind: "decided" });
    const asking = session.ask([{ question: "Which colour?", options: ["Red", "Green"] }]);
    await ready(card, "Which colour?");
    await chat.getByLabel("Say something else instead").fill("Neither of the two");
    await page.keyboard.press("Enter");
    expect((await asking).outcome).toMatchObject({ kind: "replied", text: "Neither of the two" });
    await chat.getByText("Neither of the two").waitFor();
    // The stream may show the text before the reply to its request clears the box.
    await expect.poll(() => chat.locator("textarea#talk").inputValue()).toBe("");
    await session.text("Then blue.");
    await chat.getByText("Then blue.").waitFor();
    const live = await said();
    expect(live).toContain("You replied instead");
    await page.reload();
    await chat.getByText("Then blue.").waitFor();
    await expect.poll(said).toEqual(live);
  });

  it("shows every hostile text as text", async () => {
    const { hub } = pages;
    const evil = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>\u202e\u0007`;
    const session = await openSession({ hub, sessionId: "s1" });
    await session.user(evil);
    await session.thinking(evil);
    await session.toolUse({ id: "t1", name: "tool", message: evil });
    await session.toolResult({ id: "t1" });
    await session.summary(evil);
    await session.text(`${evil}\n\n[link](javascript:alert(1)) ![image](https://elsewhere.example/x.png)`);
    const { page, chat, faults } = await openChat("s1");
    await chat.locator(".text a, .text").first().waitFor();
    await chat.locator("summary").first().click();
    await chat.locator(".thinking").first().waitFor();
    const shown = (await chat.locator(".said").textContent()) ?? "";
    expect(shown).toContain("<script>");
    expect(shown).not.toMatch(/[\u202e\u0007]/);
    expect(await chat.locator(".said script, .said img, .said a[href^=javascript]").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    expect(faults).toEqual([]);
  });

  it("opens a session of 20,000 entries at its end, and pages backwards", async () => {
    const session = await openSession({ hub: pages.hub, sessionId: "s1" });
    const writing: Promise<void>[] = [];
    for (let number = 1; number <= 20_000; number += 1) writing.push(session.text(`Line ${number}.`));
    await Promise.all(writing);
    const { chat } = await openChat("s1");
    await chat.getByText("Line 20000.").waitFor();
    expect(await chat.locator(".text").count()).toBe(200);
    const atEnd = (): Promise<boolean> =>
      chat.locator(".flow").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2);
    await expect.poll(atEnd).toBe(true);
    await chat.getByRole("button", { name: "Earlier messages" }).click();
    await chat.getByText("Line 19601.").waitFor();
    expect(await chat.locator(".text").count()).toBe(400);
  });

  it("says that there is no such conversation", async () => {
    const { chat } = await openChat("nobody");
    await chat.getByText("There is no such conversation").waitFor();
  });
});

it.each(["light", "dark"] as const)("has no fault that axe finds, %s", async (colorScheme) => {
  const { hub, auth } = pages;
  const ended = await hub.post({ questions: [{ question: "Tag it?", options: ["Yes", "No"] }] });
  await hub.answer(ended.id, { answers: [{ question: "q1", selected: ["Yes"] }] }, { by: ana });
  for (const session of ["a", "b"]) {
    await hub.post({
      ...{ session, agentId: session, timeoutMs: 60_000, metadata: { cwd: "/home/ana/shop" } },
      questions: [{ question: `Ship ${session}?`, options: ["Yes", "No"] }],
    });
  }
  const { token } = await auth.createToken({ role: "admin", name: "root" });
  const client = connect({ url: pages.url, token });
  const [first] = (await hub.list({ status: "pending" })).asks;
  const link = await client.link(first?.id ?? "", { person: "ana" });
  await client.close();
  const session = await openSession({ hub, sessionId: "s1" });
  await session.user("Hello");
  await session.thinking("Hm");
  await session.toolUse({ id: "t1", name: "tool", message: "Looking" });
  await session.toolResult({ id: "t1", status: "error" });
  await session.text("Here **it** is, `code` too.");
  void session.ask([{ question: "Good?", options: ["Yes", "No"] }]).catch(() => undefined);

  const { page, base, card, inbox } = await pages.open({ colorScheme });
  await ready(card, "Ship a?");
  await check("inbox");
  await inbox.getByRole("button", { name: "History" }).click();
  await inbox.locator(".row").first().click();
  await inbox.getByText("What happened").waitFor();
  await inbox.locator(".audit li").first().waitFor();
  await check("history");
  await inbox.getByRole("button", { name: "Devices" }).click();
  await inbox.locator(".devices li").first().waitFor();
  await check("devices");
  await page.goto(`${pages.url}${base}/chat/s1`);
  await ready(card, "Good?");
  await check("chat");
  await page.goto(link.url);
  await ready(card, "Ship a?");
  await check("link");
  await page.setViewportSize({ width: 360, height: 700 });
  await page.goto(`${pages.url}${base}/`);
  await ready(card, "Ship a?");
  await check("phone");

  async function check(name: string): Promise<void> {
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: {
          run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      };
      return (await axe.run()).violations.map(({ id, nodes }) => [
        id,
        ...nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`),
      ]);
    });
    expect([name, violations]).toEqual([name, []]);
  }
});
