// How a person uses a card: with a mouse, with the keyboard alone, or by touch on a phone. A step says what is meant;
// each of the three does it in its own way.

import type { BrowserContextOptions, Locator } from "playwright-core";
import { expect } from "vitest";
import { nextFrame } from "../../../support/chromium.ts";
import type { CardPage } from "../card-page.ts";
import { checkAccessibility, checkFocus, checkSizes } from "./look.ts";

export interface Person {
  readonly options: BrowserContextOptions;
  /** Chooses an option, or a decision about an action. */
  pick(page: CardPage, name: string, group?: string): Promise<void>;
  press(page: CardPage, name: string | RegExp): Promise<void>;
  /** Puts this in the place of what a text field holds. */
  write(page: CardPage, text: string, field: string): Promise<void>;
  choose(page: CardPage, option: string, select: string): Promise<void>;
  /** `used`: something was done at the card before. */
  look(page: CardPage, place: string, used: boolean): Promise<void>;
}

const DESKTOP = { viewport: { width: 800, height: 900 }, reducedMotion: "reduce" } as const;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

function choice({ card }: CardPage, name: string, group?: string): Locator {
  const inside = group === undefined ? card : card.getByRole("radiogroup", { name: group });
  return inside
    .getByRole("radio", { name, exact: true })
    .or(inside.getByRole("checkbox", { name, exact: true }));
}

const button = ({ card }: CardPage, name: string | RegExp): Locator =>
  card.getByRole("button", { name, exact: typeof name === "string" });

const field = ({ card }: CardPage, name: string): Locator => card.getByRole("textbox", { name, exact: true });

/** The page's clock goes on: a card takes no click within 300 ms after something has appeared in it. */
async function wait({ page }: CardPage): Promise<void> {
  await nextFrame(page);
  await page.clock.fastForward(400);
}

/** By pointer: `act` is a click or a tap. */
function pointing(
  options: BrowserContextOptions,
  act: (target: Locator) => Promise<void>,
  look: Person["look"],
): Person {
  return {
    options,
    look,
    async pick(page, name, group) {
      await wait(page);
      // The label, which is what a person aims at.
      const id = await choice(page, name, group).getAttribute("id");
      await act(page.card.locator(`label[for="${id}"]`));
    },
    async press(page, name) {
      await wait(page);
      await act(button(page, name));
    },
    async write(page, text, name) {
      await act(field(page, name));
      await field(page, name).selectText();
      await page.page.keyboard.insertText(text);
    },
    async choose(page, option, select) {
      // The list of a select belongs to the browser, not to the page.
      await page.card.getByRole("combobox", { name: select }).selectOption({ label: option });
    },
  };
}

/** Goes on with `key` until one of these elements has the focus. */
async function reach({ page }: CardPage, targets: Locator, key: string): Promise<void> {
  const focused = targets.and(page.locator(":focus"));
  await targets.first().waitFor();
  for (let count = 0; count < 60; count += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press(key);
  }
  expect.fail(`${String(targets)} cannot be reached with ${key}`);
}

const keyboard: Person = {
  options: DESKTOP,
  look: checkFocus,
  async pick(page, name, group) {
    const target = choice(page, name, group);
    const isRadio = (await target.getAttribute("type")) === "radio";
    if (isRadio) {
      // Tab enters a group of radio buttons, and the arrows move in it.
      const inside = group === undefined ? page.card : page.card.getByRole("radiogroup", { name: group });
      await reach(page, inside.getByRole("radio"), "Tab");
      await page.page.keyboard.press("Home");
    }
    // The text field takes the focus as soon as the arrows come to its option.
    const id = await target.getAttribute("id");
    const text = page.card.locator(`.option:has([id="${id}"]) textarea`);
    await reach(page, target.or(text), isRadio ? "ArrowDown" : "Tab");
    if ((await text.count()) > 0) return;
    // Enter takes a choice and goes on.
    const goesOn = await page.card.evaluate((card) => card.hasAttribute("answer-on-pick"));
    await page.page.keyboard.press(goesOn ? "Enter" : "Space");
  },
  async press(page, name) {
    await reach(page, button(page, name), "Tab");
    await page.page.keyboard.press("Enter");
  },
  async write(page, text, name) {
    await reach(page, field(page, name), "Tab");
    await page.page.keyboard.press("ControlOrMeta+a");
    await page.page.keyboard.insertText(text);
  },
  async choose(page, option, select) {
    const list = page.card.getByRole("combobox", { name: select });
    await reach(page, list, "Tab");
    const options = await list.locator("option").allTextContents();
    const chosen = await list.evaluate((element) => (element as HTMLSelectElement).selectedIndex);
    const steps = options.indexOf(option) - chosen;
    for (let count = 0; count < Math.abs(steps); count += 1) {
      await page.page.keyboard.press(steps > 0 ? "ArrowDown" : "ArrowUp");
    }
  },
};

export const PEOPLE: Readonly<Record<"mouse" | "keyboard" | "touch", Person>> = {
  mouse: pointing(DESKTOP, (target) => target.click(), checkAccessibility),
  keyboard,
  touch: pointing(PHONE, (target) => target.tap(), checkSizes),
};
