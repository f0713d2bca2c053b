import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../package/repository.ts";
import { type CardBrowser, type CardPage, settle, startCards } from "./card-page.ts";

let cards: CardBrowser;
const pages: CardPage[] = [];
beforeAll(async () => {
  cards = await startCards();
});
afterEach(async () => {
  const faults = pages.flatMap((open) => open.faults);
  await Promise.all(pages.splice(0).map(({ page }) => page.context().close()));
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await cards.close();
});

async function open(...args: Parameters<CardBrowser["open"]>): Promise<CardPage> {
  const opened = await cards.open(...args);
  pages.push(opened);
  await settle(opened.page);
  return opened;
}

const SCRIPT = `"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;
const pwned = ({ page }: CardPage): Promise<unknown> =>
  page.evaluate(() => (window as { pwned?: unknown }).pwned);

describe("text of a model", () => {
  it("ran a script from a field of a question", async () => {
    const text = `${SCRIPT} [go](javascript:alert(1)) ![x](https://evil.example/x.png) <a href="javascript:alert(1)">a</a>`;
    const opened = await open({
      context: text,
      agentId: SCRIPT,
      questions: [
        {
          question: text,
          header: SCRIPT,
          options: [
            { label: `${SCRIPT} 1`, description: text, preview: { format: "markdown", content: text } },
            { label: `${SCRIPT} 2`, preview: text },
          ],
        },
        { question: "b", header: SCRIPT, options: [] },
      ],
    });
    const { card } = opened;
    await card.locator(".markdown").first().waitFor();
    await settle(opened.page);
    await card.getByRole("radio").nth(1).click();
    await card.getByRole("button", { name: "Next" }).click();
    await card.getByRole("textbox").fill(text);
    await card.getByRole("button", { name: "Next" }).click();
    await settle(opened.page);
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    expect(await pwned(opened)).toBeUndefined();
    expect(await card.locator("img, script, a[href^=javascript]").count()).toBe(0);
  });

  it("ran a script from an action, its arguments or an outcome", async () => {
    const action = {
      name: SCRIPT,
      description: SCRIPT,
      args: {
        [SCRIPT]: SCRIPT,
        command: SCRIPT,
        plan: SCRIPT,
        old_string: SCRIPT,
        new_string: `${SCRIPT}2`,
        diff: `@@ -1 +1 @@\n+${SCRIPT}`,
      },
    };
    const opened = await open({ approval: { actions: [action] } });
    await opened.card.getByRole("button", { name: "Reject with a reason" }).click();
    await opened.card.getByRole("textbox").fill(SCRIPT);
    await opened.card.getByRole("button", { name: "Reject", exact: true }).click();
    await opened.card.getByRole("heading", { name: /^Decided/ }).waitFor();
    expect(await pwned(opened)).toBeUndefined();
    expect(await opened.card.locator("img, script").count()).toBe(0);
  });

  it("swapped Approve and Reject, or hid what a command does", async () => {
    const opened = await open({
      approval: {
        actions: [
          {
            name: "Run \u202etcejeR",
            args: { command: "ls \u2066\u202erm -rf /\u2069 \u200b", "k\u202ey": "v\ufeff" },
          },
        ],
      },
    });
    const { card } = opened;
    const shown = (await card.evaluate((element) => element.shadowRoot?.textContent)) ?? "";
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
    for (const visible of ["\\u202e", "\\u2066", "\\u200b", "\\ufeff"]) expect(shown).toContain(visible);
    const [approve, reject] = await Promise.all(
      ["Approve", "Reject"].map((name) => card.getByRole("button", { name, exact: true }).boundingBox()),
    );
    expect(approve?.x).toBeLessThan(reject?.x ?? 0);
  });

  it("made the card unusable by its size", async () => {
    const questions = Array.from({ length: 20 }, (_, index) => ({
      question: `Question ${index} ${"long ".repeat(100)}`,
      header: `H${index} ${"x".repeat(100)}`,
      options: Array.from({ length: 50 }, (_, option) => ({
        label: `${option} ${"w".repeat(700)}`,
        description: "d ".repeat(50),
      })),
    }));
    const opened = await open({ questions, allowPartial: true }, { viewport: { width: 360, height: 740 } });
    // The question is on the first screen.
    const title = await opened.card.getByRole("heading", { name: "Question 1 of 20" }).boundingBox();
    expect(title?.y).toBeLessThan(500);
    const worked = await countWork(opened.page);
    await opened.card.getByRole("radio").nth(49).click();
    await opened.card.getByRole("button", { name: "Next" }).click();
    expect(await worked()).toBeLessThan(1);
    expect(await opened.card.getByRole("radio").count()).toBe(51);
    await opened.card.getByRole("button", { name: "Review" }).click();
    const change = await opened.card.getByRole("button", { name: "Change" }).first().boundingBox();
    expect(change?.width).toBeGreaterThan(50);
    expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it("froze the page with a preview of 64 KB", async () => {
    const content =
      `${"[a](b) **c** `d` ".repeat(2_000)}\n\n\`\`\`ts\n${"const a = /(((((/;\n".repeat(1_500)}\`\`\``.slice(
        0,
        65_000,
      );
    const opened = await open({
      questions: [
        {
          question: "Which?",
          options: [
            { label: "A", preview: { format: "markdown", content } },
            { label: "B", preview: { format: "text", content } },
          ],
        },
      ],
    });
    await opened.card.locator(".markdown").waitFor();
    await settle(opened.page);
    await opened.card.getByRole("radio", { name: "B" }).click();
    await opened.card.locator("pre.text").waitFor();
  });
});

