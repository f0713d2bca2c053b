// Who may use a server that starts: the tokens of this machine, which a first start makes, or those that
// somebody made on purpose, without which no other machine is let in.

import { messageOf } from "../../core/kit/tools.js";
import type { Auth } from "../../server/index.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import { readCredentials, type ServerCredentials, writeCredentials } from "./credentials.js";

/** The name that asks made with this machine's token are kept under. */
const LOCAL_AGENT = "local";

export interface LocalAccess {
  readonly credentials: ServerCredentials;
  readonly person: string;
  /** Whether this start made them. */
  readonly created: boolean;
}

/** The credentials of this machine for a server: those of an earlier start where the store still knows them. */
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
  if (kept !== undefined && agent?.role === "agent" && keptPersonFits) {
    return { credentials: kept, person, created: false };
  }
  const credentials = {
    agent: (await auth.createToken({ role: "agent", name: LOCAL_AGENT, automatic: true })).token,
    ...(personFile && {
      person: (await auth.createToken({ role: "person", name: person, automatic: true })).token,
    }),
  };
  try {
    await writeCredentials(dataFolder, url, credentials);
  } catch (error) {
    // Nobody has them, so nobody should find them in the store.
    for (const token of Object.values(credentials)) await auth.revokeToken(tokenId(token));
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the tokens cannot be written to ${dataFolder} (${messageOf(error)}); make room there, or choose another folder with --data`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
  }
  // Replaced, and in nobody's file any more.
  for (const token of Object.values(kept ?? {})) await auth.revokeToken(tokenId(token));
  return { credentials, person, created: true };
}

/**
 * Whether somebody has made tokens on purpose. Those that a first start made do not count, wherever their
 * file is now: they were made so that one can begin at once, not to be open to a network.
 */
export async function hasConfiguredTokens(auth: Auth, now: number): Promise<boolean> {
  return (await auth.listTokens()).some(
    ({ automatic, expiresAt }) => !automatic && (expiresAt === undefined || expiresAt > now),
  );
}

/** The person to open the inbox for, where the server is open to a network. */
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
