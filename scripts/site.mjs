// `npm run docs:site`: builds the documents as a static site with search, docs/.vitepress/dist. Fails on a dead link.
// VitePress belongs to docs/ and never enters the main install; the first run installs it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, runNode, runProgram } from "./run.mjs";

const docs = join(root, "docs");
const { devDependencies } = JSON.parse(readFileSync(join(docs, "package.json"), "utf8"));
const installed = join(docs, "node_modules/vitepress/package.json");
if (
  !existsSync(installed) ||
  JSON.parse(readFileSync(installed, "utf8")).version !== devDependencies.vitepress
) {
  console.log("installing the packages of docs/, once");
  const { ok } = runProgram("npm", ["ci", "--prefix", docs, "--no-audit", "--no-fund"]);
  if (!ok) throw new Error("the packages of docs/ could not be installed: npm needs its registry");
}
const { ok } = runNode([join(docs, "node_modules/vitepress/bin/vitepress.js"), "build", docs]);
process.exitCode = ok ? 0 : 1;
