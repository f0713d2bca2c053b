/** What docs/architecture.md says about imports, which is the only place that states it. */
export interface Rules {
  readonly folders: readonly Folder[];
  readonly rooms: readonly Room[];
  readonly frameworks: Frameworks;
}

/** What one folder of src may import. */
export interface Folder {
  readonly folder: string;
  /** Folders, rooms such as `hub/seam`, or single files such as `hub/seam/port.ts`. */
  readonly folders: Allowed;
  /** npm packages; `node:` stands for all of Node's own modules. */
  readonly packages: Allowed;
}

/** A folder inside a folder of src, or deeper: the rooms of `hub/stores`. Rooms are listed from top to bottom: each may import the ones below it. */
export interface Room {
  readonly folder: string;
  readonly room: string;
  /** All that the room imports outside of itself; undefined for the rooms below it and what its folder may import. */
  readonly folders: Allowed | undefined;
  /** Instead of those of its folder. */
  readonly packages: Allowed | undefined;
  /** The files and folders of the room that their siblings may import. */
  readonly siblings: Allowed;
}

export type Allowed = "all" | readonly string[];

/** The packages that a folder may import besides its own: `agents/acp`. */
export type Frameworks = Readonly<Record<string, readonly string[]>>;

const FOLDER_COLUMNS = ["folder", "purpose", "imports folders", "imports packages"];

const ROOM_COLUMNS = ["folder", "room", "holds", "imports folders", "imports packages", "imports siblings"];

const FRAMEWORK_COLUMNS = ["adapter", "imports packages"];

export function readRules(markdown: string): Rules {
  return {
    folders: readTable(markdown, FOLDER_COLUMNS).map(readFolder),
    rooms: readTable(markdown, ROOM_COLUMNS).map(readRoom),
    frameworks: readFrameworks(markdown),
  };
}

export function readFrameworks(markdown: string): Frameworks {
  return Object.fromEntries(
    readTable(markdown, FRAMEWORK_COLUMNS).map(([member = "", packages = ""]) => [
      quoted(member)[0] ?? "",
      quoted(packages),
    ]),
  );
}

function readTable(markdown: string, columns: readonly string[]): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  let inTable = false;
  for (const line of markdown.split("\n")) {
    const cells = line.startsWith("|")
      ? line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [];
    if (cells.length === 0) inTable = false;
    else if (cells.join() === columns.join()) inTable = true;
    else if (inTable && !cells.every((cell) => /^-+$/.test(cell))) rows.push(cells);
  }
  return rows;
}

function readFolder(cells: readonly string[]): Folder {
  const [folder = "", , folders = "", packages = ""] = cells;
  const [name] = quoted(folder);
  if (cells.length !== FOLDER_COLUMNS.length || name === undefined) {
    throw new Error(`not a row of the import rules: | ${cells.join(" | ")} |`);
  }
  return { folder: name, folders: readAllowed(folders), packages: readAllowed(packages) };
}

function readRoom(cells: readonly string[]): Room {
  const [folder = "", room = "", , folders = "", packages = "", siblings = ""] = cells;
  const [[folderName], [roomName]] = [quoted(folder), quoted(room)];
  if (cells.length !== ROOM_COLUMNS.length || folderName === undefined || roomName === undefined) {
    throw new Error(`not a row of the rooms: | ${cells.join(" | ")} |`);
  }
  return {
    folder: folderName,
    room: roomName,
    folders: folders === "" ? undefined : readAllowed(folders),
    packages: packages === "" ? undefined : readAllowed(packages),
    siblings: readAllowed(siblings),
  };
}

function readAllowed(cell: string): Allowed {
  if (cell === "all") return "all";
  if (cell === "none") return [];
  const names = quoted(cell);
  if (names.length === 0 || cell !== names.map((name) => `\`${name}\``).join(", ")) {
    throw new Error(`expected all, none or a list like \`a\`, \`b\`, not: ${cell}`);
  }
  return names;
}

function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}
