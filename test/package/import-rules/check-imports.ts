import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { findImports } from "./find-imports.ts";
import type { Allowed, Rule } from "./read-rules.ts";

/** Every breach of the rules below `src`, one line each, in the order of the files. */
export function checkImports(src: string, rules: readonly Rule[]): readonly string[] {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .sort();
  return [...checkFolders(files, rules), ...files.flatMap((file) => checkFile(src, file, rules))];
}

function checkFolders(files: readonly string[], rules: readonly Rule[]): readonly string[] {
  const present = new Set(files.map(folderOf));
  const known = new Set(rules.map((rule) => rule.folder));
  return [
    ...[...present].filter((name) => !known.has(name)).map((name) => `src/${name} has no rule`),
    ...rules
      .filter((rule) => present.has(rule.folder) === rule.planned)
      .map((rule) =>
        rule.planned
          ? `src/${rule.folder} has files, but its rule is still among the planned ones`
          : `src/${rule.folder} has a rule, but no files`,
      ),
  ];
}

function checkFile(src: string, file: string, rules: readonly Rule[]): readonly string[] {
  const rule = rules.find(({ folder }) => folder === folderOf(file));
  if (rule === undefined) return [];
  return findImports(file, readFileSync(join(src, file), "utf8")).flatMap(({ specifier }) => {
    const why =
      specifier === undefined
        ? "the name of an imported module must be written out"
        : refusal(file, specifier, rule);
    return why === undefined ? [] : [`${file} imports ${specifier ?? "a computed name"}: ${why}`];
  });
}

function refusal(file: string, specifier: string, rule: Rule): string | undefined {
  if (!specifier.startsWith(".")) return packageRefusal(specifier, rule);
  const target = posix.join(dirname(file), specifier).replace(/\.js$/, ".ts");
  if (target.startsWith("..")) return "this is outside of src";
  if (folderOf(target) !== rule.folder) {
    return allows(rule.folders, folderOf(target)) || allows(rule.folders, target)
      ? undefined
      : `${rule.folder} may import ${list(rule.folders)}`;
  }
  const [from, to] = [memberOf(file), memberOf(target)];
  return from === to || allows(rule.siblings, to)
    ? undefined
    : `of its siblings, ${rule.folder} may import ${list(rule.siblings)}`;
}

function packageRefusal(specifier: string, rule: Rule): string | undefined {
  const name = packageOf(specifier);
  // By our own name a file could reach any folder, past every rule.
  if (name === "askline") return "our own files are imported by a relative path";
  return allows(rule.packages, name)
    ? undefined
    : `of packages, ${rule.folder} may import ${list(rule.packages)}`;
}

/** `node:`, or the name of the npm package that a specifier leads to. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return "node:";
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function folderOf(file: string): string {
  return file.split("/")[0] ?? "";
}

/** `sqlite` for both `stores/sqlite.ts` and `stores/sqlite/migrations.ts`: together they are one store. */
function memberOf(file: string): string {
  return basename(file.split("/")[1] ?? "", ".ts");
}

function allows(allowed: Allowed, name: string): boolean {
  return allowed === "all" || allowed.includes(name);
}

function list(allowed: Allowed): string {
  return allowed === "all" ? "all" : allowed.join(", ") || "none";
}
