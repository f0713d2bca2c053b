import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CardAsk } from "../../../src/people/web/types.ts";
import { nextFrame } from "../../support/chromium.ts";
import { addCard, type CardBrowser, type CardPage, startCards } from "./card-page.ts";

// The card in a page without a server, which gets everything by events. Every state is in states.chromium.test.ts.

let cards: CardBrowser;
let shared: CardPage;
beforeAll(async () => {
  cards = await startCards();
  shared = await cards.open();
  await shared.page.clock.install();
});
afterEach(async () => {
  await shared.page.evaluate(() => document.documentElement.removeAttribute("dir"));
  expect(shared.faults).toEqual([]);
});
afterAll(async () => {
  await cards.close();
});

/** Shows an ask in the place of the one before. The clock goes on until the card takes clicks. */
async function open(ask: CardAsk, properties: object = {}): Promise<CardPage> {
  const { page, card } = shared;
  await page.evaluate(() => {
    for (const before of document.querySelectorAll("askline-card")) before.remove();
    Object.assign(window, { events: [] });
  });
  await page.evaluate(addCard, { ask: ask as object, properties });
  await card.locator("#title").waitFor();
  await wait(page);
  return shared;
}

async function wait(page: CardPage["page"]): Promise<void> {
  await page.waitForLoadState("networkidle");
  await nextFrame(page);
  await page.clock.fastForward(400);
}

async function sent(card: CardPage): Promise<readonly unknown[]> {
  return (await card.events()).filter(([name]) => name !== "draft" && name !== "settled");
}

const AUTH = {
  questions: [
    {
      question: "Which authentication?",
      header: "Auth",
      options: [{ label: "OAuth (Recommended)", description: "An account they have" }, "API key"],
    },
  ],
};
const SEVERAL = {
  allowPartial: true,
  questions: [
    { ...AUTH.questions[0], question: "Which authentication?" },
    {
      question: "Which regions?",
      header: "Regions",
      multiSelect: true,
      maxPicks: 2,
      options: ["EU", "US", "Asia"],
    },
    { question: "Anything else?", options: [] },
  ],
};
const BASH = { approval: { actions: [{ name: "Bash", args: { command: "rm -rf dist", timeout: 5 } }] } };

describe("one question", () => {
  it("is handed to the page with its answer, and then shown with it", async () => {
    const { card, events } = await open(AUTH, { person: "ana" });
    await card.getByRole("radio", { name: "API key" }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered by you on/ }).waitFor();
    expect(await card.getByText("API key").count()).toBe(1);
    expect((await events()).filter(([name]) => name !== "draft")).toMatchObject([
      ["answer", { id: "", answers: [{ question: "q1", selected: ["o2"] }] }],
      [
        "settled",
        { ours: true, outcome: { kind: "answered", by: { kind: "person", id: "ana", surface: "card" } } },
      ],
    ]);
  });

  it("settled with nothing chosen: now Send says what to do, and Skip skips", async () => {
    const { card, events } = await open({ ...AUTH, allowPartial: true });
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByText("If you have no preference, skip the question.").first().waitFor();
    expect((await events()).filter(([name]) => name !== "draft")).toEqual([]);
    await card.getByRole("button", { name: "Skip this question" }).click();
    expect(await card.getByText("If you have no preference").count()).toBe(0);
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    expect((await events()).find(([name]) => name === "answer")).toMatchObject([
      "answer",
      { answers: [{ question: "q1", selected: [], skipped: true }] },
    ]);
  });

  it("has the badge in the place of the words in the label", async () => {
    const { card } = await open(AUTH);
    const radio = card.getByRole("radio", { name: "OAuth recommended", exact: true });
    expect(await radio.count()).toBe(1);
    expect(
      await radio.evaluate(
        (input) =>
          (input.getRootNode() as ShadowRoot).getElementById(input.getAttribute("aria-describedby") ?? "")
            ?.textContent,
      ),
    ).toBe("An account they have");
  });
});

