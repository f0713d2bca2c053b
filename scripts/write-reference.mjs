// Rewrites docs/reference.md from the tables of the model. test/package/reference.test.ts fails while they differ.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./run.mjs";

const outfile = join(root, "node_modules/.cache/askline/reference.mjs");
await build({
  entryPoints: [join(root, "test/package/reference.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "warning",
});
const { referenceText } = await import(pathToFileURL(outfile).href);
rmSync(outfile);
writeFileSync(join(root, "docs/reference.md"), referenceText());
console.log("docs/reference.md is written; review it: git diff docs/reference.md");
