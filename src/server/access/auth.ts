import type { Device } from "../../core/model/device.js";
import { AsklineError } from "../../core/model/error.js";
import type { TokenInfo } from "../../core/model/token.js";
import { endSubscriptions, type SubscriptionCredential } from "../../hub/records/push-subscriptions.js";
import type { RecordStore } from "../../hub/seam/store.js";
import { createActionTokens, type FoundAction, type TokenAction } from "./action-tokens.js";
import { createEpochs } from "./epochs.js";
import { createInboxSessions, deviceId, type InboxSessions } from "./inbox-sessions.js";
import { createLinks, type LinkTarget, type OpenedLink } from "./links.js";
import { createPeople, type People } from "./people.js";
import type { Credential, Principal } from "./principal.js";
import { createSigner, hashSecret } from "./secrets.js";
import { createTokens, isId, type NewToken } from "./tokens.js";

/** Credentials: tokens, one-time codes, cookies and signed links, stored as records. */
export interface Auth {
  /** Creates a token; `by` is for the audit, here and below. Only its hash is stored: the text in the result cannot be recovered later. */
  createToken(token: NewToken, by?: string): Promise<{ readonly token: string; readonly info: TokenInfo }>;
  /** All tokens, oldest first, including recently expired ones. */
  listTokens(): Promise<readonly TokenInfo[]>;
  /**
   * Returns whether the token existed. It stops working within a second, in every process. One of a person for
   * all sessions also ends that person's browsers and sign-in codes: somebody who had the token may have made them with it.
   */
  revokeToken(id: string, by?: string): Promise<boolean>;
  /** The owner of a bearer token; undefined if unknown, expired or revoked. */
  verifyToken(token: string): Promise<Principal | undefined>;
  /** A code that opens a person's inbox in a browser, once, within ten minutes. */
  createInboxCode(person: string): Promise<{ readonly code: string; readonly expiresAt: number }>;
  redeemInboxCode: InboxSessions["redeemCode"];
  /** Whether a code could be used now. Using it is for `redeemInboxCode`. */
  hasInboxCode(code: string): Promise<boolean>;
  /** The person of a cookie; undefined unless the request was sent below the path of that person's inbox. */
  verifyCookie(secret: string, inboxKey: string): Promise<Principal | undefined>;
  endCookie(secret: string): Promise<void>;
  /** The people that the server knows. */
  readonly people: People;
  /** How many browsers each person is signed in with. */
  browsersByPerson(): Promise<ReadonlyMap<string, number>>;
  /** The browsers in which a person is signed in, newest first. */
  devices(person: string): Promise<readonly Device[]>;
  /** Signs a person out of one browser; false if there is none with this id. */
  endDevice(person: string, id: string): Promise<boolean>;
  /** Signs a person out of every browser, ends every sign-in code, and returns how many browsers there were. */
  signOut(person: string): Promise<number>;
  /**
   * Ends everything that was issued to a person: tokens, codes, cookies and signed links, within a second in every
   * process. Returns how many tokens and browsers there were.
   */
  revokePerson(person: string, by?: string): Promise<{ readonly tokens: number; readonly browsers: number }>;
  /** Whether a person was revoked and has got no token and no browser session since. */
  isRevoked(person: string): Promise<boolean>;
  createLink(target: LinkTarget): Promise<{ readonly link: string; readonly expiresAt: number }>;
  openLink(link: string): Promise<OpenedLink>;
  /** A one-time token that settles an ask in one way, for a button in a notification. */
  createAction(action: TokenAction): Promise<string>;
  /** What a token does; undefined if it is unknown, used, expired or revoked. */
  findAction(token: string): Promise<FoundAction | undefined>;
  /** The key under which this server proves itself for an id; undefined if the server has no secret. */
  proofKey(id: string): Promise<string | undefined>;
  /** Whether a verified credential is still valid. Synchronous if nothing has to be looked up. */
  isValid(credential: Credential): boolean | Promise<boolean>;
}

export interface AuthOptions {
  /** The records of an open store: `store.records`. */
  readonly records: RecordStore;
  /** The store's clock: `store.now`. */
  readonly now: () => number;
  /** For the audit: who uses these credentials, such as the user of a command. */
  readonly user?: string;
}

