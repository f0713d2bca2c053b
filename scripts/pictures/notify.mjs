// The pictures of docs/notify.md. A notification itself is drawn by the system, which a browser without a screen does not have.
import { spawn } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { findFullChromium } from "../prerequisites/chromium.mjs";
import { root } from "../run.mjs";

// Nobody listens here, and nothing is asked.
const SERVICE = "http://127.0.0.1:9";

export const notifyPictures = [
  { name: "notify-bell", take: (_browser, shoot) => takeNotify(shoot, (page) => page) },
  { name: "notify-settings", take: (_browser, shoot) => takeNotify(shoot, openSettings) },
];

async function takeNotify(shoot, then) {
  const data = mkdtempSync(join(tmpdir(), "askline-capture-"));
  const server = spawn(process.execPath, [
    join(root, "dist/bin/askline.js"),
    ...["serve", "--data", data, "--port", "0", "--json", "--print-link", "--log-level", "error"],
    ...["--push-contact", "mailto:ops@example.com", "--push-host", SERVICE],
  ]);
  // Notifications need the full browser.
  const browser = await chromium.launch({ executablePath: findFullChromium() });
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    const { inbox } = JSON.parse(line);
    const context = await browser.newContext({
      ...{ permissions: ["notifications"], viewport: { width: 390, height: 420 }, deviceScaleFactor: 2 },
      userAgent: "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/143.0.0.0 Mobile Safari/537.36",
    });
    await context.addInitScript(stubPush, subscription());
    const page = await context.newPage();
    await page.goto(inbox);
    await page.getByRole("button", { name: "Open your inbox" }).click();
    await page.getByRole("button", { name: "Notify me on this device" }).waitFor();
    const shown = await then(page);
    const text = await (shown === page ? page.locator("body") : shown).ariaSnapshot();
    return { text, png: shoot && (await shown.screenshot()) };
  } finally {
    await browser.close();
    server.kill();
    await once(server, "exit");
    rmSync(data, { recursive: true, force: true });
  }
}

async function openSettings(page) {
  await page.getByRole("button", { name: "Notify me on this device" }).click();
  await page.getByRole("button", { name: "Notifications on this device: on" }).click();
  await page.getByRole("checkbox", { name: "Quiet hours" }).check();
  await page.getByLabel("From").waitFor();
  return page.getByRole("region", { name: "Notifications" });
}

function subscription() {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  return {
    endpoint: `${SERVICE}/phone`,
    keys: { p256dh: keys.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") },
  };
}

/** A browser without a screen has no push service. Runs in the page. */
function stubPush(made) {
  let isOn = false;
  const own = { ...made, options: {}, toJSON: () => made };
  PushManager.prototype.getSubscription = async () => (isOn ? own : null);
  PushManager.prototype.subscribe = async () => {
    isOn = true;
    return own;
  };
}