/** What the keys of the form do, from the heading on: the same as in a terminal. */
describe("keys", () => {
  it("are answered by the keyboard alone, with the focus on each heading", async () => {
    const opened = await open(SEVERAL);
    const { card, page, events } = opened;
    const focused = () =>
      page.evaluate(
        () => document.querySelector("askline-card")?.shadowRoot?.activeElement?.textContent ?? "",
      );
    await card.evaluate((element) => element.focus());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await card.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/Which regions\?/);
    await page.keyboard.press("1");
    await page.keyboard.press("3");
    expect(await card.getByRole("checkbox", { checked: true }).count()).toBe(2);
    expect(await card.getByRole("checkbox", { name: "US" }).isDisabled()).toBe(true);
    await page.keyboard.press("n");
    await page.keyboard.type("only at first");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/Anything else\?/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("1 more thing");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toMatch(/Review your answers/);
    await page.keyboard.press("Control+Enter");
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    await expect.poll(focused).toMatch(/^Answered/);
    expect(await sent(opened)).toMatchObject([
      [
        "answer",
        {
          answers: [
            { question: "q1", selected: ["o2"] },
            { question: "q2", selected: ["o1", "o3"], note: "only at first" },
            { question: "q3", selected: [], text: "1 more thing" },
          ],
        },
      ],
    ]);
    expect((await events()).at(-1)?.[0]).toBe("settled");
  });

  it.each([
    [AUTH, ["2", "Control+Enter"], ["answer", { answers: [{ selected: ["o2"] }] }]],
    [AUTH, ["r", "Control+s"], ["answer", { answers: [{ selected: ["o1"] }] }]],
    [AUTH, ["d", "Enter", "Enter"], ["decline", {}]],
    [AUTH, ["c", "W", "h", "y", "Enter"], ["reply", { text: "Why" }]],
    [BASH, ["a", "Control+Enter"], ["decide", { decisions: [{ kind: "approve" }] }]],
    [BASH, ["x", "N", "o", "Enter"], ["decide", { decisions: [{ kind: "reject", message: "No" }] }]],
  ] as const)("%j: %j", async (ask, keys, expected) => {
    const opened = await open(ask);
    await opened.card.evaluate((element) => element.focus());
    for (const key of keys) await opened.page.keyboard.press(key);
    await opened.card.getByRole("heading", { name: / by you on / }).waitFor();
    expect(await sent(opened)).toMatchObject([expected]);
  });

  it("scroll a region that has the focus, instead of moving among the options", async () => {
    const { card, page } = await open({ ...AUTH, context: "line\n\n".repeat(100) });
    const region = card.getByRole("region", { name: "Background" });
    await region.focus();
    await page.keyboard.press("End");
    await expect.poll(() => region.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  });
});

it("goes on where a draft left it, and hands its own to the page", async () => {
  const first = await open(SEVERAL);
  await first.card.getByText("API key").click();
  await first.card.getByRole("button", { name: "Next" }).click();
  await first.page.clock.fastForward(2_000);
  await expect
    .poll(async () => (await first.events()).filter(([name]) => name === "draft").length)
    .toBeGreaterThan(0);
  const [, detail] = (await first.events()).findLast(([name]) => name === "draft") ?? [];
  const second = await open(SEVERAL, { draft: detail?.draft });
  await second.card.getByRole("button", { name: /Auth.*answered/ }).click();
  expect(await second.card.getByRole("radio", { name: "API key" }).isChecked()).toBe(true);
});

