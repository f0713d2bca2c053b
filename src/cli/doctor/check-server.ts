import { packageVersion } from "../package-version.js";
import { readCredentials } from "../remote/credentials.js";
import { localUrl } from "../remote/open-client.js";
import { shortDuration } from "../screen/time.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import { type Finding, ok, warning, wrong } from "./finding.js";
import { type Probed, probe, versionOf } from "./probe.js";

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
