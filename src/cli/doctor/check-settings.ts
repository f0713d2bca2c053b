import { displayLine } from "../../core/index.js";
import { CommandError } from "../command-error.js";
import { describeDatabase } from "../settings/database.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import { type Finding, ok, wrong } from "./finding.js";

/** The settings, where flags, environment and file can be read together. */
export async function checkSettings(
  flags: SettingFlags,
  world: World,
): Promise<{ readonly finding: Finding; readonly settings?: Settings }> {
  try {
    const settings = await readSettings(flags, world);
    const store = describeDatabase(settings.db).replace(/ \(.*/, "");
    return { finding: ok("settings", `${settings.host}:${settings.port}, ${store}`), settings };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const [what = "", ...how] = displayLine(error.message).split("; ");
    return {
      finding: wrong("settings", what, how.join("; ") || "correct it; askline serve --help tells how"),
    };
  }
}