it("missed a draft that was saved elsewhere while its own was being read", async () => {
  const { card, page } = await open(AUTH);
  await page.evaluate(() => {
    const draft = (text: string, at: number): object => ({
      version: 1,
      answers: [{ question: "q1", selected: [], own: true, text, at, surface: "phone" }],
    });
    const listeners = new Set<(hint: object) => void>();
    let saved = draft("Aur", 1);
    const client = {
      async draft() {
        const read = saved;
        saved = draft("Aurora", 2);
        for (const tell of listeners) tell({ askId: "ask_1", surface: "phone" });
        listeners.clear();
        return read;
      },
      onDraft(listener: (hint: object) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      wait: () => new Promise(() => undefined),
      saveDraft: async () => undefined,
    };
    const element = document.querySelector("askline-card") as HTMLElement;
    const ask = {
      ...{ id: "ask_1", status: "pending", createdAt: 1, session: "", allowPartial: false, recipients: [] },
      questions: [{ id: "q1", question: "Which name?", options: [], multiSelect: false, freeText: true }],
    };
    Object.assign(element, { client, ask });
  });
  await expect.poll(() => card.getByRole("textbox").inputValue()).toBe("Aurora");
});

it("shows a change of a file as the lines that differ", async () => {
  const { card } = await open({
    approval: {
      actions: [
        { name: "Edit", args: { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" } },
        { name: "Patch", args: { diff: "@@ -1 +1 @@\n-x\n+y" } },
      ],
    },
  });
  const lines = await card
    .locator(".line")
    .evaluateAll((all) => all.map((line) => [line.className, line.querySelector(".code")?.textContent]));
  expect(lines).toEqual([
    ["line same", "one"],
    ["line removed", "two"],
    ["line added", "2"],
    ["line place", "@@ -1 +1 @@"],
    ["line removed", "x"],
    ["line added", "y"],
  ]);
});

describe("clicks and keys that were not meant", () => {
  it("took a click in the first 300 ms after it appeared under the pointer", async () => {
    const { page } = await open(AUTH);
    const answered = await page.evaluate(async () => {
      document.querySelector("askline-card")?.remove();
      const card = document.createElement("askline-card");
      card.answerOnPick = true;
      card.ask = { questions: [{ question: "Ship?", freeText: false, options: ["Yes"] }] };
      let count = 0;
      card.addEventListener("answer", () => {
        count += 1;
      });
      document.querySelector("main")?.append(card);
      // A frame may take longer than the card waits; the change itself does not.
      await new Promise<void>((done) => {
        const watching = new MutationObserver(() => card.shadowRoot?.querySelector("label") && done());
        watching.observe(card.shadowRoot as ShadowRoot, { childList: true, subtree: true });
      });
      const click = { bubbles: true, composed: true, cancelable: true, detail: 1 };
      card.shadowRoot?.querySelector("label")?.dispatchEvent(new MouseEvent("click", click));
      card.shadowRoot?.querySelector("input")?.dispatchEvent(new MouseEvent("click", click));
      await new Promise(requestAnimationFrame);
      return count;
    });
    const card = page.locator("askline-card");
    expect(answered).toBe(0);
    expect(await card.getByRole("radio").isChecked()).toBe(false);
    await card.getByText("Nothing was sent").first().waitFor();
    await wait(page);
    await card.getByText("Yes").click();
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });

  it("took a click in the first 300 ms after the page has shown it, such as in a dialog", async () => {
    const opened = await open(BASH);
    await opened.page.evaluate(async () => {
      const card = document.querySelector("askline-card") as HTMLElement;
      const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      card.hidden = true;
      await frame();
      await frame();
      card.hidden = false;
      await new Promise((done) => new ResizeObserver(done).observe(card));
      const button = card.shadowRoot?.querySelector("[data-row=approve]");
      const options = { bubbles: true, composed: true, cancelable: true, detail: 1 };
      button?.dispatchEvent(new PointerEvent("pointerdown", options));
      button?.dispatchEvent(new MouseEvent("click", options));
    });
    await opened.card.getByText("Nothing was sent").first().waitFor();
    expect(await sent(opened)).toEqual([]);
  });

  it("approved by the click that brought the window to the front", async () => {
    const opened = await open(BASH);
    const approve = opened.card.getByRole("button", { name: "Approve", exact: true });
    await opened.page.evaluate(async () => {
      // Another window comes to the front, and goes.
      document.hasFocus = () => false;
      window.dispatchEvent(new FocusEvent("blur"));
      await new Promise((done) => setTimeout(done));
      document.hasFocus = () => true;
      window.dispatchEvent(new FocusEvent("focus"));
      // At once, also where the machine is slow.
      const button = document.querySelector("askline-card")?.shadowRoot?.querySelector("[data-row=approve]");
      const options = { bubbles: true, composed: true, cancelable: true, detail: 1 };
      button?.dispatchEvent(new PointerEvent("pointerdown", options));
      button?.dispatchEvent(new MouseEvent("click", options));
    });
    await opened.card.getByText("Nothing was sent").first().waitFor();
    expect(await sent(opened)).toEqual([]);
    await wait(opened.page);
    await approve.click();
    await opened.card.getByText("Approved", { exact: true }).waitFor();
  });

  it("sent an answer while an input method was composing it", async () => {
    const opened = await open({ questions: [{ question: "Your name?", options: [] }] });
    await opened.card.getByRole("textbox").fill("たな");
    await opened.card.getByRole("textbox").evaluate((field) => {
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, composed: true }),
      );
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, composed: true }),
      );
    });
    expect(await sent(opened)).toEqual([]);
    await opened.page.keyboard.press("Enter");
    await opened.card.getByRole("heading", { name: /^Answered/ }).waitFor();
  });

  it("missed a button that moved between press and release, because an empty field closed", async () => {
    const { card } = await open(AUTH);
    await card.getByRole("button", { name: "Add a note" }).click();
    await card.getByRole("textbox", { name: "Note" }).and(shared.page.locator(":focus")).waitFor();
    await card.getByRole("button", { name: "Send" }).click({ delay: 50 });
    await card.locator("#issue-choice").getByText("Choose an option or type an answer.").waitFor();
  });
});

