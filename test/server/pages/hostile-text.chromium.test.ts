import { afterEach, describe, expect, it } from "vitest";
import { fileChromium } from "../../support/file-chromium.ts";
import { closeServers, openServer } from "../open-server.ts";

const chromium = fileChromium();
afterEach(closeServers);

describe("arguments to approve, in a browser without script", () => {
  it("hid invisible and turning characters from the person who approves", async () => {
    const open = await openServer();
    const command = "rm -rf \u200b\u202e/tmp\u2066\u{e0041}\ufeff";
    await open.hub.post({ approval: { actions: [{ name: "run", args: { command } }] } });
    const page = await chromium.newPage({ javaScriptEnabled: false });
    const { code } = await open.auth.createInboxCode("ana");
    await page.goto(`http://127.0.0.1:${open.port}/?code=${code}`);
    await page.getByRole("button", { name: "Open your inbox" }).click();
    await page.getByText("Signed in as").waitFor();
    const shown = (await page.locator("main, body").first().textContent()) ?? "";
    for (const visible of ["\\u200b", "\\u202e", "\\u2066", "\\udb40\\udc41", "\\ufeff"]) {
      expect(shown).toContain(visible);
    }
    expect(shown).not.toMatch(/[\u200b\u202e\u2066\ufeff]|\udb40/);
    await page.close();
  });
});
