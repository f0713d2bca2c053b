import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command-error.js";
import { credentialsPath, readCredentials } from "../remote/credentials.js";
import { localUrl } from "../remote/open-client.js";
import { shellQuote } from "../screen/curl-line.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import type { StoreContents } from "./examined-store.js";
import { type Finding, ok, reasonOf, wrong } from "./finding.js";
import { isTokenOf } from "./known-token.js";

const RESTART = 'start "askline serve" again: it makes new ones';

/** The file with this machine's tokens: private, readable, and its tokens known to the store. */
export async function checkCredentials(
  settings: Settings,
  contents: StoreContents | undefined,
  world: World,
): Promise<Finding> {
  const path = credentialsPath(settings.data);
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      return ok("credentials", `${path} is not there yet; the first "askline serve" makes it`);
    }
    for (const file of [path, ...headerFiles(settings.data)]) {
      const fault = checkFile(file, world);
      if (fault !== undefined) return fault;
    }
    return await checkTokens(path, settings, contents, world);
  } catch (error) {
    const aside = `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`;
    if (error instanceof CommandError) {
      return wrong("credentials", reasonOf(error).split("; ")[0] ?? "", `${aside}, then ${RESTART}`);
    }
    return wrong(
      "credentials",
      `${path} cannot be looked at (${reasonOf(error)})`,
      "make its folder readable for this user",
    );
  }
}

/** Files for `curl`, which hold the same tokens. */
function headerFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".headers"))
    .map((name) => join(folder, name));
}

function checkFile(path: string, { userId }: World): Finding | undefined {
  const found = statSync(path);
  const { mode, uid } = found;
  const quoted = shellQuote(path);
  if (!found.isFile()) return wrong("credentials", `${path} is no file`, `move it away, then ${RESTART}`);
  if (userId !== undefined && uid !== userId) {
    return wrong(
      "credentials",
      `${path} belongs to the user ${uid}, not to this one (${userId})`,
      `chown ${userId} ${quoted}, as root; or run this as the user who serves`,
    );
  }
  if ((mode & 0o077) === 0) return undefined;
  return wrong(
    "credentials",
    `${path} holds tokens and is open to others (${(mode & 0o777).toString(8)})`,
    `chmod 600 ${quoted}; if others were here, revoke its tokens: askline token list`,
  );
}

async function checkTokens(
  path: string,
  settings: Settings,
  contents: StoreContents | undefined,
  world: World,
): Promise<Finding> {
  const url = localUrl(settings);
  const kept = readCredentials(settings.data, url);
  if (kept === undefined) return ok("credentials", `${path}; none for ${url} yet`);
  if (contents === undefined) return ok("credentials", `${path}; the store cannot say whether they count`);
  for (const role of ["agent", "person"] as const) {
    if (await isTokenOf(role, kept[role], contents, world.clock.now())) continue;
    return wrong(
      "credentials",
      `the ${role}'s token for ${url} in ${path} is unknown to the store, expired or revoked`,
      RESTART,
    );
  }
  return ok("credentials", `${path}, both tokens count`);
}