it("is laid out from right to left in such a page", async () => {
  const { card, page } = await open({
    questions: [{ question: "איזה אימות?", options: ["OAuth", "מפתח"] }],
  });
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  const [input, label] = await Promise.all([
    card.getByRole("radio", { name: "OAuth" }).boundingBox(),
    card.getByText("OAuth", { exact: true }).boundingBox(),
  ]);
  expect(input?.x).toBeGreaterThan(label?.x ?? 0);
  await card.getByRole("radio", { name: "מפתח" }).click();
  await card.getByRole("button", { name: "Send" }).click();
  await card.getByRole("heading", { name: /^Answered/ }).waitFor();
});

it("turned a command around in a page from right to left", async () => {
  const { card, page } = await open({
    context: "`ls /`",
    approval: { actions: [{ name: "shell", args: { command: "rm -rf /" } }] },
  });
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  const ends = await card.locator("code").evaluateAll((codes) =>
    codes.map((code) => {
      const text = document.createTreeWalker(code, NodeFilter.SHOW_TEXT).nextNode();
      const place = (from: number): number => {
        const range = document.createRange();
        range.setStart(text as Node, from);
        range.setEnd(text as Node, from + 1);
        return range.getBoundingClientRect().x;
      };
      return place(0) < place((text?.textContent?.length ?? 1) - 1);
    }),
  );
  expect(ends).toEqual([true, true]);
});

describe("an ask that has ended", () => {
  it("closes an open card when the page says so, and keeps what was typed in sight", async () => {
    const { card } = await open({ ...AUTH, id: "ask_9" });
    await card.getByRole("radio", { name: "Other" }).click();
    await card.getByRole("textbox").fill("SAML, because of the bank");
    await card.evaluate((element) => {
      const outcome = { kind: "withdrawn", reason: "Found it" };
      const shown = element as unknown as { ask: object };
      shown.ask = { ...shown.ask, outcome };
    });
    await card.getByRole("heading", { name: /^Withdrawn by the agent/ }).waitFor();
    await card.getByText("SAML, because of the bank").waitFor();
  });

  it.each([
    [{ kind: "unavailable" }, "Nobody could be reached on"],
    [
      { kind: "declined", reason: "No", by: { kind: "person", id: "bo", surface: "phone" } },
      "Declined by bo (phone) on",
    ],
    [
      { kind: "replied", text: "Later", by: { kind: "person", id: "bo", surface: "cli", via: "builder" } },
      "Replied to by bo (cli, reported by builder) on",
    ],
  ] as const)("says how: %j", async (outcome, title) => {
    const { card } = await open({ ...AUTH, id: "ask_9", outcome, settledAt: 1_800_000_000_000 } as never);
    expect(await card.getByRole("heading").first().textContent()).toContain(title);
    expect(await card.getByRole("button").count()).toBe(0);
    expect(await card.getByText("Which authentication?").count()).toBe(1);
  });
});

