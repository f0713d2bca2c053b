import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { AsklineError } from "../../core/index.js";
import { messageOf } from "../../core/kit/tools.js";
import type { RecordStore, StoredRecord } from "../../hub/index.js";
import { createAuth } from "../../server/index.js";
import { type CredentialRole, credentialsPath, readCredentials } from "../connect/credentials.js";
import { localUrl } from "../connect/open-client.js";
import { shellQuote } from "../output/answer-hint.js";
import type { Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { type Finding, ok, type StoreContents, wrong } from "./finding.js";

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
      return wrong("credentials", messageOf(error).split("; ")[0] ?? "", `${aside}, then ${RESTART}`);
    }
    return wrong(
      "credentials",
      `${path} cannot be looked at (${messageOf(error)})`,
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
    const token = kept[role];
    if (token === undefined || (await isTokenOf(role, token, contents, world.clock.now()))) continue;
    return wrong(
      "credentials",
      `the ${role}'s token for ${url} in ${path} is unknown to the store, expired or revoked`,
      RESTART,
    );
  }
  return ok(
    "credentials",
    kept.person === undefined
      ? `${path}, the agent's token is valid; no person's token is in it`
      : `${path}, both tokens are valid; every program of this user can read the person's and answer with it (serve --no-person-file leaves it out)`,
  );
}

/** Whether a store that is only looked at knows a token, of this role and still good. */
async function isTokenOf(
  role: CredentialRole,
  token: string,
  contents: StoreContents,
  now: number,
): Promise<boolean> {
  const auth = createAuth({ records: readOnlyRecords(contents), now: () => now });
  return (await auth.verifyToken(token))?.role === role;
}

function readOnlyRecords(contents: StoreContents): RecordStore {
  const refuse = (): never => {
    throw new AsklineError("unsupported", "this store is only looked at");
  };
  return {
    async get(namespace, key) {
      const value = await contents.record(namespace, key);
      return value === undefined ? undefined : ({ key, value, version: 1 } as StoredRecord);
    },
    put: async () => refuse(),
    delete: async () => refuse(),
    list: async () => refuse(),
    claim: async () => refuse(),
  };
}
