import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import type { RecordStore, StoredRecord } from "../../hub/seam/store.js";
import { createAuth } from "../../server/access/auth.js";
import type { Principal } from "../../server/access/principal.js";
import { credentialsPath, readCredentials } from "../connect/credentials.js";
import { localUrl } from "../connect/open-client.js";
import { shellQuote } from "../output/answer-hint.js";
import type { Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { type Finding, findings, type StoreContents } from "./finding.js";

const CREDENTIALS = findings("credentials");

const RESTART = 'restart "askline serve" to create new tokens';

/** Checks that the credentials file is private and readable, and that the store knows its tokens. */
export async function checkCredentials(
  settings: Settings,
  contents: StoreContents | undefined,
  world: World,
): Promise<Finding> {
  const path = credentialsPath(settings.data);
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      return CREDENTIALS.ok(`${path} does not exist yet; the first "askline serve" creates it`);
    }
    for (const file of [path, ...headerFiles(settings.data)]) {
      const fault = checkFile(file, world);
      if (fault !== undefined) return fault;
    }
    return await checkTokens(path, settings, contents, world);
  } catch (error) {
    const aside = `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`;
    if (error instanceof CommandError) {
      return CREDENTIALS.wrong(messageOf(error).split("; ")[0] ?? "", `${aside}, then ${RESTART}`);
    }
    return CREDENTIALS.wrong(
      `cannot read ${path} (${messageOf(error)})`,
      "make its folder readable by this user",
    );
  }
}

/** The header files for `curl`, which contain the same tokens. */
function headerFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".headers"))
    .map((name) => join(folder, name));
}

function checkFile(path: string, { userId }: World): Finding | undefined {
  const found = statSync(path);
  const { mode, uid } = found;
  const quoted = shellQuote(path);
  if (!found.isFile()) return CREDENTIALS.wrong(`${path} is not a file`, `move it away, then ${RESTART}`);
  if (userId !== undefined && uid !== userId) {
    return CREDENTIALS.wrong(
      `${path} belongs to user ${uid}, not to this user (${userId})`,
      `chown ${userId} ${quoted}, as root; or run this as the user who runs the server`,
    );
  }
  if ((mode & 0o077) === 0) return undefined;
  return CREDENTIALS.wrong(
    `${path} contains tokens and other users can read it (${(mode & 0o777).toString(8)})`,
    `chmod 600 ${quoted}; if others may have read it, revoke its tokens: askline token list`,
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
  if (kept === undefined) return CREDENTIALS.ok(`${path} has no tokens for ${url} yet`);
  if (contents === undefined) return CREDENTIALS.ok(`${path}; not checked, because the store cannot be read`);
  for (const role of ["agent", "person"] as const) {
    const token = kept[role];
    if (token === undefined || (await callerIn(contents, token, world.clock.now()))?.role === role) continue;
    return CREDENTIALS.wrong(
      `the ${role} token for ${url} in ${path} is unknown to the store, expired or revoked`,
      RESTART,
    );
  }
  return CREDENTIALS.ok(
    kept.person === undefined
      ? `${path}: the agent token is valid; the file has no person token. Programs of this user can still write the store: run the server as its own user if agents run as you`
      : `${path}: both tokens are valid. Every program of this user can read the person token and answer with it; serve --no-person-file leaves it out`,
  );
}

/** The caller with this token, if the store knows it. Reads only. */
export function callerIn(
  contents: StoreContents,
  token: string,
  now: number,
): Promise<Principal | undefined> {
  return createAuth({ records: readOnlyRecords(contents), now: () => now }).verifyToken(token);
}

function readOnlyRecords(contents: StoreContents): RecordStore {
  const refuse = (): never => {
    throw new AsklineError("unsupported", "the store is opened read-only");
  };
  return {
    async get(namespace, key) {
      const value = await contents.record(namespace, key);
      // A record that was ended has the value null until it is removed.
      return value === undefined || value === null ? undefined : ({ key, value, version: 1 } as StoredRecord);
    },
    put: async () => refuse(),
    delete: async () => refuse(),
    list: async () => refuse(),
    claim: async () => refuse(),
  };
}
