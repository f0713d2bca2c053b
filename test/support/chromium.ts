import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium, findFullChromium } from "../../scripts/prerequisites/chromium.mjs";

/** A real Chromium. `hosts` resolve to this machine. */
export async function startChromium(hosts: readonly string[] = []): Promise<Browser> {
  return launch(findChromium(), hosts);
}

/** One that shows notifications, which the headless shell denies. */
export async function startFullChromium(): Promise<Browser> {
  return launch(findFullChromium(), []);
}

async function launch(executablePath: string | undefined, hosts: readonly string[]): Promise<Browser> {
  if (executablePath === undefined) throw new Error("there is no Chromium; `npm test` installs one");
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(",");
  return chromium.launch({
    executablePath,
    args: [`--host-resolver-rules=${rules}`],
  });
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
