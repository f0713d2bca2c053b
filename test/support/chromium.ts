import { type Browser, chromium, type Page } from "playwright-core";
import { findFullChromium } from "../../scripts/prerequisites/chromium.mjs";
import { askBroker } from "./ask-broker.ts";
import { WAIT_MS } from "./limits.ts";

/** The Chromium of this run. Others see nothing of the contexts that are opened here, and `close` closes only them. */
export async function startChromium(): Promise<Browser> {
  return patient(await chromium.connect(await askBroker("chromium")));
}

/** A Chromium of its own that shows notifications, which the headless shell denies. */
export async function startFullChromium(): Promise<Browser> {
  const executablePath = findFullChromium();
  if (executablePath === undefined) throw new Error("there is no Chromium; `npm test` installs one");
  return patient(await chromium.launch({ executablePath }));
}

/** Its contexts wait as long as all tests do. */
function patient(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    return context;
  };
  return browser;
}

/** Waits for the next frame: only then does a card know that it has appeared, and begins to take no clicks. */
export async function nextFrame(page: Page): Promise<void> {
  // Not by an animation frame, which belongs to the clock of the page.
  await page.evaluate(
    "new Promise((done) => new ResizeObserver((_, sizes) => done(sizes.disconnect())).observe(document.documentElement))",
  );
}

/** Waits until a card that is shown takes clicks: it takes none in its first 300 ms, and a person needs longer. */
export async function quietTime(page: Page): Promise<void> {
  await nextFrame(page);
  await page.evaluate("new Promise((done) => setTimeout(done, 350))");
}
