import { createServer } from "node:net";
import { messageOf } from "../../core/kit/tools.js";
import { readCredentials } from "../connect/credentials.js";
import { localUrl } from "../connect/open-client.js";
import { shortDuration } from "../output/units.js";
import type { Settings } from "../settings/settings.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { type Finding, ok, warning, wrong } from "./finding.js";

// The header has whole seconds, and the way takes some time.
const SAME_TIME_MS = 5_000;

/** The server that commands would talk to, where one runs: that it is well, of this version, of this time. */
export async function checkServer(
  named: string | undefined,
  settings: Settings,
  local: Probed | undefined,
  world: World,
): Promise<Finding> {
  const url = named ?? localUrl(settings);
  const probed = named === undefined ? local : await probe(named);
  if (named === undefined && probed === undefined) {
    return ok("server", 'none runs here; "askline serve" starts one');
  }
  if (probed?.kind !== "askline") {
    const what = probed?.kind === "other" ? probed.what : "nothing answers there";
    return wrong("server", `${url}: ${what}`, "start it, or correct --url or ASKLINE_URL");
  }
  const apart = probed.date === undefined ? 0 : world.clock.now() - probed.date;
  if (Math.abs(apart) > SAME_TIME_MS) {
    return warning(
      "server",
      `the clock of ${url} is ${shortDuration(Math.abs(apart))} ${apart > 0 ? "behind" : "ahead of"} this one`,
      "set both by the network: timedatectl set-ntp true",
    );
  }
  const token = readable(() => readCredentials(settings.data, url))?.agent;
  const version = token === undefined ? undefined : await versionOf(url, token);
  if (version !== undefined && version !== packageVersion()) {
    return warning(
      "server",
      `${url} runs version ${version}, and this command is ${packageVersion()}`,
      "stop it, and start it again with this version: askline serve",
    );
  }
  return ok("server", `${url} is well${version === undefined ? "" : `, version ${version}`}`);
}

/** That the credentials cannot be read is told elsewhere. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export interface CheckedPort {
  readonly finding: Finding;
  /** What answers there, where it is ours. */
  readonly probed?: Probed;
}

/** Whether a server could listen, or whether ours does already. */
export async function checkPort(settings: Settings): Promise<CheckedPort> {
  const { host, port } = settings;
  const place = `${host}:${port}`;
  if (port === 0) return { finding: ok("port", "any that is free") };
  const fault = await tryToListen(host, port);
  if (fault === undefined) return { finding: ok("port", `${place} is free`) };
  if (fault !== "EADDRINUSE") return { finding: unusable(place, fault) };
  const probed = await probe(localUrl(settings));
  if (probed.kind === "askline") return { finding: ok("port", `${place} is our server's`), probed };
  const what = probed.kind === "other" ? probed.what : "it does not answer on this machine";
  return {
    finding: wrong(
      "port",
      `${place} is taken by something else: ${what}`,
      `find out by what: lsof -i :${port}; or take another with --port or ASKLINE_PORT`,
    ),
  };
}

function unusable(place: string, fault: string): Finding {
  return fault === "EACCES"
    ? wrong("port", `this user may not listen on ${place}`, "choose a port above 1023 with --port")
    : wrong(
        "port",
        `nothing can listen on ${place} (${fault})`,
        "give an address of this machine with --host",
      );
}

/** The code of the fault; undefined where it went well. The port is let go of at once. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : messageOf(error)));
    server.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port }, () => {
      server.close(() => resolve(undefined));
    });
  });
}

/** What answers at a URL, as far as it tells without a token. */
export type Probed =
  | { readonly kind: "askline"; readonly date: number | undefined }
  | { readonly kind: "other"; readonly what: string }
  | { readonly kind: "nothing"; readonly reason: string };

const PROBE_MS = 3_000;

/** A server of ours says that it is well, and asks for a token in its own words. */
async function probe(url: string): Promise<Probed> {
  try {
    const health = await request(`${url}/healthz`);
    const asks = await request(`${url}/v1/asks`);
    const ours = asks.headers.get("www-authenticate")?.includes('realm="askline"') ?? false;
    if (!ours) return { kind: "other", what: "it speaks HTTP, and is no Askline" };
    if (health.status !== 200) return { kind: "other", what: `its /healthz answers ${health.status}` };
    const date = Date.parse(health.headers.get("date") ?? "");
    return { kind: "askline", date: Number.isNaN(date) ? undefined : date };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ECONNREFUSED" || code === "ENOTFOUND") return { kind: "nothing", reason: code };
    if (error instanceof Error && error.name === "TimeoutError")
      return { kind: "other", what: "it says nothing" };
    return { kind: "other", what: "it does not speak HTTP" };
  }
}

/** The version that a server says it has; undefined where it does not say. */
async function versionOf(url: string, token: string): Promise<string | undefined> {
  try {
    const response = await request(`${url}/v1/server`, { authorization: `Bearer ${token}` });
    const body: unknown = await response.json();
    const version = typeof body === "object" && body !== null && "version" in body ? body.version : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

function request(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
}
