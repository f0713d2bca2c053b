import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../scripts/prerequisites/chromium.mjs";

/** A real Chromium. `hosts` resolve to this machine. */
export async function startChromium(hosts: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("there is no Chromium; `npm test` installs one");
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(",");
  return chromium.launch({
    executablePath,
    // Root, as in containers, has no sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--host-resolver-rules=${rules}`],
  });
}