describe("the countdown", () => {
  const left = ({ card }: CardPage): Promise<string | null> => card.locator("[part=time]").textContent();

  it("says the minutes, then the seconds, and that the time is over", async () => {
    const opened = await open({ ...AUTH, timeoutMs: 600_000 });
    const seen: (string | undefined)[] = [];
    for (const seconds of [0, 60, 450, 40, 20, 20, 20]) {
      await opened.page.clock.runFor(seconds * 1_000);
      seen.push((await left(opened))?.trim());
    }
    expect(seen).toEqual([
      "About 10 minutes left",
      "About 9 minutes left",
      "About 2 minutes left",
      "About 50 seconds left",
      "About 30 seconds left",
      "About 10 seconds left",
      "Overdue",
    ]);
    expect(await opened.card.getByRole("status").textContent()).toBe("");
  });

  it("stops when the ask has ended, and follows a deadline that the page moves", async () => {
    const opened = await open({ ...AUTH, id: "ask_1", timeoutMs: 600_000 });
    await opened.card.evaluate((element) => {
      const card = element as unknown as { ask: object };
      card.ask = { ...card.ask, deadline: Date.now() + 2 * 3_600_000 };
    });
    await expect.poll(() => left(opened)).toContain("About 2 hours left");
    await opened.card.getByRole("radio", { name: "API key" }).click();
    await opened.card.getByRole("button", { name: "Send" }).click();
    await opened.card.getByRole("heading", { name: /^Answered/ }).waitFor();
    expect(await opened.card.locator("[part=time]").count()).toBe(0);
  });
});

describe("what a person has set up", () => {
  afterEach(async () => {
    await shared.page.emulateMedia({ forcedColors: null, contrast: null, reducedMotion: null });
  });
  const style = (selector: string, ...names: readonly string[]): Promise<readonly string[]> =>
    shared.card
      .locator(selector)
      .first()
      .evaluate(
        (element, wanted) => wanted.map((name) => getComputedStyle(element).getPropertyValue(name)),
        names,
      );

  it("forced colours: what is chosen has an outline, and its mark can be seen", async () => {
    const { card, page } = await open(AUTH);
    await card.getByRole("radio", { name: "API key" }).click();
    await page.emulateMedia({ forcedColors: "active" });
    expect(await style(".option[data-picked]", "outline-style")).toEqual(["solid"]);
    expect(await style(".option:not([data-picked])", "outline-style")).toEqual(["none"]);
    const [ground, mark] = await card
      .locator("input:checked")
      .evaluate((input) => [
        getComputedStyle(input).backgroundColor,
        getComputedStyle(input, "::after").backgroundColor,
      ]);
    expect(ground).not.toBe(mark);
    const [badge] = await style(".badge", "border-top-style");
    expect(badge).toBe("solid");
    // Colours are the person's own: a button of ours has the one of buttons.
    expect(await style(".primary", "color")).toEqual(await style(".link", "color"));
  });

  it("more contrast: muted text and lines are as strong as the text", async () => {
    await open(AUTH);
    const [muted] = await style(".hint", "color");
    await shared.page.emulateMedia({ contrast: "more" });
    const [strong] = await style(".hint", "color");
    expect(strong).not.toBe(muted);
    expect([strong]).toEqual(await style("h2", "color"));
    expect(await style(".option", "border-top-color")).not.toEqual(["rgb(225, 228, 233)"]);
  });

  it("reduced motion: nothing moves", async () => {
    await open(AUTH);
    const moving = (): Promise<number> =>
      shared.card.evaluate(
        ({ shadowRoot }) =>
          [...(shadowRoot?.querySelectorAll("*") ?? [])].filter((element) => {
            const { transitionDuration, animationName } = getComputedStyle(element);
            return /[1-9]/.test(transitionDuration) || animationName !== "none";
          }).length,
      );
    expect(await moving()).toBeGreaterThan(0);
    await shared.page.emulateMedia({ reducedMotion: "reduce" });
    expect(await moving()).toBe(0);
  });

  it("a theme of the page: custom properties and parts", async () => {
    const { page } = await open(AUTH);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        "askline-card{--askline-accent:rgb(1,2,3);--askline-radius:3px}askline-card::part(option){border-width:5px}",
      );
      document.adoptedStyleSheets = [sheet];
    });
    expect(await style(".primary", "background-color")).toEqual(["rgb(1, 2, 3)"]);
    expect(await style(".card", "border-top-left-radius")).toEqual(["3px"]);
    expect(await style(".option", "border-top-width")).toEqual(["5px"]);
    await page.evaluate(() => (document.adoptedStyleSheets = []));
  });
});
