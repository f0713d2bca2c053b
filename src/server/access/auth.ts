import { AsklineError } from "../../core/index.js";
import type { RecordStore } from "../../hub/index.js";
import { createInboxSessions, type InboxSessions } from "./inbox-sessions.js";
import { createLinks, type LinkTarget, type OpenedLink } from "./links.js";
import type { Credential, Principal } from "./principal.js";
import { createTokens, isId, type NewToken, type TokenInfo } from "./tokens.js";

/** Who may do what: tokens, one-time codes, cookies and signed links, kept as records of the store. */
export interface Auth {
  /** Makes a token. Only its hash is kept: the text in the result cannot be had again. */
  createToken(token: NewToken): Promise<{ readonly token: string; readonly info: TokenInfo }>;
  /** All tokens, oldest first, those included that expired not long ago. */
  listTokens(): Promise<readonly TokenInfo[]>;
  /** Whether there was such a token. It stops working within a second, in every process. */
  revokeToken(id: string): Promise<boolean>;
  /** Who a bearer token belongs to; undefined where it is unknown, expired or revoked. */
  verifyToken(token: string): Promise<Principal | undefined>;
  /** A code that opens a person's inbox in a browser: for ten minutes, once. */
  createInboxCode(person: string): Promise<{ readonly code: string; readonly expiresAt: number }>;
  redeemInboxCode: InboxSessions["redeemCode"];
  verifyCookie(secret: string): Promise<Principal | undefined>;
  endCookie(secret: string): Promise<void>;
  /** Signs a person out of every browser; of how many is the result. */
  signOut(person: string): Promise<number>;
  createLink(target: LinkTarget): Promise<{ readonly link: string; readonly expiresAt: number }>;
  openLink(link: string): Promise<OpenedLink>;
  /** Whether a credential that was good a while ago still is. At once, where nothing has to be looked up. */
  isValid(credential: Credential): boolean | Promise<boolean>;
}

export interface AuthOptions {
  /** The records of an open store: `store.records`. */
  readonly records: RecordStore;
  /** The time by which the store counts: `store.now`. */
  readonly now: () => number;
}

/**
 * Credentials over the records of a store.
 *
 * @example
 * const { token } = await createAuth({ records, now }).createToken({ role: "agent", name: "builder" });
 * console.log(token.startsWith("askline_"));
 */
export function createAuth({ records, now }: AuthOptions): Auth {
  const tokens = createTokens(records, now);
  const sessions = createInboxSessions(records, now);
  const links = createLinks(records, now);
  return {
    createToken: tokens.create,
    listTokens: tokens.list,
    revokeToken: tokens.revoke,
    verifyToken: tokens.verify,
    async createInboxCode(person) {
      if (!isId(person)) throw new AsklineError("invalid_request", "an inbox belongs to a person; name one");
      return sessions.createCode(person);
    },
    redeemInboxCode: sessions.redeemCode,
    verifyCookie: sessions.verify,
    endCookie: sessions.end,
    signOut: sessions.endAll,
    createLink: links.create,
    openLink: links.open,
    isValid(credential) {
      switch (credential.kind) {
        case "token":
          return tokens.isValid(credential.id);
        case "cookie":
          return sessions.isValid(credential.hash);
        case "link":
          return credential.expiresAt > now();
      }
    },
  };
}
