// The settings of a command, from the strongest source to the weakest: flags, environment, the file given with --config
// or (for `askline serve`) the one in the current folder, the user's own file, defaults. An empty environment variable
// counts as not set.

import { join } from "node:path";
import { defined } from "../../core/kit/tools.js";
import type { Webhook } from "../../hub/delivery/webhooks.js";
import type { OpenSessions } from "../../server/access/principal.js";
import { parseDuration } from "../input/time-flags.js";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../output/logger.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { type ConfigFile, readFolderFile, readLimits, readNamedFile, readUserFile } from "./config-file.js";
import { DATABASE_FORMS, type Database, parseDatabase, resolvePath } from "./database.js";
import { type NotifySetting, readContact, readNotify, readNtfy, readWebhooks } from "./delivery.js";
import { flagOf, type SettingName, variableOf } from "./names.js";

export interface Settings {
  readonly db: Database;
  readonly host: string;
  readonly port: number;
  /** The folder with the database and the credentials. */
  readonly data: string;
  /** The person whose token the first start creates. */
  readonly person: string;
  readonly publicUrl?: string;
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may use the API with a token. */
  readonly allowedOrigins: readonly string[];
  /** Whether an ask to somebody unknown is refused. */
  readonly knownPeople: boolean;
  /** Proxies whose x-forwarded-for is trusted. */
  readonly trustedProxies: readonly string[];
  /** More paths of the gateway. */
  readonly gatewayPaths: readonly string[];
  /** Who may open sessions. */
  readonly openSessions?: OpenSessions;
  /** Whether agents may create signed links to their own asks. */
  readonly agentLinks: boolean;
  readonly limits: ReturnType<typeof readLimits>;
  /** How long ended asks and transcripts are kept, in milliseconds; for ever if absent. */
  readonly retainMs?: number;
  readonly logFormat?: LogFormat;
  readonly logLevel?: LogLevel;
  /** A token for `/metrics`; an admin's token works too. */
  readonly metricsToken?: string;
  readonly webhooks: readonly Webhook[];
  /** Whether callbacks of asks may go to private and loopback addresses. */
  readonly allowPrivateCallbacks: boolean;
  /** The ntfy topic of each person. */
  readonly ntfy: ReadonlyMap<string, string>;
  /** When people are notified of an ask that does not say so itself. */
  readonly notify?: readonly NotifySetting[];
  /** The operator's contact for push services; without it, there is no push. */
  readonly pushContact?: string;
  /** Push services beside the known ones. */
  readonly pushHosts: readonly string[];
  /** The configuration files that were read, strongest first. */
  readonly files: readonly string[];
}

/** The flags for settings, as commander parses them. */
export type SettingFlags = Readonly<Partial<Record<SettingName | "config", unknown>>> & {
  readonly json?: boolean;
};

const OPEN_SESSIONS: readonly OpenSessions[] = ["agents", "people"];
export const DEFAULT_PORT = 4780;
export const DEFAULT_HOST = "127.0.0.1";

/** A value, its source (for messages), and the folder that relative paths in it start from. */
interface SettingValue {
  readonly value: unknown;
  readonly source: string;
  readonly folder: string;
}

export interface SettingOptions {
  /** Whether to read askline.config.json in the current folder; only `askline serve` does. */
  readonly folderFile?: boolean;
}

export async function readSettings(
  flags: SettingFlags,
  world: World,
  { folderFile = false }: SettingOptions = {},
): Promise<Settings> {
  const named = (flags.config as string | undefined) ?? nonEmpty(world.environment.ASKLINE_CONFIG);
  const nearer =
    named !== undefined
      ? await readNamedFile(resolvePath(named, world), world)
      : folderFile
        ? await readFolderFile(world)
        : undefined;
  const files = [nearer, await readUserFile(world)].filter((file) => file !== undefined);
  const given = (name: SettingName): SettingValue | undefined => find(name, flags, world, files);

  const data = readPath(given("data"), world) ?? defaultDataFolder(world);
  const publicUrl = readText(given("publicUrl"));
  const logFormat = readChoice(given("logFormat"), LOG_FORMATS);
  const logLevel = readChoice(given("logLevel"), LOG_LEVELS);
  const openSessions = readChoice(given("openSessions"), OPEN_SESSIONS);
  const retainMs = readRetention(given("retain"));
  const metricsToken = readSecret(given("metricsToken"));
  const person = readText(given("person")) ?? world.user;
  const webhookSecret = readText(given("webhookSecret"));
  const notify = readNotify(given("notify"));
  const pushContact = readContact(given("pushContact"));
  return {
    data,
    db: readDatabase(given("db"), world) ?? { kind: "sqlite", path: join(data, "askline.db") },
    host: readText(given("host")) ?? DEFAULT_HOST,
    port: readPort(given("port")) ?? DEFAULT_PORT,
    person,
    allowedHosts: readList(given("allowedHosts"), "host names") ?? [],
    allowedOrigins: readList(given("allowedOrigins"), "origins") ?? [],
    trustedProxies: readList(given("trustedProxies"), "addresses") ?? [],
    gatewayPaths: readList(given("gatewayPaths"), "paths") ?? [],
    limits: readLimits(given("limits")),
    webhooks: readWebhooks(given("webhooks"), readList(given("webhookEvents"), "events"), webhookSecret),
    agentLinks: readFlag(given("agentLinks")),
    knownPeople: readFlag(given("knownPeople")),
    allowPrivateCallbacks: readFlag(given("allowPrivateCallbacks")),
    ntfy: readNtfy(given("ntfy"), person),
    pushHosts: readList(given("pushHosts"), "host names") ?? [],
    ...defined({ logFormat, logLevel, metricsToken, notify, openSessions, publicUrl, pushContact, retainMs }),
    files: files.map(({ path }) => path),
  };
}

