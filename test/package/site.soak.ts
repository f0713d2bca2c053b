// VitePress installs a hundred packages and builds for some seconds, so this is not part of `npm test`. Dead links are
// found there too, by links.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./repository.ts";

it("the documents build as a site with every page, without a dead link", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/site.mjs")], {
    encoding: "utf8",
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
  const site = join(root, "docs/.vitepress/dist");
  const pages = readdirSync(join(root, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  for (const page of ["index.html", ...pages.map((name) => name.replace(/\.md$/, ".html"))]) {
    expect(existsSync(join(site, page)), page).toBe(true);
  }
});
