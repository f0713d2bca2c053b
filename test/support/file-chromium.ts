import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startChromium } from "./chromium.ts";

/** A real Chromium for the tests of a file: started before the first, closed after the last. */
export function fileChromium(): Pick<Browser, "newContext" | "newPage"> {
  let browser: Promise<Browser> | undefined;
  const started = async (): Promise<Browser> => {
    if (browser === undefined) throw new Error("there is no Chromium before the first test");
    return browser;
  };
  beforeAll(async () => {
    browser = startChromium();
    await browser;
  });
  afterAll(async () => {
    await (await browser)?.close();
  });
  return {
    newContext: async (options) => (await started()).newContext(options),
    newPage: async (options) => (await started()).newPage(options),
  };
}
