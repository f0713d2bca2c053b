import type { Json } from "../../../core/kit/json.js";
import type { RecordPut, RecordStore, StoredRecord } from "../../seam/store.js";
import type { Logs } from "./logs.js";
import { compareCodePoints, requireOpen, type State, snapshot } from "./state.js";

interface RecordEntry {
  value: Json;
  version: number;
  expiresAt?: number;
  availableAt?: number;
}

export interface Records {
  readonly port: RecordStore;
  /** Whether the record has the version that the put expects. */
  matches(put: RecordPut): boolean;
  /** Writes a record whose expected version matches. Returns its new version. */
  write(put: RecordPut): number;
  removePrefix(namespace: string, prefix: string): void;
  removeExpired(): void;
}

export function createRecords(state: State, logs: Logs): Records {
  const namespaces = new Map<string, Map<string, RecordEntry>>();
  const all = (namespace: string): Map<string, RecordEntry> => {
    const records = namespaces.get(namespace) ?? new Map<string, RecordEntry>();
    namespaces.set(namespace, records);
    return records;
  };
  const live = (namespace: string, key: string): RecordEntry | undefined => {
    const entry = all(namespace).get(key);
    return entry !== undefined && !isExpired(entry, state.now()) ? entry : undefined;
  };
  const sorted = (namespace: string): readonly [string, RecordEntry][] =>
    [...all(namespace)]
      .filter(([, entry]) => !isExpired(entry, state.now()))
      .sort(([one], [other]) => compareCodePoints(one, other));

  const matches: Records["matches"] = ({ namespace, key, expect }) =>
    expect === undefined || (live(namespace, key)?.version ?? null) === expect;
  const write: Records["write"] = ({ namespace, key, value, expiresAt, availableAt }) => {
    const version = (live(namespace, key)?.version ?? 0) + 1;
    all(namespace).set(key, {
      value: snapshot(value),
      version,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(availableAt !== undefined && { availableAt }),
    });
    return version;
  };

  return {
    matches,
    write,
    removePrefix(namespace, prefix) {
      for (const key of all(namespace).keys()) if (key.startsWith(prefix)) all(namespace).delete(key);
    },
    removeExpired() {
      for (const records of namespaces.values()) {
        for (const [key, entry] of records) if (isExpired(entry, state.now())) records.delete(key);
      }
    },
    port: {
      async get(namespace, key) {
        requireOpen(state);
        const entry = live(namespace, key);
        return entry && toRecord(key, entry);
      },
      async put(namespace, key, value, { append = [], ...options } = {}) {
        requireOpen(state);
        const put = { namespace, key, value, ...options };
        if (!matches(put)) {
          const current = live(namespace, key);
          return { ok: false, current: current && toRecord(key, current) };
        }
        const version = write(put);
        logs.write(append);
        return { ok: true, version };
      },
      async delete(namespace, key, { expect } = {}) {
        requireOpen(state);
        const current = live(namespace, key);
        if (current === undefined || (expect !== undefined && current.version !== expect)) return false;
        return all(namespace).delete(key);
      },
      async list(namespace, { prefix = "", after, limit }) {
        requireOpen(state);
        return sorted(namespace)
          .filter(
            ([key]) => key.startsWith(prefix) && (after === undefined || compareCodePoints(key, after) > 0),
          )
          .slice(0, limit)
          .map(([key, entry]) => toRecord(key, entry));
      },
      async claim(namespace, limit, leaseMs, { from = "", before } = {}) {
        requireOpen(state);
        const now = state.now();
        return sorted(namespace)
          .filter(([, { availableAt }]) => availableAt === undefined || availableAt <= now)
          .filter(
            ([key]) =>
              compareCodePoints(key, from) >= 0 &&
              (before === undefined || compareCodePoints(key, before) < 0),
          )
          .slice(0, limit)
          .map(([key, entry]) => {
            entry.availableAt = now + leaseMs;
            return toRecord(key, entry);
          });
      },
    },
  };
}

function isExpired({ expiresAt }: RecordEntry, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function toRecord(key: string, { value, version, expiresAt, availableAt }: RecordEntry): StoredRecord {
  return {
    key,
    value,
    version,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(availableAt !== undefined && { availableAt }),
  };
}
