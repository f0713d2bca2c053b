// Rewrites contract/v1.json from the sources. Review its diff: a client of /v1 must not break.
// test/server/openapi/contract.test.ts fails while the file and the API differ.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./run.mjs";

const outfile = join(root, "node_modules/.cache/askline/contract.mjs");
await build({
  stdin: {
    contents: `export { contractText } from "./test/server/openapi/contract.ts";
export { document } from "./src/server/routes.ts";`,
    resolveDir: root,
  },
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  logLevel: "warning",
});
const { contractText, document } = await import(pathToFileURL(outfile).href);
rmSync(outfile);
writeFileSync(join(root, "contract/v1.json"), contractText(document()));
console.log("contract/v1.json is written; review it: git diff contract");
