import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { findImports } from "./find-imports.ts";
import type { Allowed, Frameworks, Room, Rule } from "./read-rules.ts";

/** Every breach of the rules below `src`, one line each, in the order of the files. */
export function checkImports(
  src: string,
  rules: readonly Rule[],
  rooms: readonly Room[] = [],
  frameworks: Frameworks = {},
): readonly string[] {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .sort();
  return [
    ...checkFolders(files, rules),
    ...checkRooms(files, rooms),
    ...files.flatMap((file) => checkFile(src, file, rules, rooms, frameworks)),
  ];
}

function checkRooms(files: readonly string[], rooms: readonly Room[]): readonly string[] {
  const present = new Set(
    foldersOf(rooms).flatMap((folder) =>
      files.flatMap((file) => {
        const room = roomIn(folder, file);
        return room === undefined || room === ROOT ? [] : [`${folder}/${room}`];
      }),
    ),
  );
  const known = new Set(rooms.map(({ folder, room }) => `${folder}/${room}`));
  return [
    ...[...present]
      .filter((place) => !known.has(place))
      .map((place) => `src/${place} is not among the rooms`),
    ...[...known]
      .filter((place) => !present.has(place))
      .map((place) => `src/${place} is a room without files`),
  ];
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

function checkFile(
  src: string,
  file: string,
  rules: readonly Rule[],
  rooms: readonly Room[],
  frameworks: Frameworks,
): readonly string[] {
  const found = rules.find(({ folder }) => folder === folderOf(file));
  if (found === undefined) return [];
  const own = frameworks[`${folderOf(file)}/${memberOf(file)}`] ?? [];
  const rule = found.packages === "all" ? found : { ...found, packages: [...found.packages, ...own] };
  return findImports(file, readFileSync(join(src, file), "utf8")).flatMap(({ specifier }) => {
    const why =
      specifier === undefined
        ? "the name of an imported module must be written out"
        : (refusal(file, specifier, rule) ?? roomRefusal(file, specifier, rooms));
    return why === undefined ? [] : [`${file} imports ${specifier ?? "a computed name"}: ${why}`];
  });
}

function refusal(file: string, specifier: string, rule: Rule): string | undefined {
  if (!specifier.startsWith(".")) return packageRefusal(specifier, rule);
  const target = posix.join(dirname(file), specifier).replace(/\.js$/, ".ts");
  if (target.startsWith("..")) return "this is outside of src";
  if (folderOf(target) !== rule.folder) {
    return allows(rule.folders, folderOf(target)) ||
      allows(rule.folders, target) ||
      allows(rule.folders, dirname(target))
      ? undefined
      : `${rule.folder} may import ${list(rule.folders)}`;
  }
  const [from, to] = [memberOf(file), memberOf(target)];
  return from === to || allows(rule.siblings, to)
    ? undefined
    : `of its siblings, ${rule.folder} may import ${list(rule.siblings)}`;
}

/** Arrows point down: from the root of a folder to its rooms, and from each room to the ones below it. */
function roomRefusal(file: string, specifier: string, rooms: readonly Room[]): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(dirname(file), specifier).replace(/\.js$/, ".ts");
  for (const folder of foldersOf(rooms)) {
    const why = refusalWithin(folder, file, target, rooms);
    if (why !== undefined) return why;
  }
  return undefined;
}

function refusalWithin(
  folder: string,
  file: string,
  target: string,
  rooms: readonly Room[],
): string | undefined {
  const inFolder = rooms.filter((room) => room.folder === folder);
  const [from, to] = [roomIn(folder, file), roomIn(folder, target)];
  if (from === undefined || to === undefined || from === ROOT) return undefined;
  if (to === ROOT) return `a room of ${folder} may not import its root`;
  const place = (name: string): number => inFolder.findIndex(({ room }) => room === name);
  if (from !== to)
    return place(to) > place(from) ? undefined : `${folder}/${to} is not below ${folder}/${from}`;
  return inFolder[place(from)]?.siblings === false && target !== file
    ? `the files of ${folder}/${from} may not import each other`
    : undefined;
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

const ROOT = "";

/** The room of a file in a folder; undefined where the file is outside of the folder. */
function roomIn(folder: string, file: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const parts = file.slice(folder.length + 1).split("/");
  return parts.length > 1 ? (parts[0] ?? ROOT) : ROOT;
}

function foldersOf(rooms: readonly Room[]): readonly string[] {
  return [...new Set(rooms.map(({ folder }) => folder))];
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
