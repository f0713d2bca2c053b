import type { Client } from "../../client/index.js";
import type { Logger } from "../../core/index.js";
import { isLoopback } from "../../server/access/hosts.js";
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
    flags.token ?? environmentToken(settings, url, world) ?? tokenOf(settings, url, flags.as ?? role, world);
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

/**
 * ASKLINE_TOKEN belongs to ASKLINE_URL, or to a server that the user's own files name: a URL that somebody else
 * wrote into a command line must not receive it.
 */
function environmentToken(settings: Settings, url: string, { environment }: World): string | undefined {
  const { ASKLINE_TOKEN: token, ASKLINE_URL: named } = environment;
  if (!token) return undefined;
  const own = [localUrl(settings), ...(settings.publicUrl === undefined ? [] : [settings.publicUrl])];
  const known = [...own, ...(named ? [named] : [])].some((other) => isSameServer(other, url));
  return known || readCredentials(settings.data, url) !== undefined ? token : undefined;
}

function isSameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

function tokenOf({ data }: Settings, url: string, role: CredentialRole, { environment }: World): string {
  const token = readCredentials(data, url)?.[role];
  if (token !== undefined) return token;
  if (environment.ASKLINE_TOKEN) {
    throw new CommandError(
      `ASKLINE_TOKEN is sent only to ASKLINE_URL and to servers that your own files name, not to ${url}; give --token, or set ASKLINE_URL to it`,
    );
  }
  throw new CommandError(
    `there is no ${role}'s token for ${url} in ${credentialsPath(data)}; give --token or ASKLINE_TOKEN, or start a server with "askline serve"`,
  );
}
