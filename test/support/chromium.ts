import { type Browser, chromium } from "playwright-core";
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
