import { findLocalServer } from "../connect/background.js";
import { readBackground } from "../connect/background-state.js";
import { relativeTime } from "../output/units.js";
import type { Settings } from "../settings/settings.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { type Finding, findings } from "./finding.js";

const BACKGROUND = findings("background");

/** Checks the server that other commands started in the background, if there is one. */
export async function checkBackground(settings: Settings, world: World): Promise<Finding> {
  const state = readBackground(settings.data);
  if (state === undefined) return BACKGROUND.ok('no server; "askline mcp" starts one if it needs one');
  const found = await findLocalServer(settings).catch(() => undefined);
  if (found?.background?.pid !== state.pid) {
    return BACKGROUND.ok(
      `the server at ${state.url} does not answer any more; its log: ${state.log}. The next command that needs one starts one`,
    );
  }
  const since = relativeTime(state.startedAt, world.clock.now());
  const about = `${state.url}, version ${state.version}, process ${state.pid}, started ${since}; log: ${state.log}`;
  if (state.version === packageVersion()) return BACKGROUND.ok(about);
  return BACKGROUND.warning(
    `${about}; this command is ${packageVersion()}`,
    "askline stop; the next command starts the new version",
  );
}