function find(
  name: SettingName,
  flags: SettingFlags,
  world: World,
  files: readonly ConfigFile[],
): SettingValue | undefined {
  if (flags[name] !== undefined) {
    return { value: flags[name], source: flagOf(name), folder: world.folder };
  }
  const variable = variableOf(name);
  const value = nonEmpty(world.environment[variable]);
  if (value !== undefined) return { value, source: variable, folder: world.folder };
  const file = files.find(({ values }) => values[name] !== undefined);
  return file && { value: file.values[name], source: `"${name}" in ${file.path}`, folder: file.folder };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** `$XDG_DATA_HOME/askline`. A relative XDG_DATA_HOME counts as not set, as its specification requires. */
export function defaultDataFolder({ environment, home }: Pick<World, "environment" | "home">): string {
  const base = environment.XDG_DATA_HOME;
  return join(base?.startsWith("/") ? base : join(home, ".local/share"), "askline");
}

function readText(given: SettingValue | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given.value === "string" && given.value.trim() !== "") return given.value.trim();
  throw new CommandError(`${given.source} must be a non-empty string`);
}

/** A number without a unit is refused: somebody who writes 90 may mean days. */
function readRetention(given: SettingValue | undefined): number | undefined {
  const text = readText(given);
  if (text === undefined || text === "off") return undefined;
  const milliseconds = /\d$/.test(text) ? undefined : parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new CommandError(`${given?.source} "${text}" is not a duration; write it like 90d or 12h, or off`);
}

function readChoice<Choice extends string>(
  given: SettingValue | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(given);
  const choice = choices.find((candidate) => candidate === text);
  if (text === undefined || choice !== undefined) return choice;
  throw new CommandError(`${given?.source} is "${text}"; use one of ${choices.join(", ")}`);
}

function readSecret(given: SettingValue | undefined): string | undefined {
  const text = readText(given);
  // The value is a secret, so the message does not repeat it.
  if (text === undefined || /^[\x21-\x7e]{16,256}$/.test(text)) return text;
  throw new CommandError(
    `${given?.source} must be 16 to 256 letters, digits and punctuation, without spaces`,
  );
}

function readFlag(given: SettingValue | undefined): boolean {
  if (given === undefined) return false;
  const { value, source } = given;
  if (value === true || value === "true" || value === "1") return true;
  if (value === false || value === "false" || value === "0") return false;
  throw new CommandError(`${source} must be true or false`);
}

function readPath(given: SettingValue | undefined, { home }: World): string | undefined {
  const path = readText(given);
  return path === undefined || given === undefined
    ? undefined
    : resolvePath(path, { folder: given.folder, home });
}

function readDatabase(given: SettingValue | undefined, { home }: World): Database | undefined {
  const text = readText(given);
  if (text === undefined || given === undefined) return undefined;
  const database = parseDatabase(text, { folder: given.folder, home });
  if (database !== undefined) return database;
  // A mistyped URL may contain a password, so the message does not repeat it.
  throw new CommandError(`${given.source} is not a store; write ${DATABASE_FORMS}`);
}

function readPort(given: SettingValue | undefined): number | undefined {
  if (given === undefined) return undefined;
  const { value, source } = given;
  const text = typeof value === "number" ? String(value) : value;
  const port = typeof text === "string" && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new CommandError(
    `${source} ${JSON.stringify(value)} is not a port; use a number from 1 to 65535, or 0 for any free port`,
  );
}

function readList(given: SettingValue | undefined, what: string): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const { value, source } = given;
  const items = typeof value === "string" ? value.split(",") : value;
  if (Array.isArray(items) && items.every((item) => typeof item === "string" && item.trim() !== "")) {
    return items.map((item: string) => item.trim());
  }
  throw new CommandError(`${source} must be a list of ${what}`);
}
