import { dirname, join } from "node:path";
import { isRecord } from "../../core/index.js";
import { SERVER_LIMITS, type ServerLimits } from "../../server/limits.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { nearest, SETTING_NAMES, type SettingName } from "./names.js";

const CONFIG_FILE = "askline.config.json";

export interface ConfigFile {
  readonly path: string;
  /** Relative paths in the file start from here. */
  readonly folder: string;
  readonly values: Readonly<Partial<Record<SettingName, unknown>>>;
}

/**
 * Reads the file that `--config` or ASKLINE_CONFIG names, which must be there, or else the one in the current
 * folder, which need not.
 */
export async function readConfigFile(
  named: string | undefined,
  world: World,
): Promise<ConfigFile | undefined> {
  const path = named ?? join(world.folder, CONFIG_FILE);
  let text: string;
  try {
    text = await world.readFile(path);
  } catch (error) {
    if (named === undefined && isMissing(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`cannot read ${path} (${reason}); check --config`, undefined, { cause: error });
  }
  return { path, folder: dirname(path), values: readValues(text, path) };
}

function readValues(text: string, path: string): ConfigFile["values"] {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} is not JSON (${reason}); correct it`, undefined, { cause: error });
  }
  if (!isRecord(document)) throw new CommandError(`${path} must hold an object like { "port": 4780 }`);
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

const NAMES = Object.keys(SERVER_LIMITS);
const LARGEST = 1_000_000_000;

/** Limits as `name=number`: flags that were repeated, one text with commas, or an object in a file. */
export function readLimits(
  given: { readonly value: unknown; readonly source: string } | undefined,
): ServerLimits {
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
    if (name === undefined) throw new CommandError(`${source} must name limits like tokenRate=100`);
    return [name, number] as const;
  });
}

function readName(name: string, source: string): string {
  if (NAMES.includes(name)) return name;
  const meant = nearest(name, NAMES);
  const hint = meant === undefined ? "docs/limits.md has them all" : `did you mean "${meant}"?`;
  throw new CommandError(`${source} has an unknown limit "${name}"; ${hint}`);
}

function readNumber(name: string, value: unknown, source: string): number {
  const text = typeof value === "number" ? String(value) : value;
  const number = typeof text === "string" && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= LARGEST) return number;
  throw new CommandError(`${source}: the limit ${name} must be a whole number from 1 to ${LARGEST}`);
}
