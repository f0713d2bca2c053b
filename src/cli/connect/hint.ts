import { join, resolve } from "node:path";
import { shellQuote } from "../output/answer-hint.js";
import { describeDatabase } from "../settings/database.js";
import { DEFAULT_HOST, DEFAULT_PORT, defaultDataFolder, type Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { lastRunning } from "./last-server.js";

/**
 * The flags that a printed command line needs to reach this server from a terminal without this environment. Empty for
 * the default server and data folder.
 */
export function hintOf(url: string, { data }: Pick<Settings, "data">, world: World): string {
  // Without a URL, a command uses the server that was started last.
  const last = lastRunning(data);
  const usual = [`http://${DEFAULT_HOST}:${DEFAULT_PORT}`, `http://localhost:${DEFAULT_PORT}`].includes(url);
  return [...(usual && (last === undefined || last === url) ? [] : ["--url", url]), ...dataFlag(data, world)]
    .map(word)
    .join("");
}

/** The same for `askline ask`, which asks at the terminal unless it has a URL or finds a server. */
export function askHintOf(url: string, { data }: Pick<Settings, "data">, world: World): string {
  return ["--url", url, ...dataFlag(data, world)].map(word).join("");
}

/**
 * The same for `askline link`, which opens the store directly. A configuration file names the database with its password,
 * which must not be printed; without a file, the database is named without it.
 */
export function linkHintOf(
  url: string,
  person: string | undefined,
  { data, db }: Pick<Settings, "data" | "db">,
  world: World,
  config: string | undefined = world.environment.ASKLINE_CONFIG,
): string {
  if (config)
    return ["--config", resolve(world.folder, config), ...personFlag(person, world)].map(word).join("");
  const usual = describeDatabase({ kind: "sqlite", path: join(data, "askline.db") });
  const store = describeDatabase(db);
  const further = [...(store === usual ? [] : ["--db", store]), ...personFlag(person, world)];
  return `${hintOf(url, { data }, world)}${further.map(word).join("")}`;
}

function personFlag(person: string | undefined, { user }: World): readonly string[] {
  return person === undefined || person === user ? [] : ["--person", person];
}

function dataFlag(data: string, world: World): readonly string[] {
  return data === defaultDataFolder(world) ? [] : ["--data", data];
}

function word(text: string): string {
  return ` ${shellQuote(text)}`;
}
