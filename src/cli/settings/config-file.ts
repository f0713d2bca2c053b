import { dirname, join } from "node:path";
import { isRecord } from "../../core/index.js";
import { CommandError } from "../command-error.js";
import { nearest } from "../nearest.js";
import type { World } from "../world.js";
import { SETTING_NAMES, type SettingName } from "./names.js";

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
