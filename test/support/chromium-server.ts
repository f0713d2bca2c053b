import { chromium } from "playwright-core";
import { findChromium } from "../../scripts/prerequisites/chromium.mjs";

/** Plain http to a name that is not loopback, as on a LAN. The shared Chromium finds it on this machine, and sends no Sec-Fetch-Site there. */
export const LAN_HOST = "ask.lan";

/** Launches the Chromium that all tests of a run share. */
export async function launchChromiumServer(): Promise<{
  readonly url: string;
  remove(): Promise<void>;
}> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("there is no Chromium; `npm test` installs one");
  const server = await chromium.launchServer({
    executablePath,
    host: "127.0.0.1",
    args: [`--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`],
  });
  return { url: server.wsEndpoint(), remove: () => server.close() };
}
