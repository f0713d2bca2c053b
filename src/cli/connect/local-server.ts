import { defined } from "../../core/kit/tools.js";
import { relativeTime } from "../output/units.js";
import type { Settings } from "../settings/settings.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { ensureLocalServer, type LocalServer } from "./background.js";
import type { RemoteFlags } from "./open-client.js";

/** The running local server, or a new one in the background. Says once which one it is, and how old. */
export async function announcedServer(
  flags: RemoteFlags,
  settings: Settings,
  world: World,
): Promise<LocalServer> {
  const named = defined({ "--data": flags.data, "--config": flags.config, "--db": flags.db }) as Readonly<
    Record<string, string>
  >;
  const server = await ensureLocalServer({ settings, flags: Object.entries(named).flat() });
  const { url, version, background, started } = server;
  const own = packageVersion();
  const since =
    background === undefined || started
      ? ""
      : `, started in the background ${relativeTime(background.startedAt, world.clock.now())}`;
  const other =
    version === own
      ? ""
      : `; it is version ${version ?? "unknown"} and this command is ${own}: "askline stop" ends it, and the next command starts the new version`;
  world.stderr.write(
    `askline: ${started ? "started a server in the background" : "asks go to the server"} at ${url}${since}${other}\n`,
  );
  return server;
}
