// VitePress installs a hundred packages and builds for some seconds, so this is not part of `npm test`. Dead links are
// found there too, by links.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { root } from "./repository.ts";

const SITE = join(root, "docs/.vitepress/dist");

it("the documents build as a site with every page, without a dead link", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/site.mjs")], {
    encoding: "utf8",
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
  const pages = readdirSync(join(root, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  for (const page of ["index.html", ...pages.map((name) => name.replace(/\.md$/, ".html"))]) {
    expect(existsSync(join(SITE, page)), page).toBe(true);
  }
});

it("the site can be searched, and fits a phone", async () => {
  const types: Readonly<Record<string, string>> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
  };
  const host = createServer(({ url = "/" }, response) => {
    const file = join(SITE, new URL(url, "http://site").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
    return response.end(readFileSync(file));
  });
  await new Promise<void>((done) => {
    host.listen(0, "127.0.0.1", done);
  });
  const chromium = await startChromium();
  try {
    const page = await chromium.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.setViewportSize({ width: 390, height: 800 });
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    for (const name of readdirSync(SITE).filter((file) => file.endsWith(".html"))) {
      await page.goto(`${url}/${name}`);
      const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(wider, `${name} is wider than a phone`).toBe(0);
    }
    await page.goto(`${url}/start.html`);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("remembered rule");
    await page.getByRole("option").first().click();
    await page.waitForURL(/rules\.html/);
    expect(faults).toEqual([]);
  } finally {
    await chromium.close();
    host.close();
  }
});
