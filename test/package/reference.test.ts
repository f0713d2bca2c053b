import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { errorsText, optionsText } from "./options.ts";
import { referenceText } from "./reference.ts";
import { root } from "./repository.ts";

const PAGES = {
  "docs/reference.md": referenceText(),
  "docs/options.md": optionsText(root),
  "docs/errors.md": errorsText(root),
};

it.each(Object.entries(PAGES))("%s is what node scripts/write-reference.mjs writes", (path, text) => {
  expect(readFileSync(join(root, path), "utf8")).toBe(text);
});

it("every field, option and error of the reference has a meaning", () => {
  const empty = Object.entries(PAGES).flatMap(([path, text]) =>
    text
      .split("\n")
      .filter((line) => /^\| `/.test(line) && (/\|\s+\|$/.test(line) || /^\| `\w+` \|\s+\|/.test(line)))
      .map((line) => `${path}: ${line}`),
  );
  expect(empty).toEqual([]);
});
