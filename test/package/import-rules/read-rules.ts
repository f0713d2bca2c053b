/** What one folder of src may import, as docs/architecture.md says. */
export interface Rule {
  readonly folder: string;
  /** Whether the folder has files today, or is only foreseen. */
  readonly planned: boolean;
  /** Folders, or single files such as `hub/store.ts`. */
  readonly folders: Allowed;
  /** npm packages; `node:` stands for all of Node's own modules. */
  readonly packages: Allowed;
  /** The files of the folder that their siblings may import. */
  readonly siblings: Allowed;
}

export type Allowed = "all" | readonly string[];

const COLUMNS = ["folder", "purpose", "imports folders", "imports packages", "imports siblings"];

/**
 * Reads the rules from the tables of the architecture page. The page is their only home: a rule that is
 * kept twice drifts, and a page that a test reads cannot.
 */
export function readRules(markdown: string): readonly Rule[] {
  const rules: Rule[] = [];
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
    else if (cells.join() === COLUMNS.join()) inTable = true;
    else if (inTable && !cells.every((cell) => /^-+$/.test(cell))) {
      rules.push(readRow(cells, /planned/i.test(heading)));
    }
  }
  return rules;
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
