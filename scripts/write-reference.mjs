// Rewrites docs/reference.md, options.md and errors.md from the tables and types of the sources.
// test/package/reference.test.ts fails while they differ.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./run.mjs";

const reference = await load("test/package/reference.ts");
const options = await load("test/package/options.ts");
write("docs/reference.md", reference.referenceText());
write("docs/options.md", options.optionsText(root));
write("docs/errors.md", options.errorsText(root));

function write(path, text) {
  writeFileSync(join(root, path), text);
  console.log(`${path} is written; review it: git diff ${path}`);
}

async function load(path) {
  const outfile = join(root, "node_modules/.cache/askline/reference.mjs");
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["oxc-parser"],
    logLevel: "warning",
  });
  const module = await import(`${pathToFileURL(outfile).href}?${path}`);
  rmSync(outfile);
  return module;
}
