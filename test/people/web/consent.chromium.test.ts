import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CardAsk } from "../../../src/people/web/types.ts";
import { nextFrame } from "../../support/chromium.ts";
import { type CardBrowser, type CardOptions, type CardPage, settle, startCards } from "./card-page.ts";

// What a person is made to have said: approved unseen, another option than the marked one, or text that was hidden.

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

const PHONE = { viewport: { width: 360, height: 640 } };

async function open(ask: CardAsk, options: CardOptions = PHONE): Promise<CardPage> {
  const opened = await cards.open(ask, options);
  pages.push(opened);
  await settle(opened.page);
  return opened;
}

const sent = async ({ events }: CardPage): Promise<readonly unknown[]> =>
  (await events()).filter(([name]) => name !== "draft" && name !== "settled");

const LINES = Array.from({ length: 200 }, (_, line) => `echo ${line}`);
const LONG = { name: "Bash", args: { command: [...LINES, "rm -rf /"].join("\n"), timeout: 5 } };
const SHORT = { name: "List", args: { path: "." } };

const button = ({ card }: CardPage, name: string): Locator => card.getByRole("button", { name, exact: true });

/** A draft that was saved at another surface. */
const arrive = ({ card }: CardPage, draft: object): Promise<void> =>
  card.evaluate((element, given) => {
    Object.assign(element, { draft: given });
  }, draft);

/** A key that is pressed while the page still moves may scroll no further. */
const still = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        let [last, frames] = [scrollY, 0];
        const look = (): void => {
          frames = scrollY === last ? frames + 1 : 0;
          last = scrollY;
          if (frames === 5) done();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );

/** As a person scrolls: by less than a screen at a time. */
async function readOn(page: Page): Promise<void> {
  await page.mouse.move(100, 300);
  const end = (): Promise<boolean> =>
    page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
  while (!(await end())) {
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before);
  }
  await settle(page);
}

