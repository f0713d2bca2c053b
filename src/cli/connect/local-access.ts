// Access to a new server: the tokens of this machine, which the first start creates, or tokens that somebody created
// explicitly, which access from other machines requires.

import { messageOf } from "../../core/kit/tools.js";
import type { Auth } from "../../server/access/auth.js";
import { newProof } from "../../server/access/proof.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import { readCredentials, type ServerCredentials, writeCredentials } from "./credentials.js";

/** The asker's name for asks made with this machine's token. */
export const LOCAL_AGENT = "local";

export interface LocalAccess {
  readonly credentials: ServerCredentials;
  readonly person: string;
  /** Whether this start created them. */
  readonly created: boolean;
}

/** The credentials of this machine for a server. Reuses those of an earlier start if the store still has them. */
export async function ensureCredentials(
  auth: Auth,
  dataFolder: string,
  url: string,
  { person, personFile }: { readonly person: string; readonly personFile: boolean },
): Promise<LocalAccess> {
  const kept = readCredentials(dataFolder, url);
  const [agent, answerer] = await Promise.all(
    [kept?.agent, kept?.person].map((token) => (token === undefined ? undefined : auth.verifyToken(token))),
  );
  const keptPersonFits = personFile
    ? answerer?.role === "person" && answerer.name === person
    : kept?.person === undefined;
  const fits = kept !== undefined && agent?.role === "agent" && keptPersonFits;
  if (fits && (await isOwnProof(auth, kept.proof))) {
    return { credentials: kept, person, created: false };
  }
  const proof = await newProof(auth);
  const tokens: ServerCredentials = fits
    ? kept
    : {
        agent: (await auth.createToken({ role: "agent", name: LOCAL_AGENT, automatic: true })).token,
        ...(personFile && {
          person: (await auth.createToken({ role: "person", name: person, automatic: true })).token,
        }),
      };
  const credentials = { ...tokens, ...(proof !== undefined && { proof: `${proof.id}.${proof.key}` }) };
  const revoke = async (unused: ServerCredentials | undefined): Promise<void> => {
    for (const token of [unused?.agent, unused?.person]) {
      if (token !== undefined && !fits) await auth.revokeToken(tokenId(token));
    }
  };
  try {
    await writeCredentials(dataFolder, url, credentials);
  } catch (error) {
    // Nobody received them, so the store should not keep them.
    await revoke(credentials);
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `cannot write the tokens to ${dataFolder} (${messageOf(error)}); make it writable, or choose another folder with --data`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
  }
  // The file was replaced, so nobody uses the old ones any more.
  await revoke(kept);
  return { credentials, person, created: !fits };
}

/** Whether this server can answer for the proof in the file: it cannot if that is from another store. */
async function isOwnProof(auth: Auth, proof: string | undefined): Promise<boolean> {
  const [id = "", key] = proof?.split(".") ?? [];
  return key !== undefined && (await auth.proofKey(id)) === key;
}

/**
 * Whether somebody created tokens explicitly. Tokens of a first start do not count: they are for this machine, not for
 * a network.
 */
export async function hasConfiguredTokens(auth: Auth, now: number): Promise<boolean> {
  return (await auth.listTokens()).some(
    ({ automatic, expiresAt }) => !automatic && (expiresAt === undefined || expiresAt > now),
  );
}

/** The person whose inbox link to print when the server is open to a network. */
export async function configuredPerson(auth: Auth, preferred: string): Promise<string | undefined> {
  const persons = (await auth.listTokens()).filter(({ role }) => role === "person").map(({ name }) => name);
  return persons.includes(preferred) ? preferred : persons[0];
}

function tokenId(token: string): string {
  return token.slice("askline_".length, "askline_".length + 12);
}

/** A link that opens a person's inbox in a browser, once. */
export async function inboxLink(auth: Auth, url: string, person: string): Promise<string> {
  const { code } = await auth.createInboxCode(person);
  return `${url}/?code=${code}`;
}
