// What is to be delivered, as records. One entry is one message to one receiver.
//
//   planned --claim--> leased --delivered-----------> gone
//                             --failed--------------> planned again, after a pause
//                             --failed for 3 days---> dead: kept for 30 days, listed, can be retried
//
// Each lane (a webhook, all callbacks, …) is a namespace, so that a slow receiver holds up its own lane only. A key
// begins with its asker, so that askers can be served in turns, then has the id of the ask, and ends with the position
// of the event, so that entries of one ask are in order. Entries of older versions begin with the id of the ask.

import type { Json } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import { askerIdentity } from "../../../core/model/visibility.js";
import { sha256 } from "../../seam/sha256.js";
import type { KeyRange, RecordStore, Store, StoredRecord } from "../../seam/store.js";

export interface Entry {
  readonly lane: string;
  readonly key: string;
  readonly askId: string;
  /** The type of the event, or what the message is about. */
  readonly type: string;
  /** The position of the event in the log. */
  readonly position: number;
  /** When the event happened. */
  readonly at: number;
  readonly attempts: number;
  /** When the first attempt was made. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly lastError?: string;
  /** When the next attempt is due, after a failed one. In a list, also when the first one is due, if not now. */
  readonly nextAt?: number;
  /** Why it is not attempted before that, if not because it failed. */
  readonly waitsFor?: string;
  readonly diedAt?: number;
  /** More for the channel of the lane. */
  readonly data?: Json;
}

export type NewEntry = Pick<Entry, "key" | "askId" | "type" | "position" | "at" | "data"> & {
  /** Not before this time. */
  readonly availableAt?: number;
};

export interface StoredEntry extends Entry {
  readonly version: number;
}

const LANES = "outbox-lanes";
const DEAD = "outbox-dead";
const DONE = "outbox-done";
/** What was given up last, for `askline doctor`: `{ at, title, reason }`. */
export const STATUS = { namespace: "outbox-status", lastDead: "last-dead" } as const;
const DEAD_MS = 30 * 86_400_000;
const DONE_MS = 86_400_000;
const PAGE = 500;

export function laneNamespace(lane: string): string {
  return `outbox/${lane}`;
}

/** The ask that an entry is about, and who asked. */
export type Subject = Pick<Ask, "id" | "asker" | "owner">;

/** Keys of one ask in the order of its events. */
export function entryKey(ask: Subject, position: number, suffix = ""): string {
  return `${keyPrefix(ask)}${String(position).padStart(16, "0")}${suffix}`;
}

export function keyPrefix(ask: Subject): string {
  return `${sha256(askerIdentity(ask) ?? "").slice(0, 16)}/${ask.id}/`;
}

/** Whose turn an entry belongs to: the part of its key that stands for the asker. */
export function turnOf({ key }: Pick<Entry, "key">): string {
  return key.slice(0, key.indexOf("/"));
}

export interface Outbox {
  /** Makes a lane known to `list`. `title` says who receives, without secrets. */
  openLane(lane: string, title: string): Promise<void>;
  /** Adds an entry unless it exists. With `again`, also unless it was delivered a while ago. */
  add(lane: string, entry: NewEntry, again: boolean): Promise<boolean>;
  claim(lane: string, limit: number, leaseMs: number, range?: KeyRange): Promise<readonly StoredEntry[]>;
  /** The first entry in the lane of an entry that is about the same ask. */
  first(entry: Entry): Promise<StoredEntry | undefined>;
  /** Keeps an entry from being claimed until a time. Returns it, or undefined if somebody else changed it meanwhile. */
  postpone(entry: StoredEntry, until: number): Promise<StoredEntry | undefined>;
  /** With `remember`, it is not added again for a day. */
  done(entry: StoredEntry, remember: boolean): Promise<void>;
  /** Gives an entry up. `title` says who should have received it. */
  bury(entry: StoredEntry, title: string): Promise<void>;
  remove(lane: string, key: string): Promise<void>;
}

