import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { referenceText } from "./reference.ts";
import { root } from "./repository.ts";

it("docs/reference.md has every field of the model; run node scripts/write-reference.mjs", () => {
  expect(readFileSync(join(root, "docs/reference.md"), "utf8")).toBe(referenceText());
});
