import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { until } from "../server/open-server.ts";
import { quietTime } from "../support/chromium.ts";
import { fileChromium } from "../support/file-chromium.ts";
import { ASKLINE, endProcesses, run, start } from "./processes.ts";
import { newFolder, removeFolders } from "./servers.ts";

const chromium = fileChromium();
afterEach(endProcesses);
afterAll(removeFolders);

describe("askline demo on a machine where nothing runs", () => {
  it("is one command and two clicks to the first answered question, and the next appears by itself", async () => {
    const folder = newFolder();
    const opened = join(folder, "opened");
    const browser = join(folder, "browser");
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
    );
    chmodSync(browser, 0o755);
    const env = { ASKLINE_DATA: join(folder, "data"), BROWSER: browser };
    const demo = start(ASKLINE, ["demo"], { env });
    try {
      await until(async () => existsSync(opened) || undefined);
      const page = await chromium.newPage();
      await page.goto(readFileSync(opened, "utf8"));
      const choice = page.getByText("Several servers can share it");
      await choice.waitFor();
      await quietTime(page);
      await choice.click();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("heading", { name: "Which checks must pass before a release?" }).waitFor();
      expect(await demo.prints("(2 of 5)")).toContain("I would add PostgreSQL to the service.");
    } finally {
      demo.child.kill("SIGINT");
      await demo.ended;
      expect((await run(ASKLINE, ["stop"], { env })).stdout).toContain("Stopped the background server");
    }
  });
});
