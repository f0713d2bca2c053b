import { createServer } from "node:net";
import { reasonOf } from "../../client/failed-try.js";
import { messageOf } from "../../core/kit/tools.js";
import { findLocalServer, probe as probeServer } from "../connect/background.js";
import { readCredentials } from "../connect/credentials.js";
import { localUrl } from "../connect/open-client.js";
import { serverFetch } from "../connect/server-fetch.js";
import { shortDuration } from "../output/units.js";
import type { Settings } from "../settings/settings.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { type Finding, findings } from "./finding.js";

const SERVER = findings("server");
const PORT = findings("port");

// The date header has whole seconds, and the request takes some time.
const SAME_TIME_MS = 5_000;

/** Checks the server that commands would use, if one runs: health, version and clock. */
export async function checkServer(
  named: string | undefined,
  settings: Settings,
  local: Probed | undefined,
  world: World,
): Promise<Finding> {
  // Commands find a server of this user on any port. Another check reports credentials that cannot be read.
  const running = local === undefined ? await findLocalServer(settings).catch(() => undefined) : undefined;
  const elsewhere = named ?? running?.url;
  const url = elsewhere ?? localUrl(settings);
  const probed = elsewhere === undefined ? local : await probe(elsewhere);
  if (elsewhere === undefined && probed === undefined) {
    return SERVER.ok('not running; "askline serve" starts one');
  }
  if (probed?.kind !== "askline") {
    const what = probed?.kind === "other" ? probed.what : "no response";
    return SERVER.wrong(`${url}: ${what}`, "start it, or fix --url or ASKLINE_URL");
  }
  const apart = probed.date === undefined ? 0 : world.clock.now() - probed.date;
  if (Math.abs(apart) > SAME_TIME_MS) {
    return SERVER.warning(
      `the clock of ${url} is ${shortDuration(Math.abs(apart))} ${apart > 0 ? "behind" : "ahead of"} this one`,
      "synchronize both: timedatectl set-ntp true",
    );
  }
  const token = readable(() => readCredentials(settings.data, url))?.agent;
  const unproved =
    token && (await serverFetch(settings.data, url)(`${url}/healthz`).then(() => "", reasonOf));
  if (unproved) return SERVER.wrong(`${url}: ${unproved}`, "stop what listens there, and start your server");
  const { version } = (token && (await probeServer(settings.data, url, token))) || {};
  if (version !== undefined && version !== packageVersion()) {
    return SERVER.warning(
      `${url} runs version ${version}, but this command is ${packageVersion()}`,
      "restart it with this version: askline serve",
    );
  }
  return SERVER.ok(`${url} is healthy${version === undefined ? "" : `, version ${version}`}`);
}

/** Another check reports credentials that cannot be read. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export interface CheckedPort {
  readonly finding: Finding;
  /** The response of our server, if it listens there. */
  readonly probed?: Probed;
}

/** Checks that the port is free, or that our server listens on it. */
export async function checkPort(settings: Settings): Promise<CheckedPort> {
  const { host, port } = settings;
  const place = `${host}:${port}`;
  if (port === 0) return { finding: PORT.ok("any free port") };
  const fault = await tryToListen(host, port);
  if (fault === undefined) return { finding: PORT.ok(`${place} is free`) };
  if (fault !== "EADDRINUSE") return { finding: unusable(place, fault) };
  const probed = await probe(localUrl(settings));
  if (probed.kind === "askline") return { finding: PORT.ok(`${place} is used by our server`), probed };
  const what = probed.kind === "other" ? probed.what : "it does not respond on this machine";
  return {
    finding: PORT.wrong(
      `another program uses ${place}: ${what}`,
      `find it with: lsof -i :${port}; or choose another port with --port or ASKLINE_PORT`,
    ),
  };
}

function unusable(place: string, fault: string): Finding {
  return fault === "EACCES"
    ? PORT.wrong(`this user may not listen on ${place}`, "choose a port above 1023 with --port")
    : PORT.wrong(`cannot listen on ${place} (${fault})`, "give an address of this machine with --host");
}

/** The error code; undefined if listening worked. Releases the port immediately. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : messageOf(error)));
    server.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port }, () => {
      server.close(() => resolve(undefined));
    });
  });
}

/** What responds at a URL, as far as can be seen without a token. */
export type Probed =
  | { readonly kind: "askline"; readonly date: number | undefined }
  | { readonly kind: "other"; readonly what: string }
  | { readonly kind: "nothing"; readonly reason: string };

const PROBE_MS = 3_000;

/** Our server responds to /healthz and names its own realm when it asks for a token. */
async function probe(url: string): Promise<Probed> {
  try {
    const health = await request(`${url}/healthz`);
    const asks = await request(`${url}/v1/asks`);
    const ours = asks.headers.get("www-authenticate")?.includes('realm="askline"') ?? false;
    if (!ours) return { kind: "other", what: "an HTTP server that is not Askline" };
    if (health.status !== 200) return { kind: "other", what: `its /healthz returns ${health.status}` };
    const date = Date.parse(health.headers.get("date") ?? "");
    return { kind: "askline", date: Number.isNaN(date) ? undefined : date };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ECONNREFUSED" || code === "ENOTFOUND") return { kind: "nothing", reason: code };
    if (error instanceof Error && error.name === "TimeoutError")
      return { kind: "other", what: "it accepts connections but does not respond" };
    return { kind: "other", what: "it does not speak HTTP" };
  }
}

function request(url: string): Promise<Response> {
  return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
}
