// How a browser signs in without a password:
//
//   code (in a printed link, ten minutes, once) --POST /login--> cookie (thirty days) --POST /logout--> nothing
//
// Both are records under the hash of their secret, and expire by themselves.

import type { RecordStore } from "../../hub/index.js";
import type { Epochs } from "./epochs.js";
import type { Principal } from "./principal.js";
import { hashSecret, newSecret } from "./secrets.js";

const CODES = "inbox-code";
const SESSIONS = "inbox-session";
const CODE_MS = 10 * 60_000;
const SESSION_MS = 30 * 24 * 60 * 60_000;
const PAGE = 200;

export interface InboxSessions {
  createCode(person: string): Promise<{ readonly code: string; readonly expiresAt: number }>;
  /** Exchanges a code for a session secret. Of several concurrent attempts, one succeeds. */
  redeemCode(code: string): Promise<{ readonly secret: string; readonly expiresAt: number } | undefined>;
  verify(secret: string): Promise<Principal | undefined>;
  isValid(hash: string): Promise<boolean>;
  end(secret: string): Promise<void>;
  /** Ends all sessions of a person and returns how many were still valid. */
  endAll(person: string): Promise<number>;
}

export function createInboxSessions(records: RecordStore, epochs: Epochs, now: () => number): InboxSessions {
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
      return { secret, expiresAt };
    },

    async verify(secret) {
      const hash = hashSecret(secret);
      const record = await records.get(SESSIONS, hash);
      if (record === undefined) return undefined;
      const owner = ownerIn(record.value);
      if (!(await isCurrent(owner))) return undefined;
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
