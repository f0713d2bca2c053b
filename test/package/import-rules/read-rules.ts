/** What one folder of src may import, as docs/architecture.md says. */
export interface Rule {
  readonly folder: string;
  /** Whether the folder has no files yet. */
  readonly planned: boolean;
  /** Folders, rooms such as `hub/seam`, or single files such as `hub/seam/port.ts`. */
  readonly folders: Allowed;
  /** npm packages; `node:` stands for all of Node's own modules. */
  readonly packages: Allowed;
  /** The files of the folder that their siblings may import. */
  readonly siblings: Allowed;
}

export type Allowed = "all" | readonly string[];

/** A folder inside a folder of src, or deeper: the rooms of `stores/sqlite`. Rooms are listed from top to bottom: each may import the ones below it. */
export interface Room {
  readonly folder: string;
  readonly room: string;
  /** Whether the files of the room may import each other. */
  readonly siblings: boolean;
}

const COLUMNS = ["folder", "purpose", "imports folders", "imports packages", "imports siblings"];

const FRAMEWORK_COLUMNS = ["adapter", "imports packages"];

const ROOM_COLUMNS = ["folder", "room", "holds", "imports siblings"];

/**
 * Reads the rules from the tables of the architecture page, which is the only place that states them.
 */
export function readRules(markdown: string): readonly Rule[] {
  return readTable(markdown, COLUMNS).map(({ cells, heading }) => readRow(cells, /planned/i.test(heading)));
}

/** Reads the order of the rooms, from the same page. */
export function readRooms(markdown: string): readonly Room[] {
  return readTable(markdown, ROOM_COLUMNS).map(({ cells }) => {
    const [folder = "", room = "", , siblings = ""] = cells;
    const [[folderName], [roomName]] = [quoted(folder), quoted(room)];
    if (folderName === undefined || roomName === undefined || !["all", "none"].includes(siblings)) {
      throw new Error(`not a row of the rooms: | ${cells.join(" | ")} |`);
    }
    return { folder: folderName, room: roomName, siblings: siblings === "all" };
  });
}

/** The packages that a single file or folder may import besides those of its folder: `adapters/langchain`. */
export type Frameworks = Readonly<Record<string, readonly string[]>>;

export function readFrameworks(markdown: string): Frameworks {
  return Object.fromEntries(
    readTable(markdown, FRAMEWORK_COLUMNS).map(({ cells: [member = "", packages = ""] }) => [
      quoted(member)[0] ?? "",
      quoted(packages),
    ]),
  );
}

interface Row {
  readonly heading: string;
  readonly cells: readonly string[];
}

function readTable(markdown: string, columns: readonly string[]): readonly Row[] {
  const rows: Row[] = [];
  let heading = "";
  let inTable = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("#")) heading = line;
    const cells = line.startsWith("|")
      ? line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [];
    if (cells.length === 0) inTable = false;
    else if (cells.join() === columns.join()) inTable = true;
    else if (inTable && !cells.every((cell) => /^-+$/.test(cell))) rows.push({ heading, cells });
  }
  return rows;
}

function readRow(cells: readonly string[], planned: boolean): Rule {
  const [folder = "", , folders = "", packages = "", siblings = ""] = cells;
  const [name] = quoted(folder);
  if (cells.length !== COLUMNS.length || name === undefined) {
    throw new Error(`not a row of the import rules: | ${cells.join(" | ")} |`);
  }
  return {
    folder: name,
    planned,
    folders: readAllowed(folders),
    packages: readAllowed(packages),
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
