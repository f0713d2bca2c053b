import type { Client } from "../../client/index.js";
import type { Logger } from "../../core/index.js";
import { isLoopback } from "../../server/node.js";
import { stderrLogger } from "../output/logger.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { type CredentialRole, credentialsPath, readCredentials } from "./credentials.js";
import { hintOf } from "./hint.js";

/** The flags by which a command finds its server. */
export interface RemoteFlags extends SettingFlags {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly as?: CredentialRole;
}

/** A server, and what it takes to talk to it. */
export interface Remote {
  readonly client: Client;
  readonly url: string;
  readonly token: string;
  readonly settings: Settings;
  /** What stands behind `askline …` in a hint, so that it reaches the same server; often nothing. */
  readonly hint: string;
}

const SILENT: Logger = { warn: () => undefined, error: () => undefined };

/** The URL that flags or environment name; undefined where neither does. */
export function namedUrl(flags: RemoteFlags, world: World): string | undefined {
  return flags.url ?? (world.environment.ASKLINE_URL || undefined);
}

export interface RemoteOptions {
  /**
   * For how long a request is tried again, in milliseconds: enough for a server that restarts, and not long
   * for a person who waits in front of one that is not there.
   */
  readonly retryForMs?: number;
  /**
   * Who is told of an outage while it lasts, for a command that outlasts one. Else only its error counts, but a
   * person at a terminal is not left to wonder meanwhile.
   */
  readonly logger?: Logger;
}

/** Runs a task with a client, and lets go of it afterwards. */
export async function withClient<T>(
  flags: RemoteFlags,
  role: CredentialRole,
  world: World,
  task: (remote: Remote) => Promise<T>,
  { retryForMs = 1_500, logger = usualLogger(world) }: RemoteOptions = {},
): Promise<T> {
  const settings = await readSettings(flags, world);
  const named = namedUrl(flags, world);
  const url = named === undefined ? localUrl(settings) : readUrl(named, flags.url === undefined);
  const token =
    flags.token ?? (world.environment.ASKLINE_TOKEN || undefined) ?? tokenOf(settings, url, flags.as ?? role);
  const { connect } = await import("../../client/index.js");
  const client = connect({
    url,
    token,
    surface: "command-line",
    retryForMs,
    clock: world.clock,
    logger,
  });
  try {
    return await task({ client, url, token, settings, hint: hintOf(url, settings, world) });
  } finally {
    await client.close();
  }
}

function usualLogger(world: World): Logger {
  return world.stderr.columns === undefined ? SILENT : stderrLogger(world);
}

/**
 * The server of this machine. Of the settings' host only a loopback one counts: a file in a folder must not be
 * able to send a person's token elsewhere.
 */
export function localUrl({ host, port }: Settings): string {
  const name = isLoopback(host) ? host.replace(/^\[(.*)\]$/, "$1") : "127.0.0.1";
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function readUrl(text: string, fromEnvironment: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const source = fromEnvironment ? "ASKLINE_URL" : "--url";
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`${source} "${text}" is no URL; write it like http://127.0.0.1:4780`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CommandError(`${source} holds a password; give the token by --token or ASKLINE_TOKEN instead`);
  }
  return url.href.replace(/\/$/, "");
}

function tokenOf({ data }: Settings, url: string, role: CredentialRole): string {
  const token = readCredentials(data, url)?.[role];
  if (token !== undefined) return token;
  throw new CommandError(
    `there is no token for ${url} in ${credentialsPath(data)}; give --token or ASKLINE_TOKEN, or start a server with "askline serve"`,
  );
}
