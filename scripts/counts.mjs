// Counts the size of the code, its public names, and what it says more than once.
// `node scripts/counts.mjs`, or `node scripts/counts.mjs --at REVISION` for the files of a commit.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { root } from "./run.mjs";

const ENDINGS = ["answer", "decide", "decline", "reply"];

const at = process.argv.indexOf("--at");
const revision = at === -1 ? undefined : process.argv[at + 1];
const tree = revision === undefined ? root : checkOut(revision);
try {
  console.log(revision ?? "working tree");
  for (const [name, value] of Object.entries(countAll(tree)))
    console.log(`${String(value).padStart(8)}  ${name}`);
} finally {
  if (tree !== root) rmSync(tree, { recursive: true, force: true });
}

function countAll(folder) {
  const src = filesBelow(folder, "src");
  const test = filesBelow(folder, "test");
  const names = publicNames(folder);
  const outsideWords = src.filter(({ path }) => !path.startsWith("src/core/words/"));
  const outside = src.filter(({ path }) => !/\/(form|words|testing)\//.test(path));
  return {
    "top folders of src": readdirSync(join(folder, "src"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    ).length,
    "files of src": src.length,
    "lines of src": linesOf(src),
    "files of test": test.length,
    "lines of test": linesOf(test),
    "types for an ending": sum(outsideWords, endingTypes),
    "relays: parts that withdraw, report or lease asks for an agent": relays(src).size,
    "public names": names.reduce((total, { size }) => total + size, 0),
    "public names of the root": names[0].size,
    "conditional spreads": sum(src, ({ text }) =>
      matches(text, /\.\.\.\([^;]{0,160}?(?:\? \{\} : \{|&& \{)/g),
    ),
    "schemas written by hand": sum(src, handWrittenSchemas),
    'files with "answer", "decide", "decline" or "reply" outside form, words, testing':
      outside.filter(namesEnding).length,
  };
}

function checkOut(commit) {
  const folder = mkdtempSync(join(tmpdir(), "askline-counts-"));
  const git = spawnSync("git", ["archive", commit, "src", "test", "package.json"], {
    cwd: root,
    maxBuffer: 1024 * 1024 * 1024,
  });
  if (git.status !== 0) throw new Error(String(git.stderr));
  spawnSync("tar", ["-x", "-C", folder], { input: git.stdout });
  return folder;
}

function filesBelow(folder, name) {
  return readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|mjs|css|html)$/.test(path) && !path.includes("node_modules"))
    .map((path) => ({ path: `${name}/${path}`, text: readFileSync(join(folder, name, path), "utf8") }));
}

/** The names of each subpath, types included; the root is the first. */
function publicNames(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.values(exports)
    .filter((target) => target.types !== undefined)
    .map(({ types }) => join(folder, types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts")))
    .map((file) => (existsSync(file) ? file : file.replace(/\.ts$/, ".tsx")))
    .map((file) => {
      const exported = parseSync(file, readFileSync(file, "utf8")).module.staticExports;
      return new Set(exported.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name)));
    });
}

/** Types and interfaces that name at least three of the four endings, as literals or as fields. */
function endingTypes({ path, text }) {
  let found = 0;
  const count = ({ start, end }) => {
    const named = ENDINGS.filter((name) =>
      new RegExp(`"${name}"|readonly ${name}\\??:`).test(text.slice(start, end)),
    );
    if (named.length >= 3) found += 1;
  };
  new Visitor({ TSTypeAliasDeclaration: count, TSInterfaceDeclaration: count }).visit(
    parseSync(path, text).program,
  );
  return found;
}

/**
 * Whether the type of an ending stands in it as a literal. The same words of another protocol, and as the names of
 * fields, are no endings.
 */
function namesEnding({ path, text }) {
  if (!/\.tsx?$/.test(path)) return false;
  let found = false;
  const visit = ({ value, start, end }) => {
    const before = text.slice(text.lastIndexOf("\n", start) + 1, start);
    const isOther = /\b(actions?|decision|path)\b|\bPick</i.test(before) || text.startsWith(" in ", end);
    if (ENDINGS.includes(value) && !isOther) found = true;
  };
  new Visitor({ Literal: visit }).visit(parseSync(path, text).program);
  return found;
}

/** Adapters, agents and routes that drive an ask themselves; everything in a folder `relay` is one. */
function relays(files) {
  return new Set(
    files
      .filter(({ path }) =>
        /\/(adapters|agents(?!\/(sessions|set-up|shapes|tool)\/)|relay|frameworks)\/|\/api\/hooks/.test(path),
      )
      .filter(({ text }) => /\.(withdraw|report|claimResume)\(/.test(text))
      .map(
        ({ path }) =>
          /.*\/relay\//.exec(path)?.[0] ?? path.replace("/frameworks/", "/").split("/").slice(0, 3).join("/"),
      )
      .map((part) => part.replace(/\.ts$/, "")),
  );
}

/** Entries of the table of schemas that are not made from a table of the model. */
function handWrittenSchemas({ path, text }) {
  if (!path.endsWith("openapi/schemas.ts")) return 0;
  const derived =
    "(?:sent|sentVariants|read|readVariants|taken|askInput|questionInput|optionInput|reportInput)\\(";
  return matches(text, new RegExp(`^ {2,4}[A-Z]\\w+: (?!(?:\\(\\): JsonObject =>\\s*)?${derived})`, "gm"));
}

function linesOf(files) {
  return sum(files, ({ text }) => matches(text, /\n/g));
}

function matches(text, pattern) {
  return text.match(pattern)?.length ?? 0;
}

function sum(items, toNumber) {
  return items.reduce((total, item) => total + toNumber(item), 0);
}
