import { dirname, join } from "node:path";
import { isRecord } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";
import { QUOTAS } from "../../hub/asking/quotas.js";
import { SERVER_LIMITS, type ServerLimits } from "../../server/http/limits.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { nearest, SETTING_NAMES, type SettingName } from "./names.js";

// Three files may contain settings. The one given with `--config` or ASKLINE_CONFIG and the user's own may contain all
// of them. The one in the current folder may belong to somebody else, so only `askline serve` reads it, and it may set
// only what can neither redirect a secret nor grant access.
const FOLDER_FILE = "askline.config.json";
const FOLDER_SETTINGS: readonly SettingName[] = ["port", "logFormat", "logLevel", "limits"];

export interface ConfigFile {
  readonly path: string;
  /** Relative paths in the file start from this folder. */
  readonly folder: string;
  readonly values: Readonly<Partial<Record<SettingName, unknown>>>;
}

/** The file given with `--config` or ASKLINE_CONFIG. It must exist. */
export async function readNamedFile(path: string, world: World): Promise<ConfigFile> {
  const file = await readFile(path, world);
  if (file !== undefined) return file;
  throw new CommandError(`the file ${path} does not exist; check --config`);
}

/** The user's own file, if it exists. */
export function readUserFile(world: World): Promise<ConfigFile | undefined> {
  return readFile(userConfigPath(world), world);
}

/** The file in the current folder, if it exists. */
export async function readFolderFile(world: World): Promise<ConfigFile | undefined> {
  const file = await readFile(join(world.folder, FOLDER_FILE), world);
  const refused = Object.keys(file?.values ?? {}).find(
    (name) => name !== "$schema" && !FOLDER_SETTINGS.some((allowed) => allowed === name),
  );
  if (file === undefined || refused === undefined) return file;
  throw new CommandError(
    `${file.path} may set only ${FOLDER_SETTINGS.join(", ")}, not "${refused}", because it is read automatically; ` +
      `use --config for this file, or set "${refused}" with a flag, the environment or ${userConfigPath(world)}`,
  );
}

/** `$XDG_CONFIG_HOME/askline/config.json`. A relative XDG_CONFIG_HOME counts as not set. */
function userConfigPath({ environment, home }: Pick<World, "environment" | "home">): string {
  const base = environment.XDG_CONFIG_HOME;
  return join(base?.startsWith("/") ? base : join(home, ".config"), "askline/config.json");
}

async function readFile(path: string, world: World): Promise<ConfigFile | undefined> {
  let text: string;
  try {
    text = await world.readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const reason = messageOf(error);
    throw new CommandError(`cannot read ${path} (${reason}); make it readable`, undefined, { cause: error });
  }
  return { path, folder: dirname(path), values: readValues(text, path) };
}

function readValues(text: string, path: string): ConfigFile["values"] {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandError(`${path} is not JSON (${reason}); fix it`, undefined, { cause: error });
  }
  if (!isRecord(document)) throw new CommandError(`${path} must contain an object like { "port": 4780 }`);
  for (const name of Object.keys(document)) {
    if (name === "$schema" || SETTING_NAMES.some((known) => known === name)) continue;
    const meant = nearest(name, SETTING_NAMES);
    const hint = meant === undefined ? `use ${SETTING_NAMES.join(", ")}` : `did you mean "${meant}"?`;
    throw new CommandError(`${path} has an unknown setting "${name}"; ${hint}`);
  }
  return document;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

const NAMES = Object.keys({ ...SERVER_LIMITS, ...QUOTAS });
const LARGEST = 1_000_000_000;
const LARGEST_STORE = 1_000_000_000_000;

/** Limits as `name=number`: repeated flags, one string with commas, or an object in a file. */
export function readLimits(
  given: { readonly value: unknown; readonly source: string } | undefined,
): ServerLimits & Partial<Record<keyof typeof QUOTAS, number>> {
  if (given === undefined) return {};
  const { value, source } = given;
  const pairs = isRecord(value) ? Object.entries(value) : pairsOf(value, source);
  return Object.fromEntries(
    pairs.map(([name, number]) => [readName(name, source), readNumber(name, number, source)]),
  );
}

function pairsOf(value: unknown, source: string): readonly (readonly [string, unknown])[] {
  const items: readonly unknown[] =
    typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [undefined];
  return items.map((item) => {
    const [, name, number] = (typeof item === "string" && /^\s*(\w+)\s*=\s*(\S*)\s*$/.exec(item)) || [];
    if (name === undefined) throw new CommandError(`${source} must look like tokenRate=100`);
    return [name, number] as const;
  });
}

function readName(name: string, source: string): string {
  if (NAMES.includes(name)) return name;
  const meant = nearest(name, NAMES);
  const hint = meant === undefined ? "see docs/limits.md" : `did you mean "${meant}"?`;
  throw new CommandError(`${source} has an unknown limit "${name}"; ${hint}`);
}

function readNumber(name: string, value: unknown, source: string): number {
  const text = typeof value === "number" ? String(value) : value;
  const number = typeof text === "string" && /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN;
  const largest = name === "storedBytes" ? LARGEST_STORE : LARGEST;
  if (number >= 1 && number <= largest) return number;
  throw new CommandError(`${source}: the limit ${name} must be a whole number from 1 to ${largest}`);
}
