import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "./repository.ts";

const FOLDER = join(root, "docs/images");

it("the pictures of the documents show the screens of today; run npm run docs:pictures", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, "scripts/pictures.mjs"),
    "--text",
  ]);
  const { screens, pages } = JSON.parse(stdout) as Readonly<
    Record<"screens" | "pages", Readonly<Record<string, string>>>
  >;
  const saved = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));
  expect(saved.map((name) => name.replace(".txt", "")).sort()).toEqual(Object.keys(screens).sort());
  for (const [name, text] of Object.entries(screens)) {
    expect(readFileSync(join(FOLDER, `${name}.txt`), "utf8"), name).toBe(text);
    expect(statSync(join(FOLDER, `${name}.png`)).size, name).toBeLessThan(150_000);
  }
  for (const [page, text] of Object.entries(pages)) {
    expect(readFileSync(join(root, page), "utf8"), page).toBe(text);
  }
});