/**
 * Credentials over the records of a store.
 *
 * @example
 * const { token } = await createAuth({ records, now }).createToken({ role: "agent", name: "builder" });
 * console.log(token.startsWith("askline_"));
 */
export function createAuth({ records, now, user }: AuthOptions): Auth {
  const sign = createSigner(records);
  const epochs = createEpochs(records, now);
  const tokens = createTokens(records, epochs, now);
  const sessions = createInboxSessions(records, sign, epochs, now);
  const links = createLinks(sign, epochs, now);
  const actions = createActionTokens(records, epochs, now);
  const endPush = (
    person: string | undefined,
    isEnded: (of: SubscriptionCredential) => boolean,
  ): Promise<unknown> => endSubscriptions(records, person, ({ credential }) => isEnded(credential));
  const signOut = async (person: string): Promise<number> => {
    const ended = await sessions.endAll(person);
    await endPush(person, ({ kind }) => kind === "cookie");
    return ended;
  };
  const people = createPeople(records, now, async () => {
    const since = new Map<string, number>();
    for (const { role, name, createdAt } of await tokens.list()) {
      if (role === "person") since.set(name, Math.min(since.get(name) ?? createdAt, createdAt));
    }
    for (const person of (await sessions.counts()).keys()) if (!since.has(person)) since.set(person, now());
    return since;
  });
  return {
    people,
    browsersByPerson: sessions.counts,
    async createToken(token, by = user) {
      const created = await tokens.create(token, by);
      if (token.role === "person") await people.issued(token.name);
      return created;
    },
    listTokens: tokens.list,
    async revokeToken(id, by = user) {
      const revoked = await tokens.revoke(id, by);
      if (revoked?.role === "person" && revoked.sessions === undefined) await signOut(revoked.name);
      await endPush(undefined, (of) => of.kind === "token" && of.id === id);
      return revoked !== undefined;
    },
    verifyToken: tokens.verify,
    async createInboxCode(person) {
      if (!isId(person)) throw new AsklineError("invalid_request", "name the person whose inbox to open");
      return sessions.createCode(person);
    },
    async redeemInboxCode(code, userAgent) {
      const session = await sessions.redeemCode(code, userAgent);
      if (session !== undefined) await people.issued(session.person);
      return session;
    },
    hasInboxCode: sessions.hasCode,
    devices: sessions.devices,
    async endDevice(person, id) {
      const ended = await sessions.endDevice(person, id);
      await endPush(person, (of) => of.kind === "cookie" && deviceId(of.hash) === id);
      return ended;
    },
    verifyCookie: sessions.verify,
    async endCookie(secret) {
      const hash = hashSecret(secret);
      await sessions.end(secret);
      await endPush(undefined, (of) => of.kind === "cookie" && of.hash === hash);
    },
    signOut,
    async revokePerson(person, by = user) {
      // This one write ends them all; the rest only removes what no longer works.
      await epochs.raise(person, by);
      const owned = (await tokens.list()).filter(({ role, name }) => role === "person" && name === person);
      for (const { id } of owned) await tokens.revoke(id, by);
      await endPush(person, () => true);
      await people.left(person);
      return { tokens: owned.length, browsers: await sessions.endAll(person) };
    },
    async isRevoked(person) {
      if ((await epochs.current(person)) === 0) return false;
      if ((await tokens.list()).some(({ role, name }) => role === "person" && name === person)) return false;
      return (await sessions.devices(person)).length === 0;
    },
    async createLink(target) {
      await people.issued(target.person);
      return links.create(target);
    },
    openLink: links.open,
    createAction: actions.create,
    findAction: actions.find,
    proofKey: (id) => sign(`askline proof 1\n${id}`),
    isValid(credential) {
      switch (credential.kind) {
        case "token":
          return tokens.isValid(credential.id);
        case "cookie":
          return sessions.isValid(credential.hash);
        case "host":
          return credential.isValid();
        case "link":
          return credential.expiresAt > now() && epochs.isCurrent(credential.person, credential.epoch);
      }
    },
  };
}