describe("an HTML preview", () => {
  it("reached the network, ran a script, or redrew the page", async () => {
    const { asked, evil, close } = await startSpy();
    const content = `<!doctype html><html><head><base href="${evil}/base/"><meta http-equiv="refresh" content="0;url=${evil}/refresh">
      <link rel="stylesheet" href="${evil}/link.css"><link rel="dns-prefetch" href="${evil}"><link rel="prefetch" href="${evil}/prefetch">
      <style>@import "${evil}/import.css"; body{background:url(${evil}/bg.png)} p{position:fixed;inset:0;background:red}</style>
      <script>fetch("${evil}/fetch");top.pwned=1;parent.document.body.innerHTML=""</script></head>
      <body onload="fetch('${evil}/onload')"><img src="${evil}/img.png" srcset="${evil}/set.png 2x"><iframe src="${evil}/frame"></iframe>
      <object data="${evil}/object"></object><embed src="${evil}/embed"><video poster="${evil}/poster" src="${evil}/video"></video>
      <form action="${evil}/form"><button id="b">x</button></form><a id="a" href="${evil}/a" ping="${evil}/ping" target="_self">link</a>
      <svg><a href="${evil}/svg"><text y="20">svg</text></a><image href="${evil}/image"/><use href="${evil}/use#x"/></svg>
      </head></meta></iframe></textarea><p>PREVIEW</p></body></html>`;
    const opened = await cards.open(
      {
        questions: [{ question: "Which?", options: [{ label: "A", preview: { format: "html", content } }] }],
      },
      // A page without a policy of its own: the frame's must be enough.
      { policy: "" },
    );
    try {
      const { card, page } = opened;
      const frame = card.locator("iframe").contentFrame();
      await frame.getByText("PREVIEW").waitFor();
      await frame.locator("#a").click({ force: true });
      await frame.locator("#b").click({ force: true });
      await settle(page);
      expect(asked).toEqual([]);
      expect(await pwned(opened)).toBeUndefined();
      expect(await card.locator("iframe").getAttribute("sandbox")).toBe("");
      const [frameBox, cardBox] = await Promise.all([
        card.locator("iframe").boundingBox(),
        card.boundingBox(),
      ]);
      expect(frameBox?.height).toBeLessThan(cardBox?.height ?? 0);
      await card.getByRole("radio", { name: "A" }).click();
      await card.getByRole("button", { name: "Send" }).click();
      await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    } finally {
      await opened.page.context().close();
      close();
    }
  });

  it.each([
    ["a page without a policy", ""],
    ["a page with one", undefined],
  ])("led elsewhere by a link, in %s", async (_, policy) => {
    const { asked, evil, close } = await startSpy();
    const links = [
      `<a href="${evil}/a" ping="${evil}/ping">LINK</a>`,
      `<svg height="30"><a><rect width="80" height="30"/><set attributeName="href" to="${evil}/set"/></a></svg>`,
      `<div><template shadowrootmode="open"><iframe src="${evil}/frame"></iframe><a href="${evil}/shadow">LINK</a></template></div>`,
      `<math><mtext><table><mglyph><style><!--</style><a href="${evil}/math">LINK</a></table></mtext></math>`,
    ];
    const opened = await cards.open(
      {
        questions: links.map((link, index) => ({
          question: `Which ${index}?`,
          options: [{ label: "A", preview: { format: "html", content: `<p>PREVIEW</p>${link}` } }],
        })),
      },
      policy === undefined ? {} : { policy },
    );
    try {
      const { card, page } = opened;
      for (const index of links.keys()) {
        await card.getByRole("heading", { name: `Which ${index}?` }).waitFor();
        const frame = card.locator("iframe").contentFrame();
        await frame.getByText("PREVIEW").waitFor();
        const place = frame.getByText("LINK").or(frame.locator("rect"));
        if ((await place.count()) > 0) await place.first().click({ force: true });
        await settle(page);
        expect(await frame.getByText("PREVIEW").count()).toBe(1);
        await card.getByRole("radio", { name: "A" }).click();
        await card.getByRole("button", { name: "Next" }).click();
      }
      expect(asked).toEqual([]);
    } finally {
      await opened.page.context().close();
      close();
    }
  });
});

