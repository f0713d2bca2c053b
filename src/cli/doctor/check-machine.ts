import { createRequire } from "node:module";
import { INSTALL_PG } from "../../hub/stores/postgres/database/driver.js";
import { exactTime, shortDuration } from "../output/units.js";
import type { Database } from "../settings/database.js";
import { lowestNode } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { type Finding, findings, type StoreContents } from "./finding.js";

const CLOCK = findings("clock");
const NODE = findings("Node");
const PG = findings("pg");

// This program did not exist before, and a deadline is at most ten years ahead.
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const SAME_TIME_MS = 5_000;
const SET = "synchronize it: timedatectl set-ntp true";

/** Checks that the clock is plausible, not before the newest event, and close to PostgreSQL's. */
export function checkClock(contents: StoreContents | undefined, { clock }: World): Finding {
  const now = clock.now();
  if (now < EARLIEST || now > LATEST) return CLOCK.wrong(`implausible time ${safeTime(now)}`, SET);
  const { newestEventAt: newest, time } = contents ?? {};
  // A store with its own clock uses that one.
  const storesNow = time === undefined ? now : now + time.there - time.here;
  if (newest !== undefined && newest - storesNow > SAME_TIME_MS) {
    return CLOCK.wrong(
      `${exactTime(now)} is ${shortDuration(newest - storesNow)} before the newest event in the store`,
      SET,
    );
  }
  const apart = time === undefined ? 0 : time.here - time.there;
  if (Math.abs(apart) > SAME_TIME_MS) {
    return CLOCK.warning(
      `${shortDuration(Math.abs(apart))} ${apart > 0 ? "ahead of" : "behind"} PostgreSQL's clock, which Askline uses`,
      "synchronize both: timedatectl set-ntp true",
    );
  }
  return CLOCK.ok(exactTime(now));
}

function safeTime(time: number): string {
  return Math.abs(time) <= 8.64e15 ? exactTime(time) : "(out of range)";
}

export function checkNode({ nodeVersion }: World): Finding {
  const lowest = lowestNode();
  return isAtLeast(nodeVersion, lowest)
    ? NODE.ok(nodeVersion)
    : NODE.wrong(
        `${nodeVersion} is too old; Askline needs ${lowest} or newer`,
        `install Node ${lowest} or newer from nodejs.org, or with your version manager: nvm install --lts`,
      );
}

function isAtLeast(version: string, lowest: string): boolean {
  const numbers = (text: string): readonly number[] => text.replace(/^v/, "").split(".").map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [needsMajor = 0, needsMinor = 0] = numbers(lowest);
  return major > needsMajor || (major === needsMajor && minor >= needsMinor);
}

/** Checks for the package pg, which only PostgreSQL needs. */
export async function checkPackage({ kind }: Pick<Database, "kind">): Promise<Finding> {
  const version = await installedVersion();
  if (version !== undefined) return PG.ok(`${version} is installed`);
  return kind === "postgres"
    ? PG.wrong("PostgreSQL needs the package pg, which is not installed", INSTALL_PG)
    : PG.ok("not installed; only PostgreSQL needs it");
}

async function installedVersion(): Promise<string | undefined> {
  try {
    const { version } = createRequire(import.meta.url)("pg/package.json") as { readonly version: string };
    return version;
  } catch {
    return undefined;
  }
}
