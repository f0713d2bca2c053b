// How a browser signs in without a password:
//
//   code (in a printed link, ten minutes, once) --POST /login--> cookie (thirty days) --POST /logout--> nothing
//
// Browsers send a cookie to every port of a host, so the cookie alone gives no access: it counts only below the path
// of the person's inbox, `/i/KEY`, and the key never leaves this origin (docs/decisions/0014).
//
// Both are records under the hash of their secret, and expire by themselves.

import { timingSafeEqual } from "node:crypto";
import type { RecordStore } from "../../hub/index.js";
import type { Epochs } from "./epochs.js";
import type { Principal } from "./principal.js";
import { hashSecret, newSecret, type Sign } from "./secrets.js";

const CODES = "inbox-code";
const SESSIONS = "inbox-session";
const CODE_MS = 10 * 60_000;
const SESSION_MS = 30 * 24 * 60 * 60_000;
const PAGE = 200;
/** Characters of base64url: 132 bits. */
const KEY_LENGTH = 22;

export interface InboxSession {
  /** The value of the cookie. */
  readonly secret: string;
  /** The part of the inbox path that the cookie counts below. The same for all sessions of a person. */
  readonly key: string;
  readonly expiresAt: number;
}

export interface InboxSessions {
  createCode(person: string): Promise<{ readonly code: string; readonly expiresAt: number }>;
  /** Exchanges a code for a session secret. Of several concurrent attempts, one succeeds. */
  redeemCode(code: string): Promise<InboxSession | undefined>;
  verify(secret: string, key: string): Promise<Principal | undefined>;
  isValid(hash: string): Promise<boolean>;
  end(secret: string): Promise<void>;
  /** Ends all sessions of a person and returns how many were still valid. */
  endAll(person: string): Promise<number>;
}

export function createInboxSessions(
  records: RecordStore,
  sign: Sign,
  epochs: Epochs,
  now: () => number,
): InboxSessions {
  /** Stable for bookmarks and open pages, until the person is revoked. */
  const keyOf = async ({ person, epoch = 0 }: Owner): Promise<string> =>
    (await sign(`askline inbox 1\n${JSON.stringify([person, epoch])}`)).slice(0, KEY_LENGTH);
  const isCurrent = ({ person, epoch }: Owner): boolean | Promise<boolean> => epochs.isCurrent(person, epoch);

  return {
    async createCode(person) {
      const code = newSecret();
      const expiresAt = now() + CODE_MS;
      const epoch = await epochs.current(person);
      const owner: Owner = { person, ...(epoch > 0 && { epoch }) };
      await records.put(CODES, hashSecret(code), { ...owner }, { expiresAt });
      return { code, expiresAt };
    },

    async redeemCode(code) {
      const key = hashSecret(code);
      const record = await records.get(CODES, key);
      if (record === undefined || !(await isCurrent(ownerIn(record.value)))) return undefined;
      // The delete decides: an attempt that finds nothing to delete came second.
      if (!(await records.delete(CODES, key, { expect: record.version }))) return undefined;
      const secret = newSecret();
      const expiresAt = now() + SESSION_MS;
      await records.put(SESSIONS, hashSecret(secret), record.value, { expiresAt });
      return { secret, key: await keyOf(ownerIn(record.value)), expiresAt };
    },

    async verify(secret, key) {
      const hash = hashSecret(secret);
      const record = await records.get(SESSIONS, hash);
      if (record === undefined) return undefined;
      const owner = ownerIn(record.value);
      if (!isSame(key, await keyOf(owner)) || !(await isCurrent(owner))) return undefined;
      return { role: "person", name: owner.person, credential: { kind: "cookie", hash } };
    },

    async isValid(hash) {
      const record = await records.get(SESSIONS, hash);
      return record !== undefined && isCurrent(ownerIn(record.value));
    },

    async end(secret) {
      await records.delete(SESSIONS, hashSecret(secret));
    },

    async endAll(person) {
      let ended = 0;
      for (let after: string | undefined; ; ) {
        const page = await records.list(SESSIONS, { limit: PAGE, ...(after !== undefined && { after }) });
        for (const { key, value } of page) {
          if (ownerIn(value).person === person && (await records.delete(SESSIONS, key))) ended += 1;
        }
        after = page.at(-1)?.key;
        if (page.length < PAGE) return ended;
      }
    },
  };
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** What codes and cookies are stored with. */
interface Owner {
  readonly person: string;
  /** Absent for 0. */
  readonly epoch?: number;
}

/** Only this file writes these records. */
function ownerIn(value: unknown): Owner {
  return value as Owner;
}
