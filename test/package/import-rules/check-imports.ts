import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { findCircles } from "./find-circles.ts";
import { findImports } from "./find-imports.ts";
import type { Allowed, Folder, Room, Rules } from "./read-rules.ts";

/** The root of the package: the only file beside the folders. */
const ROOT_FILE = "index.ts";
/** Of this one dist has nothing but its bundle. */
const BUNDLED_INDEX = "people/web/index.ts";

/** Every breach of the rules below `src`, one line each, in the order of the files. */
export function checkImports(src: string, rules: Rules): readonly string[] {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .sort();
  const imports = new Map(
    files.map((file) => [
      file,
      findImports(file, readFileSync(join(src, file), "utf8")).map(({ specifier }) => specifier),
    ]),
  );
  return [
    ...checkFolders(files, rules.folders),
    ...checkRooms(files, rules.rooms),
    ...files.flatMap((file) => checkFile(file, imports.get(file) ?? [], rules)),
    ...findCircles(edges(imports, rules.rooms)),
  ];
}

function checkFolders(files: readonly string[], folders: readonly Folder[]): readonly string[] {
  const present = new Set(files.filter((file) => file !== ROOT_FILE).map(folderOf));
  const known = new Set(folders.map(({ folder }) => folder));
  return [
    ...[...present].filter((name) => !known.has(name)).map((name) => `src/${name} has no rule`),
    ...[...known].filter((name) => !present.has(name)).map((name) => `src/${name} has a rule, but no files`),
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
  const known = new Set(rooms.map(pathOf));
  return [
    ...[...present]
      .filter((place) => !known.has(place))
      .map((place) => `src/${place} is not among the rooms`),
    ...[...known]
      .filter((place) => !present.has(place))
      .map((place) => `src/${place} is a room without files`),
  ];
}

function checkFile(
  file: string,
  specifiers: readonly (string | undefined)[],
  rules: Rules,
): readonly string[] {
  return specifiers.flatMap((specifier) => {
    const why =
      specifier === undefined
        ? "the name of an imported module must be written out"
        : refusal(file, specifier, rules);
    return why === undefined ? [] : [`${file} imports ${specifier ?? "a computed name"}: ${why}`];
  });
}

function refusal(file: string, specifier: string, rules: Rules): string | undefined {
  if (!specifier.startsWith(".")) return packageRefusal(file, specifier, rules);
  const target = targetOf(file, specifier);
  if (target.startsWith("..")) return "this is outside of src";
  if (/(^|\/)index\.ts$/.test(target) && target !== BUNDLED_INDEX)
    return "import the file that declares it, not an index";
  if (file === ROOT_FILE) return undefined;
  return (
    folderRefusal(file, target, rules) ??
    orderRefusal(file, target, rules.rooms) ??
    siblingRefusal(file, target, rules.rooms)
  );
}

/** What a file may import outside of its folder, or of the innermost room that says it for itself. */
function folderRefusal(file: string, target: string, { folders, rooms }: Rules): string | undefined {
  const room = roomsOf(file, rooms).findLast((found) => found.folders !== undefined);
  const folder = folders.find((found) => found.folder === folderOf(file));
  const place = room === undefined ? folder?.folder : pathOf(room);
  const allowed = room?.folders ?? folder?.folders;
  if (place === undefined || allowed === undefined) return undefined;
  return isIn(place, target) || allowsPlace(allowed, target)
    ? undefined
    : `${place} may import ${list(allowed)}`;
}

/** Arrows point down: from the root of a folder to its rooms, and from each room to the ones below it. */
function orderRefusal(file: string, target: string, rooms: readonly Room[]): string | undefined {
  for (const folder of foldersOf(rooms)) {
    const [from, to] = [roomIn(folder, file), roomIn(folder, target)];
    if (from === undefined || to === undefined || from === ROOT || from === to) continue;
    if (to === ROOT) return `a room of ${folder} may not import its root`;
    const inFolder = rooms.filter((room) => room.folder === folder);
    const place = (name: string): number => inFolder.findIndex(({ room }) => room === name);
    if (place(to) < place(from)) return `${folder}/${to} is not below ${folder}/${from}`;
  }
  return undefined;
}

function siblingRefusal(file: string, target: string, rooms: readonly Room[]): string | undefined {
  for (const room of roomsOf(file, rooms)) {
    const place = pathOf(room);
    if (!isIn(place, target)) continue;
    const [from, to] = [memberOf(place, file), memberOf(place, target)];
    if (from !== to && !allows(room.siblings, to))
      return `of its siblings, ${place} may import ${list(room.siblings)}`;
  }
  return undefined;
}

function packageRefusal(
  file: string,
  specifier: string,
  { folders, rooms, frameworks }: Rules,
): string | undefined {
  const name = packageOf(specifier);
  // By our own name a file could reach any folder, past every rule.
  if (name === "askline") return "our own files are imported by a relative path";
  const room = roomsOf(file, rooms).findLast((found) => found.packages !== undefined);
  const folder = folders.find((found) => found.folder === folderOf(file));
  const allowed = room?.packages ?? folder?.packages ?? [];
  const place = room === undefined ? folderOf(file) : pathOf(room);
  const own = Object.entries(frameworks).flatMap(([member, packages]) =>
    isIn(member, file.replace(/\.ts$/, "/")) ? packages : [],
  );
  return allows(allowed, name) || own.includes(name)
    ? undefined
    : `of packages, ${place} may import ${list(allowed)}`;
}

/** Which innermost rooms import which. The root of a folder is no room: only its rooms' outside imports it. */
function edges(
  imports: ReadonlyMap<string, readonly (string | undefined)[]>,
  rooms: readonly Room[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const unitOf = (file: string): string => {
    const room = roomsOf(file, rooms).at(-1);
    return room === undefined ? folderOf(file) : pathOf(room);
  };
  for (const [file, specifiers] of imports) {
    const from = unitOf(file);
    const to = found.get(from) ?? new Set();
    found.set(from, to);
    for (const specifier of specifiers) {
      if (!specifier?.startsWith(".")) continue;
      const unit = unitOf(targetOf(file, specifier));
      if (unit !== from) to.add(unit);
    }
  }
  return found;
}

function targetOf(file: string, specifier: string): string {
  return posix.join(dirname(file), specifier).replace(/\.js$/, ".ts");
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
  if (!isIn(folder, file)) return undefined;
  const parts = file.slice(folder.length + 1).split("/");
  return parts.length > 1 ? (parts[0] ?? ROOT) : ROOT;
}

/** The rooms that a file is in, from the outermost to the innermost. */
function roomsOf(file: string, rooms: readonly Room[]): readonly Room[] {
  return rooms
    .filter((room) => isIn(pathOf(room), file))
    .sort((one, other) => pathOf(one).length - pathOf(other).length);
}

function pathOf({ folder, room }: Room): string {
  return `${folder}/${room}`;
}

function foldersOf(rooms: readonly Room[]): readonly string[] {
  return [...new Set(rooms.map(({ folder }) => folder))];
}

/** `elicitation` for both `elicitation.ts` and `elicitation/shape.ts`: together they are one. */
function memberOf(place: string, file: string): string {
  return (file.slice(place.length + 1).split("/")[0] ?? "").replace(/\.ts$/, "");
}

function isIn(place: string, file: string): boolean {
  return file.startsWith(`${place}/`);
}

function allowsPlace(allowed: Allowed, target: string): boolean {
  return allowed === "all" || allowed.some((place) => place === target || isIn(place, target));
}

function allows(allowed: Allowed, name: string): boolean {
  return allowed === "all" || allowed.includes(name);
}

function list(allowed: Allowed): string {
  return allowed === "all" ? "all" : allowed.join(", ") || "none";
}
