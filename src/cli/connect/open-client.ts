import type { Client } from "../../client/connect.js";
import { localUrl as urlOf } from "../../client/local-server.js";
import type { Logger } from "../../core/kit/logger.js";
import { AsklineError } from "../../core/model/error.js";
import { SILENT, stderrLogger } from "../output/logger.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { type CredentialRole, credentialsPath, readCredentials } from "./credentials.js";
import { hintOf } from "./hint.js";
import { lastRunning } from "./last-server.js";
import { namedUrl } from "./named-url.js";
import type { ServerFetch } from "./server-fetch.js";

/** The flags by which a command finds its server. */
export interface RemoteFlags extends SettingFlags {
  readonly url?: string;
  readonly token?: string;
  readonly as?: CredentialRole;
}

/** A server, and what it takes to talk to it. */
export interface Remote {
  readonly client: Client;
  readonly url: string;
  readonly token: string;
  /** Sends a request of the command's own, as the client does. */
  readonly fetch: ServerFetch;
  readonly settings: Settings;
  /** Flags that a printed command line needs to reach the same server; often empty. */
  readonly hint: string;
}

export interface RemoteOptions {
  /**
   * For how many milliseconds a request is retried: long enough for a server that restarts, short enough for a person
   * who waits for one that is down.
   */
  readonly retryForMs?: number;
  /**
   * Receives warnings during an outage, for a command that survives one. By default, warnings are shown only at a
   * terminal.
   */
  readonly logger?: Logger;
}

/** Runs a task with a client and closes the client afterwards. */
export async function withClient<T>(
  flags: RemoteFlags,
  role: CredentialRole,
  world: World,
  task: (remote: Remote) => Promise<T>,
  options: RemoteOptions = {},
): Promise<T> {
  const settings = await readSettings(flags, world);
  const remote = await openRemote(flags, role, settings, world, { retryForMs: 1_500, ...options });
  try {
    return await task(remote);
  } catch (error) {
    if (!(error instanceof AsklineError) || error.code !== "unreachable") throw error;
    const elsewhere = await runsElsewhere(remote.url, settings);
    throw new AsklineError("unreachable", `${error.message}${elsewhere}`, { cause: error });
  } finally {
    await remote.client.close();
  }
}

/** A client for the server that the flags name, or the one on this machine. Its owner closes it. */
export async function openRemote(
  flags: RemoteFlags,
  role: CredentialRole,
  settings: Settings,
  world: World,
  { retryForMs, logger = usualLogger(world) }: RemoteOptions = {},
): Promise<Remote> {
  const named = namedUrl(flags, world);
  const url = named === undefined ? runningUrl(settings, world) : readUrl(named, flags.url === undefined);
  const given = flags.token ?? environmentToken(settings, url, world);
  const known = readCredentials(settings.data, url) !== undefined;
  const elsewhere = given === undefined && !known ? await runsElsewhere(url, settings) : "";
  const token = given ?? tokenOf(settings, url, flags.as ?? role, elsewhere, world);
  const [{ connect }, { serverFetch }] = await Promise.all([
    import("../../client/local-server.js"),
    import("./server-fetch.js"),
  ]);
  const fetch = serverFetch(settings.data, url);
  const client = connect({
    ...{ url, token, surface: "command-line", clock: world.clock, logger },
    fetch,
    ...(retryForMs !== undefined && { retryForMs }),
  });
  return { client, url, token, fetch, settings, hint: hintOf(url, settings, world) };
}

const LOOK_MS = 2_000;

/** Names the server that runs, for the message of a command that was given another port. Empty if there is none. */
async function runsElsewhere(url: string, { data }: Settings): Promise<string> {
  const running = lastRunning(data);
  if (running === undefined || running === url) return "";
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LOOK_MS) }).catch(
    () => undefined,
  );
  return answer === undefined ? `; nothing answers there, and your server runs at ${running}` : "";
}

function usualLogger(world: World): Logger {
  return world.stderr.columns === undefined ? SILENT : stderrLogger(world);
}

/** The server on this machine. */
export function localUrl({ host, port }: Settings): string {
  return urlOf(host, port);
}

/**
 * The server on this machine that was started last, wherever it listens, if it still runs; otherwise the configured
 * address. ASKLINE_PORT or ASKLINE_HOST name another one on purpose; port 0 is any free one, and names none.
 */
export function runningUrl(settings: Settings, { environment }: World): string {
  const { ASKLINE_PORT: port, ASKLINE_HOST: host } = environment;
  const isNamed = Boolean((port && port !== "0") || host);
  return (isNamed ? undefined : lastRunning(settings.data)) ?? localUrl(settings);
}

function readUrl(text: string, fromEnvironment: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const source = fromEnvironment ? "ASKLINE_URL" : "--url";
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`${source} "${text}" is not a URL; write it like http://127.0.0.1:4780`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CommandError(`${source} contains a password; use --token or ASKLINE_TOKEN instead`);
  }
  return url.href.replace(/\/$/, "");
}

/**
 * ASKLINE_TOKEN is for ASKLINE_URL and for servers in the user's own files. A URL in a command line that somebody else
 * wrote must not receive it.
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

function tokenOf(
  { data }: Settings,
  url: string,
  role: CredentialRole,
  elsewhere: string,
  { environment }: World,
): string {
  const token = readCredentials(data, url)?.[role];
  if (token !== undefined) return token;
  if (environment.ASKLINE_TOKEN) {
    throw new CommandError(
      `ASKLINE_TOKEN is sent only to ASKLINE_URL and to servers in your own configuration, not to ${url}; use --token, or set ASKLINE_URL to this server`,
    );
  }
  throw new CommandError(
    `no ${role} token for ${url} in ${credentialsPath(data)}${elsewhere}; use --token or ASKLINE_TOKEN, or start a server with "askline serve"`,
  );
}
