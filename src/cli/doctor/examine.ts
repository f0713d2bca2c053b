// Runs the checks one after the other, since later ones need the results of earlier ones. Each is bounded in time, and
// none changes anything.

import { within } from "../../core/kit/tools.js";
import { displayLine } from "../../core/text/display.js";
import { namedUrl } from "../connect/named-url.js";
import type { RemoteFlags } from "../connect/open-client.js";
import { describeDatabase } from "../settings/database.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { checkAgents } from "./check-agents.js";
import { checkBackground } from "./check-background.js";
import { checkCredentials } from "./check-credentials.js";
import { checkDeliveries, checkNotifications } from "./check-deliveries.js";
import { checkFolder } from "./check-folder.js";
import { checkClock, checkNode, checkPackage } from "./check-machine.js";
import { checkPostgres } from "./check-postgres.js";
import { type CheckedPort, checkPort, checkServer } from "./check-server.js";
import { checkSqlite } from "./check-sqlite.js";
import { CHECKS, type CheckName, type ExaminedStore, type Finding, findings } from "./finding.js";

const STORE = findings("store");
const SETTINGS = findings("settings");

const LONGEST_MS = 15_000;

export async function examine(flags: RemoteFlags, world: World): Promise<readonly Finding[]> {
  const bounded = <T>(check: CheckName, task: Promise<T>, late: (finding: Finding) => T): Promise<T> =>
    within(world.clock, LONGEST_MS, task, () => late(tooLong(check)));
  const { finding, settings } = await checkSettings(flags, world);
  const findings: Finding[] = [checkNode(world), finding];
  if (settings === undefined) return findings;

  const same = (late: Finding): Finding => late;
  findings.push(await bounded("data folder", checkFolder(settings.data, world), same));
  findings.push(await bounded("pg", checkPackage(settings.db), same));
  const store = await bounded("store", checkStore(settings, world), (late) => ({ findings: [late] }));
  findings.push(...store.findings);
  try {
    const { contents } = store;
    findings.push(await bounded("credentials", checkCredentials(settings, contents, world), same));
    const port = await bounded<CheckedPort>("port", checkPort(settings), (late) => ({ finding: late }));
    findings.push(port.finding);
    const named = namedUrl(flags, world)?.replace(/\/$/, "");
    findings.push(await bounded("server", checkServer(named, settings, port.probed, world), same));
    findings.push(await bounded("background", checkBackground(settings, world), same));
    findings.push(checkNotifications(settings));
    findings.push(await bounded("deliveries", checkDeliveries(contents, world), same));
    findings.push(await bounded("agents", checkAgents(settings, contents, world), same));
    findings.push(checkClock(contents, world));
  } finally {
    await store.contents?.close();
  }
  return findings.sort((one, other) => CHECKS.indexOf(one.check) - CHECKS.indexOf(other.check));
}

async function checkStore({ db }: Settings, world: World): Promise<ExaminedStore> {
  switch (db.kind) {
    case "memory":
      return { findings: [STORE.ok("memory: nothing is kept when the server stops")] };
    case "sqlite":
      return checkSqlite(db.path);
    case "postgres":
      return checkPostgres(db.url, world);
  }
}

function tooLong(check: CheckName): Finding {
  return findings(check).wrong(
    `the check took longer than ${LONGEST_MS / 1_000} seconds`,
    "check that its disk or network responds, then run this again",
  );
}

/** Checks that flags, environment and files give valid settings. */
async function checkSettings(
  flags: SettingFlags,
  world: World,
): Promise<{ readonly finding: Finding; readonly settings?: Settings }> {
  try {
    const settings = await readSettings(flags, world);
    const store = describeDatabase(settings.db).replace(/ \(.*/, "");
    return { finding: SETTINGS.ok(`${settings.host}:${settings.port}, ${store}`), settings };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const [what = "", ...how] = displayLine(error.message).split("; ");
    return {
      finding: SETTINGS.wrong(what, how.join("; ") || "fix it; see askline serve --help"),
    };
  }
}