describe("an approval", () => {
  it("was given before the end of its arguments had been on the screen", async () => {
    const opened = await open({ approval: { actions: [LONG] } });
    const { card, page } = opened;
    const approve = button(opened, "Approve");
    // By a script, by the keys of the form, and by a jump to the button over what is above it.
    await approve.evaluate((element: HTMLElement) => element.click());
    await card.evaluate((element) => element.focus());
    await page.keyboard.press("a");
    await page.keyboard.press("Control+Enter");
    await approve.click();
    await approve.press("Enter");
    expect(await sent(opened)).toEqual([]);
    await card.getByText("Before you approve, all of it has to be on the screen").waitFor();
    await readOn(page);
    // Its middle was jumped over, and is looked for.
    if ((await card.getByRole("button", { name: "Show the rest" }).count()) > 0) {
      await page.evaluate(() => scrollTo(0, 0));
      await readOn(page);
    }
    expect(await card.getByRole("button", { name: "Show the rest" }).count()).toBe(0);
    await approve.click();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
    expect(await sent(opened)).toMatchObject([["decide", { decisions: [{ kind: "approve" }] }]]);
  });

  it.each([
    ["Reject", "decide"],
    ["Decline to answer", "decline"],
    ["Say something else instead", "reply"],
  ])("needs no reading for %s", async (name, event) => {
    const opened = await open({ approval: { actions: [LONG] } });
    const { card, page } = opened;
    await button(opened, name).evaluate((element: HTMLElement) => element.click());
    if (event !== "decide") {
      await card.getByRole("textbox").fill("No");
      await page.keyboard.press("Control+Enter");
    }
    await expect.poll(async () => (await sent(opened)).length).toBe(1);
    expect(await sent(opened)).toMatchObject([[event, {}]]);
  });

  it("was given with changed arguments before the first ones had been on the screen", async () => {
    const opened = await open({ approval: { actions: [LONG] } });
    const { card, page } = opened;
    await button(opened, "Change the arguments").evaluate((element: HTMLElement) => element.click());
    await card.getByRole("textbox").fill('{ "command": "ls" }');
    await page.keyboard.press("Control+Enter");
    expect(await sent(opened)).toEqual([]);
  });

  it("was given with arguments that another surface had changed, before they had been on the screen", async () => {
    const opened = await open({ approval: { actions: [SHORT] } });
    const { card, page } = opened;
    const change = (last: string): Promise<void> => {
      const argsText = JSON.stringify({ path: [...LINES, last] }, undefined, 2);
      const decision = { action: "a1", kind: "edit", argsText, at: clock++, surface: "phone" };
      return arrive(opened, { version: 1, answers: [], decisions: [decision] });
    };
    let clock = 9_000_000_000_000;
    const field = card.getByRole("textbox", { name: "Arguments" });
    const rest = card.getByRole("button", { name: "Show the rest" });
    const send = async (): Promise<void> => {
      await settle(page);
      await field.press("Control+Enter");
      await settle(page);
    };
    for (const last of ["rm -rf /a", "rm -rf /b"]) {
      await page.evaluate(() => scrollTo(0, 0));
      await change(last);
      await expect.poll(() => field.inputValue()).toContain(last);
      await send();
      expect(await sent(opened)).toEqual([]);
      // To type something in them is not to read them.
      await field.press("Control+End");
      await field.press("Space");
      await send();
      expect(await sent(opened)).toEqual([]);
      await rest.waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      await readOn(page);
      await expect.poll(() => rest.count()).toBe(0);
    }
    await send();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
    expect(await sent(opened)).toMatchObject([["decide", { decisions: [{ kind: "edit" }] }]]);
  });

  it("needs no second reading of arguments that were typed here, but one of those taken back", async () => {
    const argsText = '{ "path": "/" }';
    const saved = { action: "a1", kind: "edit", argsText, at: 1, surface: "phone" };
    const opened = await open(
      { approval: { actions: [SHORT] } },
      { ...PHONE, properties: { draft: { version: 1, answers: [], decisions: [saved] } } },
    );
    const { card, page } = opened;
    const shown = card.locator("pre[data-read]");
    expect(await shown.allTextContents()).toEqual([argsText]);
    await button(opened, "Undo the changes").click();
    await expect.poll(() => shown.count()).toBe(0);
    await button(opened, "Change the arguments").click();
    const field = card.getByRole("textbox", { name: "Arguments" });
    await field.fill(JSON.stringify({ path: LINES }, undefined, 2));
    expect(await shown.count()).toBe(0);
    const later = { ...saved, at: 9_000_000_000_000 };
    await arrive(opened, { version: 1, answers: [], decisions: [later] });
    await expect.poll(() => shown.allTextContents()).toEqual([argsText]);
    await settle(page);
    await button(opened, "Use mine").click();
    await expect.poll(() => shown.textContent()).toContain("echo 199");
    await button(opened, "Undo the changes").click();
    await button(opened, "Change the arguments").click();
    await field.fill(JSON.stringify({ path: LINES }, undefined, 2));
    await field.press("Control+Enter");
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
  });

  it("can be read and given by the keyboard alone, and says what is missing", async () => {
    const opened = await open({ approval: { actions: [LONG] } });
    const { card, page } = opened;
    const approve = button(opened, "Approve");
    const description = await approve.evaluate(
      (element) =>
        (element.getRootNode() as ShadowRoot).getElementById(element.getAttribute("aria-describedby") ?? "")
          ?.textContent ?? "",
    );
    expect(description).toMatch(/^Before you approve, .* a part of Bash$/);
    // Enter on Approve leads to what is missing and no further, however long it is held.
    await approve.focus();
    for (let press = 0; press < 30; press += 1) await page.keyboard.press("Enter");
    await expect.poll(() => card.getByRole("status").textContent()).toMatch(/^Not all of this has been/);
    expect(await sent(opened)).toEqual([]);
    const focused = (): Promise<string | undefined> =>
      card.evaluate((element) => element.shadowRoot?.activeElement?.tagName);
    expect(await focused()).toBe("DL");
    await page.keyboard.press("Control+Home");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    const rest = card.getByRole("button", { name: "Show the rest" });
    for (let press = 0; press < 60 && (await rest.count()) > 0; press += 1) {
      const before = await page.evaluate(() => scrollY);
      await page.keyboard.press("PageDown");
      await expect
        .poll(async () => (await rest.count()) === 0 || (await page.evaluate(() => scrollY)) > before)
        .toBe(true);
      await still(page);
    }
    await settle(page);
    for (let press = 0; press < 5 && (await focused()) !== "BUTTON"; press += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
  });

  it("is led to by a button, a part at a time", async () => {
    const opened = await open({ approval: { actions: [LONG] } });
    const { card, page } = opened;
    /** In one step, since it goes away by itself. */
    const press = (): Promise<boolean> =>
      card.evaluate((element) => {
        const found = element.shadowRoot?.querySelector<HTMLElement>("[part=unread] button");
        found?.click();
        return found !== null;
      });
    let presses = 0;
    for (; presses < 100 && (await press()); presses += 1) await nextFrame(page);
    expect(presses).toBeGreaterThan(5);
    await settle(page);
    await button(opened, "Approve").click();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
  });

  it("was given in a small box that showed only the beginning", async () => {
    const actions = [{ name: "Bash", args: { command: LINES.slice(0, 20).join("\n") } }];
    const opened = await open({ approval: { actions } }, { viewport: { width: 1_000, height: 900 } });
    const { card, page } = opened;
    // All of it was on the screen already: another ask begins anew.
    await page.evaluate(
      (ask) => {
        const main = document.querySelector("main") as HTMLElement;
        main.style.cssText = "display:block;height:160px;overflow:auto";
        (document.querySelector("askline-card") as HTMLElement & { ask: unknown }).ask = ask;
      },
      {
        approval: { actions: [{ ...actions[0], args: { command: `${LINES.slice(0, 20).join("\n")}\nrm` } }] },
      },
    );
    await card.getByRole("button", { name: "Show the rest" }).waitFor();
    await settle(page);
    await button(opened, "Approve").evaluate((element: HTMLElement) => element.click());
    expect(await sent(opened)).toEqual([]);
    for (let top = 0; top <= 1_200; top += 80) {
      await page.evaluate((place) => {
        (document.querySelector("main") as HTMLElement).scrollTop = place;
      }, top);
      await nextFrame(page);
    }
    await settle(page);
    await button(opened, "Approve").click();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
  });

  it("was given in a part of the page that was folded", async () => {
    const opened = await open({ approval: { actions: [SHORT] } });
    const { card, page } = opened;
    await page.evaluate(
      (ask) => {
        const folded = document.createElement("details");
        folded.append(Object.assign(document.createElement("summary"), { textContent: "Ask" }));
        const element = document.querySelector("askline-card") as HTMLElement & { ask: unknown };
        document.querySelector("main")?.append(folded);
        folded.append(element);
        element.ask = ask;
      },
      { approval: { actions: [{ name: "Delete", args: { path: "/" } }] } },
    );
    await expect.poll(() => card.locator(".name").textContent()).toBe("Delete");
    await card.locator("[data-row=approve]").evaluate((element: HTMLElement) => element.click());
    expect(await sent(opened)).toEqual([]);
    await page.getByText("Ask", { exact: true }).click();
    await settle(page);
    await button(opened, "Approve").click();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
  });

  it("was given for several actions of which one had not been on the screen", async () => {
    const opened = await open({ approval: { actions: [SHORT, LONG] } });
    const { card, page } = opened;
    const decide = (action: string, name: string): Promise<void> =>
      card
        .getByRole("radiogroup", { name: `Decision about ${action}` })
        .getByRole("radio", { name, exact: true })
        .evaluate((element: HTMLElement) => element.click());
    const send = (): Promise<void> =>
      button(opened, "Send").evaluate((element: HTMLElement) => element.click());
    await decide("List", "Approve");
    await decide("Bash", "Approve");
    await send();
    expect(await sent(opened)).toEqual([]);
    // Rejected, it needs no reading.
    await settle(page);
    await decide("Bash", "Reject");
    await send();
    await card.getByRole("heading", { name: /^Decided/ }).waitFor();
    expect(await sent(opened)).toMatchObject([
      ["decide", { decisions: [{ kind: "approve" }, { kind: "reject" }] }],
    ]);
  });
});

describe("arguments", () => {
  const text = (card: Locator, name: string): Promise<string | null> =>
    card
      .locator("dl > div", { has: card.page().getByText(name, { exact: true }) })
      .locator("pre")
      .first()
      .textContent();

  it("hid the text behind the language of a fence, in an argument named plan", async () => {
    const plan = "Steps:\n\n```sh rm -rf /\nls\n```\n\n[x]: http://a.example 'hidden'";
    const { card } = await open({ approval: { actions: [{ name: "Plan", args: { plan } }] } });
    expect(await text(card, "plan")).toBe(plan);
    await card.getByText("rm -rf /").first().waitFor();
    await card.getByText("Formatted").click();
    await card.locator(".markdown").getByText("rm -rf /").waitFor();
  });

  it("were shown as a difference because of a text with @@ or of their names", async () => {
    const patch = "@@ -1 +1 @@\n-rm -rf /\n+ls";
    const args = { patch, old_string: "rm -rf /", new_string: "ls" };
    const { card } = await open({ approval: { actions: [{ name: "run", args }] } });
    for (const [name, value] of Object.entries(args)) expect(await text(card, name)).toBe(value);
    const removed = card.locator(".line.removed .code", { hasText: "rm -rf /" });
    expect(await removed.allTextContents()).toEqual(["rm -rf /", "rm -rf /"]);
    await card.getByText("The difference between old_string and new_string").waitFor();
  });

  it("had the folders of a path in another order, because of letters from right to left", async () => {
    const path = "/home/אב/גד/١/٢/ab.txt";
    const { card, page } = await open({
      approval: { actions: [{ name: "delete אב/גד", args: { path, command: `rm ${path}` } }] },
    });
    const order = (): Promise<readonly string[]> =>
      card.locator("pre, .name").evaluateAll((all) =>
        all.map((element) => {
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          const places: [number, string][] = [];
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            for (const { 0: word = "", index } of (node.textContent ?? "").matchAll(/[^/\s]+|\//g)) {
              const range = document.createRange();
              range.setStart(node, index);
              range.setEnd(node, index + word.length);
              places.push([range.getBoundingClientRect().x, word]);
            }
          }
          return places
            .sort(([one], [other]) => one - other)
            .map(([, word]) => word)
            .join("");
        }),
      );
    const expected = ["deleteאב/גד", path, `rm${path}`];
    expect(await order()).toEqual(expected);
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
    expect(await order()).toEqual(expected);
  });
});

describe("arguments that a person had changed", () => {
  it("were shown after the decision with invisible letters, and in another order", async () => {
    const path = "/home/אב/גד/\u202egpj\u200b.sh";
    const decided = {
      kind: "decided",
      decisions: [{ action: "a1", kind: "edit", args: { path } }],
      by: { kind: "person", id: "ana", surface: "phone" },
    };
    const ask = { id: "ask_1", status: "decided", approval: { actions: [SHORT] }, outcome: decided };
    const { card } = await open(ask as unknown as CardAsk);
    await card.getByText("/home/").waitFor();
    const shown = card.locator("pre", { hasText: "/home/" });
    expect(await shown.textContent()).toBe("/home/אב/גד/\\u202egpj\\u200b.sh");
    expect(await shown.locator("bdi").allTextContents()).toEqual(["אב", "גד"]);
  });
});

describe("a draft that arrives", () => {
  const QUESTION = { questions: [{ question: "Which?", options: ["One", "Two", "Three"] }] };
  const draft = (selected: readonly string[]): object => ({
    version: 1,
    answers: [{ question: "q1", selected, own: false, at: 9_000_000_000_000, surface: "phone" }],
  });

  it("marked one option while Enter sent another", async () => {
    const opened = await open(QUESTION);
    const { card, page } = opened;
    await card.evaluate((element) => element.focus());
    await page.keyboard.press("ArrowDown");
    expect(await card.getByRole("radio", { name: "One" }).evaluate((one) => one.matches(":focus"))).toBe(
      true,
    );
    await arrive(opened, draft(["o3"]));
    await expect.poll(() => card.getByRole("radio", { name: "Three" }).isChecked()).toBe(true);
    await expect
      .poll(() => card.getByRole("radio", { name: "Three" }).evaluate((one) => one.matches(":focus")))
      .toBe(true);
    await page.keyboard.press("Enter");
    await card.getByRole("heading", { name: /^Answered/ }).waitFor();
    expect(await sent(opened)).toMatchObject([["answer", { answers: [{ selected: ["o3"] }] }]]);
  });
});
