// The real program and a real browser: the whole demo, a draft that goes from a terminal to the page and back, and a
// server that is killed in the middle.

import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { ASKLINE, endProcesses, openTerminal, start } from "../../cli/processes.ts";
import { newFolder, post, removeFolders, serve } from "../../cli/servers.ts";
import { fileChromium } from "../../support/file-chromium.ts";
import { ready } from "./inbox-page.ts";

const chromium = fileChromium();
afterAll(async () => {
  endProcesses();
  removeFolders();
});

async function openPage(link: string): Promise<Page> {
  const page = await chromium.newPage();
  await page.goto(link);
  return page;
}

it("goes through the whole demo in at most ten clicks and one text, without a reload", async () => {
  const running = start(ASKLINE, [
    ...["serve", "--demo", "--print-link", "--data", newFolder(), "--port", "0", "--log-level", "warn"],
  ]);
  const banner = await running.prints("with the link above.");
  const page = await openPage(/http:\S+\?code=\S+/.exec(banner)?.[0] ?? "");
  const card = page.locator("askline-card");
  let clicks = 0;
  const click = async (name: string, role: "button" | "text" = "text"): Promise<void> => {
    clicks += 1;
    await (role === "button"
      ? page.getByRole("button", { name, exact: true })
      : card.getByText(name, { exact: true })
    ).click();
  };
  await click("Open your inbox", "button");
  await ready(card, "Which database");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await click("PostgreSQL");
  await click("Send", "button");
  await ready(card, "Which checks");
  await click("Unit tests");
  await click("Send", "button");
  await ready(card, "What should the release be called?");
  await card.locator("textarea").first().fill("Aurora");
  await click("Send", "button");
  await ready(card, "Which form");
  await click("JSON");
  await click("Send", "button");
  await ready(card, /deploy|Approve/);
  await click("Approve", "button");
  await page.getByText("All caught up").waitFor();
  const printed = await running.prints("that was the last question.");
  expect(printed).toMatch(/I would tag the release .*Aurora/);
  expect(printed.match(/with the link above/g)).toHaveLength(1);
  expect(clicks).toBeLessThanOrEqual(10);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
  await page.close();
});

it("goes on with a draft from a terminal, gives it back, and outlives a killed server", async () => {
  const data = newFolder();
  const server = await serve(data, { args: ["--person", "ana"] });
  const { id } = await post(server, { questions: [{ question: "Which name?" }] });
  const page = await openPage(server.inbox);
  await page.getByRole("button", { name: "Open your inbox" }).click();
  const card = page.locator("askline-card");
  await ready(card, "Which name?");
  const field = card.locator("textarea").first();
  const terminal = openTerminal(
    `LANG=C.UTF-8 TERM=xterm-256color ASKLINE_URL=${server.url} ASKLINE_DATA=${data} "$NODE" "$ASKLINE" inbox`,
    120,
  );
  /** The cursor is shown again after the text: then keys act. */
  const takesKeys = (times: number): Promise<void> =>
    expect
      .poll(() => {
        const parts = terminal.text().split("Which name?");
        return parts.length > times && parts.at(-1)?.includes("\u001b[?25h");
      })
      .toBe(true);
  await takesKeys(1);
  terminal.type("\r");
  await takesKeys(2);
  terminal.type("Aur");
  await expect.poll(() => field.inputValue()).toBe("Aur");
  await field.fill("Aurora");
  await expect.poll(() => terminal.text()).toContain("Aurora");

  server.running.child.kill("SIGKILL");
  await page.getByText(/No connection to the server/).waitFor();
  await field.fill("Aurora borealis");
  const again = await serve(data, { port: new URL(server.url).port, args: ["--person", "ana"] });
  await page.getByText(/No connection to the server/).waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("Aurora borealis");
  await card.getByRole("button", { name: "Send" }).click();
  await page.getByText("All caught up").waitFor();
  const { stdout } = await again.run(["show", id, "--json"]);
  expect(stdout).toContain("Aurora borealis");
  await page.close();
});
