// How a browser signs in without a password:
//
//   code (in a printed link, ten minutes, once) --POST /login--> cookie (thirty days) --POST /logout--> nothing
//
// Browsers send a cookie to every port of a host, so the cookie alone gives no access: it counts only below the path
// of the person's inbox, `/i/KEY`, and the key never leaves this origin (docs/decisions/0014).
//
// Both are records under the hash of their secret, and expire by themselves.

import { timingSafeEqual } from "node:crypto";
import { defined } from "../../core/kit/tools.js";
import type { Device } from "../../core/model/device.js";
import { endRecord, systemEntry } from "../../hub/records/system-log.js";
import type { RecordStore } from "../../hub/seam/store.js";
import { allRecords } from "../../hub/seam/store-kit.js";
import type { Epochs } from "./epochs.js";
import type { Principal } from "./principal.js";
import { hashSecret, newSecret, type Sign } from "./secrets.js";

const CODES = "inbox-code";
const SESSIONS = "inbox-session";
const CODE_MS = 10 * 60_000;
const SESSION_MS = 30 * 24 * 60 * 60_000;
/** Characters of base64url: 132 bits. */
const KEY_LENGTH = 22;

export interface InboxSession {
  /** The value of the cookie. */
  readonly secret: string;
  /** The part of the inbox path that the cookie counts below. The same for all sessions of a person. */
  readonly key: string;
  readonly person: string;
  readonly expiresAt: number;
}

export interface InboxSessions {
  createCode(person: string): Promise<{ readonly code: string; readonly expiresAt: number }>;
  /** Exchanges a code for a session secret. Of several concurrent attempts, one succeeds. */
  redeemCode(code: string, userAgent?: string): Promise<InboxSession | undefined>;
  /** Whether a code could be exchanged now. */
  hasCode(code: string): Promise<boolean>;
  verify(secret: string, key: string): Promise<Principal | undefined>;
  isValid(hash: string): Promise<boolean>;
  end(secret: string): Promise<void>;
  /** The browsers of a person, newest first. */
  devices(person: string): Promise<readonly Device[]>;
  /** How many browsers each person has. */
  counts(): Promise<ReadonlyMap<string, number>>;
  /** Signs one browser of a person out; false if there is none with this id. */
  endDevice(person: string, id: string): Promise<boolean>;
  /** Ends all codes and sessions of a person and returns how many sessions were still valid. */
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

  async function* issuedTo(person: string | undefined, namespace = SESSIONS): AsyncGenerator<StoredSession> {
    for await (const { key, value, expiresAt = 0 } of allRecords(records, namespace)) {
      const owner = ownerIn(value);
      if (person === undefined || owner.person === person) yield { key, owner, expiresAt };
    }
  }

  const endSession = async (hash: string): Promise<boolean> => {
    const ended = await endRecord(records, [SESSIONS, hash], now(), (value) =>
      systemEntry("person.signed_out", ownerIn(value).person, { device: deviceId(hash) }),
    );
    return ended !== undefined;
  };

  return {
    async createCode(person) {
      const code = newSecret();
      const expiresAt = now() + CODE_MS;
      const epoch = await epochs.current(person);
      const owner: Owner = { person, ...(epoch > 0 && { epoch }) };
      await records.put(CODES, hashSecret(code), { ...owner }, { expiresAt });
      return { code, expiresAt };
    },

    async hasCode(code) {
      const record = await records.get(CODES, hashSecret(code));
      return record !== undefined && isCurrent(ownerIn(record.value));
    },

    async redeemCode(code, userAgent) {
      const key = hashSecret(code);
      const record = await records.get(CODES, key);
      if (record === undefined || !(await isCurrent(ownerIn(record.value)))) return undefined;
      // The delete decides: an attempt that finds nothing to delete came second.
      if (!(await records.delete(CODES, key, { expect: record.version }))) return undefined;
      const secret = newSecret();
      const expiresAt = now() + SESSION_MS;
      const owner = ownerIn(record.value);
      const device = deviceName(userAgent);
      const session: Owner = { ...owner, ...defined({ device }) };
      const hash = hashSecret(secret);
      const browser = { device: deviceId(hash), ...defined({ browser: device }) };
      const append = [systemEntry("person.signed_in", owner.person, browser)];
      await records.put(SESSIONS, hash, { ...session }, { expiresAt, append });
      return { secret, key: await keyOf(owner), person: owner.person, expiresAt };
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
      await endSession(hashSecret(secret));
    },

    async devices(person) {
      const devices: Device[] = [];
      for await (const { key, owner, expiresAt } of issuedTo(person)) {
        if (!(await isCurrent(owner))) continue;
        devices.push({
          id: deviceId(key),
          ...defined({ name: owner.device }),
          signedInAt: expiresAt - SESSION_MS,
          expiresAt,
        });
      }
      return devices.sort((one, other) => other.signedInAt - one.signedInAt);
    },

    async counts() {
      const counts = new Map<string, number>();
      for await (const { owner } of issuedTo(undefined)) {
        if (await isCurrent(owner)) counts.set(owner.person, (counts.get(owner.person) ?? 0) + 1);
      }
      return counts;
    },

    async endDevice(person, id) {
      for await (const { key } of issuedTo(person)) {
        if (deviceId(key) === id) return endSession(key);
      }
      return false;
    },

    async endAll(person) {
      let ended = 0;
      for await (const { key } of issuedTo(person, CODES)) await records.delete(CODES, key);
      for await (const { key } of issuedTo(person)) if (await endSession(key)) ended += 1;
      return ended;
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
  /** For a cookie: the browser. */
  readonly device?: string;
}

interface StoredSession {
  readonly key: string;
  readonly owner: Owner;
  readonly expiresAt: number;
}

/** The id of a browser: a part of the hash of its cookie, which opens nothing. */
export function deviceId(hash: string): string {
  return hash.slice(0, 16);
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser and its system, by what the browser says: names that we know, never its own text. */
function deviceName(userAgent: string | undefined): string | undefined {
  const nameIn = (names: typeof BROWSERS): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent?.slice(0, 500) ?? ""))?.[1];
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(" on ");
}

/** Only this file writes these records. */
function ownerIn(value: unknown): Owner {
  return value as Owner;
}