/** A host that nobody should reach. */
async function startSpy(): Promise<{ readonly asked: string[]; readonly evil: string; close(): void }> {
  const asked: string[] = [];
  const spy = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  // A connection alone tells another host that the preview was read.
  spy.on("connection", () => asked.push("a connection"));
  await new Promise<void>((done) => spy.listen(0, "127.0.0.1", done));
  return {
    asked,
    evil: `http://127.0.0.1:${(spy.address() as AddressInfo).port}`,
    close: () => {
      spy.closeAllConnections();
      spy.close();
    },
  };
}

describe("the single file", () => {
  const file = readFileSync(join(root, "dist/people/web/card.html"), "utf8");

  it("runs in a sandbox without network or storage, driven by messages", async () => {
    const page = await (await cards.chromium.newContext({ offline: true })).newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    try {
      await page.setContent(`<iframe sandbox="allow-scripts" style="width:600px;height:700px"></iframe>`);
      const told = page.evaluate(
        ([source, ask]) =>
          new Promise((done) => {
            const all: { type: string; detail?: unknown }[] = [];
            const frame = document.querySelector("iframe") as HTMLIFrameElement;
            window.addEventListener("message", ({ data }) => {
              all.push(data);
              if (data.type === "askline:ready")
                frame.contentWindow?.postMessage({ type: "askline:show", ask, waits: true }, "*");
              if (data.type === "askline:answer")
                frame.contentWindow?.postMessage({ type: "askline:stored", number: data.number }, "*");
              if (data.type === "askline:settled") done(all.filter(({ type }) => !/size|draft/.test(type)));
            });
            frame.srcdoc = source;
          }),
        [
          file,
          {
            id: "ask_1",
            context: "Some **context** with `code`",
            questions: [{ question: "Ship?", options: ["Yes", "No"] }],
          },
        ] as const,
      );
      const card = page.locator("iframe").contentFrame().locator("askline-card");
      await card.locator("strong").getByText("context").waitFor();
      await settle(page);
      await card.getByRole("radio", { name: "No" }).click();
      await settle(page);
      await card.getByRole("button", { name: "Send" }).click();
      expect(await told).toMatchObject([
        { type: "askline:ready" },
        {
          type: "askline:answer",
          number: 1,
          detail: { id: "ask_1", answers: [{ question: "q1", selected: ["o2"] }] },
        },
        { type: "askline:settled", detail: { id: "ask_1", ours: true, outcome: { kind: "answered" } } },
      ]);
      expect(requests.filter((url) => !url.startsWith("about:"))).toEqual([]);
    } finally {
      await page.context().close();
    }
  });
});

it("can be imported on a server, where it defines nothing", async () => {
  const { AsklineCard, defineCard } = await import(join(root, "dist/people/web/index.js"));
  defineCard();
  expect(AsklineCard.name).toBeTypeOf("string");
  expect(globalThis.customElements).toBeUndefined();
});

/** Counts from now on how many seconds the page works: on a busy machine it waits longer, but works no longer. */
async function countWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
}