export function createOutbox({ records, now }: Pick<Store, "records" | "now">): Outbox {
  return {
    async openLane(lane, title) {
      const known = await records.get(LANES, lane);
      if (known?.value !== title) await records.put(LANES, lane, title);
    },
    async add(lane, { key, availableAt, ...entry }, again) {
      if (again && (await records.get(DONE, `${lane}/${key}`)) !== undefined) return false;
      const put = await records.put(laneNamespace(lane), key, toJson({ ...entry, attempts: 0 }), {
        expect: null,
        availableAt,
      });
      return put.ok;
    },
    async claim(lane, limit, leaseMs, range) {
      const claimed = await records.claim(laneNamespace(lane), limit, leaseMs, range);
      return claimed.map((record) => toEntry(lane, record));
    },
    async first({ lane, key }) {
      const prefix = key.slice(0, key.lastIndexOf("/") + 1);
      const [record] = await records.list(laneNamespace(lane), { prefix, limit: 1 });
      return record && toEntry(lane, record);
    },
    async postpone(given, until) {
      const { lane, key, version: expect, ...entry } = given;
      const put = await records.put(laneNamespace(lane), key, toJson(entry), { expect, availableAt: until });
      return put.ok ? { ...given, version: put.version } : undefined;
    },
    async done({ lane, key, version }, remember) {
      if (remember) await records.put(DONE, `${lane}/${key}`, true, { expiresAt: now() + DONE_MS });
      await records.delete(laneNamespace(lane), key, { expect: version });
    },
    async bury({ lane, key, version, ...entry }, title) {
      const dead = toJson({ ...entry, diedAt: now() });
      await records.put(DEAD, `${lane}/${key}`, dead, { expiresAt: now() + DEAD_MS });
      const last = { at: now(), title, reason: entry.lastError ?? "" };
      await records.put(STATUS.namespace, STATUS.lastDead, last, { expiresAt: now() + DEAD_MS });
      await records.delete(laneNamespace(lane), key, { expect: version });
    },
    async remove(lane, key) {
      await records.delete(laneNamespace(lane), key);
    },
  };
}

export const DELIVERY_STATES = ["waiting", "failing", "dead"] as const;

/** A delivery that waits, failed, or was given up. */
export interface Delivery extends Entry {
  /** Who receives it, without secrets. */
  readonly title: string;
  readonly state: (typeof DELIVERY_STATES)[number];
}

export interface DeliveryFilter {
  readonly ask?: Subject;
  readonly limit: number;
}

/** What waits, lane by lane, then what was given up. At most `limit` of each lane and of the dead. */
export async function listDeliveries(
  records: RecordStore,
  { ask, limit }: DeliveryFilter,
): Promise<readonly Delivery[]> {
  const lanes = await records.list(LANES, { limit: PAGE });
  const prefixes = ask === undefined ? [""] : [keyPrefix(ask), `${ask.id}/`];
  const listAll = async (namespace: string, before: string): Promise<readonly StoredRecord[]> => {
    const pages = prefixes.map((prefix) => records.list(namespace, { prefix: before + prefix, limit }));
    return (await Promise.all(pages)).flat();
  };
  const found = await Promise.all(
    lanes.map(async ({ key: lane, value: title }): Promise<readonly Delivery[]> => {
      const [open, dead] = await Promise.all([listAll(laneNamespace(lane), ""), listAll(DEAD, `${lane}/`)]);
      return [
        ...open.map((record): Delivery => {
          const entry = toEntry(lane, record);
          const { availableAt: nextAt = entry.nextAt } = record;
          return {
            ...entry,
            ...(nextAt !== undefined && { nextAt }),
            title: String(title),
            state: entry.attempts === 0 ? "waiting" : "failing",
          };
        }),
        ...dead.map((record): Delivery => {
          const entry = toEntry(lane, { ...record, key: record.key.slice(lane.length + 1) });
          return { ...entry, title: String(title), state: "dead" };
        }),
      ];
    }),
  );
  return found.flat().sort((one, other) => one.at - other.at);
}

/** Attempts a delivery again as soon as possible, for another three days. Returns whether it still existed. */
export async function retryDelivery(records: RecordStore, { lane, key }: Delivery): Promise<boolean> {
  const dead = await records.get(DEAD, `${lane}/${key}`);
  if (dead !== undefined) {
    const { diedAt: _, ...entry } = dead.value as unknown as Entry;
    await records.put(laneNamespace(lane), key, fresh(entry), { expect: null });
    await records.delete(DEAD, dead.key, { expect: dead.version });
    if ((await records.list(DEAD, { limit: 1 })).length === 0) {
      await records.delete(STATUS.namespace, STATUS.lastDead);
    }
    return true;
  }
  const open = await records.get(laneNamespace(lane), key);
  if (open === undefined) return false;
  const entry = open.value as unknown as Entry;
  // One that was never attempted, or is being attempted, needs no help.
  if (entry.nextAt === undefined) return true;
  return (await records.put(laneNamespace(lane), key, fresh(entry), { expect: open.version })).ok;
}

function fresh({ firstAt: _first, nextAt: _next, waitsFor: _reason, ...entry }: Entry): Json {
  return toJson({ ...entry, attempts: 0 });
}

function toEntry(lane: string, { key, value, version }: StoredRecord): StoredEntry {
  // Safe to cast: only this file writes these namespaces.
  return { ...(value as unknown as Entry), lane, key, version };
}

function toJson(entry: object): Json {
  return entry as unknown as Json;
}
