// The store that keeps nothing: for tests, for trying out, and as the oracle that the durable stores are
// checked against. Each call does its work in one go, so every call is a transaction.

import { type Ask, AsklineError, type Json } from "../core/index.js";
import { steadyNow } from "./steady-clock.js";
import {
  type AskChange,
  type AskStore,
  EVENT_LOG,
  type ListQuery,
  type LogAppend,
  type LogEntry,
  type LogStore,
  type RecordStore,
  type Store,
  type StoredRecord,
} from "./store.js";

interface AskEntry {
  ask: Ask;
  readonly position: number;
  readonly contentHash?: string;
  settlementId?: string;
  leasedUntil: number;
}

interface Log {
  first: number;
  head: number;
  entries: LogEntry[];
}

interface RecordEntry {
  value: Json;
  version: number;
  expiresAt?: number;
  availableAt?: number;
}

/** A store in memory. Everything is gone when it closes. */
export function memoryStore(): Store {
  const state = { open: false, now: (): number => 0 };
  const logs = createLogs(state);
  const records = createRecords(state, logs);
  return {
    name: "memory",
    asks: createAsks(state, logs, records),
    logs: logs.port,
    records: records.port,
    async open({ clock }) {
      state.now = steadyNow(clock);
      state.open = true;
    },
    async close() {
      state.open = false;
    },
    now: () => state.now(),
    watch: () => () => undefined,
  };
}

interface State {
  readonly open: boolean;
  now(): number;
}

function requireOpen(state: State): void {
  if (!state.open) throw new AsklineError("closed", "the memory store is not open");
}

interface Logs {
  readonly port: LogStore;
  write(entries: readonly LogAppend[]): readonly number[];
  /** Removes the entries about these asks. */
  removeSubjects(log: string, subjects: ReadonlySet<string>): void;
}

function createLogs(state: State): Logs {
  const logs = new Map<string, Log>();
  const logOf = (name: string): Log => {
    const log = logs.get(name) ?? { first: 1, head: 0, entries: [] };
    logs.set(name, log);
    return log;
  };
  const write: Logs["write"] = (entries) => {
    const at = state.now();
    return entries.map(({ log: name, type, subject, data }) => {
      const log = logOf(name);
      log.head += 1;
      log.entries.push({
        position: log.head,
        at,
        type,
        ...(subject !== undefined && { subject }),
        ...(data !== undefined && { data }),
      });
      return log.head;
    });
  };
  return {
    write,
    removeSubjects(name, subjects) {
      const log = logOf(name);
      const isRemoved = ({ subject }: LogEntry): boolean => subject !== undefined && subjects.has(subject);
      const last = log.entries.findLast(isRemoved);
      if (last === undefined) return;
      log.first = Math.max(log.first, last.position + 1);
      log.entries = log.entries.filter((entry) => !isRemoved(entry));
    },
    port: {
      async append(entries) {
        requireOpen(state);
        return write(entries);
      },
      async read(name, { after, limit, subject }) {
        requireOpen(state);
        const { entries } = logOf(name);
        const found: LogEntry[] = [];
        for (let index = firstAbove(entries, after); index < entries.length; index += 1) {
          const entry = entries[index];
          if (entry === undefined || found.length >= limit) break;
          if (subject === undefined || entry.subject === subject) found.push(entry);
        }
        return found;
      },
      async bounds(name) {
        requireOpen(state);
        const { first, head } = logOf(name);
        return { first, head };
      },
    },
  };
}

/** The index of the first entry above a position; entries are in order, perhaps with gaps. */
function firstAbove(entries: readonly { readonly position: number }[], position: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.position ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function createAsks(state: State, logs: Logs, records: Records): AskStore {
  const byId = new Map<string, AskEntry>();
  const byKey = new Map<string, AskEntry>();
  const pending = new Map<string, AskEntry>();
  const keyOf = ({ session, key }: Ask): string | undefined =>
    key === undefined ? undefined : JSON.stringify([session, key]);

  return {
    async insert({ ask, contentHash }, append = []) {
      requireOpen(state);
      const again = byId.get(ask.id);
      if (again !== undefined) return { kind: "created", ask: again.ask };
      const key = keyOf(ask);
      const known = key === undefined ? undefined : byKey.get(key);
      if (known !== undefined) {
        return { kind: known.contentHash === contentHash ? "known" : "conflict", ask: known.ask };
      }
      const [position = 0] = logs.write([
        { log: EVENT_LOG, type: "ask.created", subject: ask.id },
        ...append,
      ]);
      const entry: AskEntry = {
        ask,
        position,
        leasedUntil: 0,
        ...(contentHash !== undefined && { contentHash }),
      };
      byId.set(ask.id, entry);
      pending.set(ask.id, entry);
      if (key !== undefined) byKey.set(key, entry);
      return { kind: "created", ask };
    },

    async change(id, change, append = []) {
      requireOpen(state);
      const entry = byId.get(id);
      if (entry === undefined) return undefined;
      const next = changed(entry.ask, change, state.now());
      if (next === undefined) {
        const own = change.kind === "settle" && entry.settlementId === change.settlementId;
        return { applied: own, ask: entry.ask };
      }
      entry.ask = next.ask;
      if (change.kind === "settle") {
        entry.settlementId = change.settlementId;
        pending.delete(id);
      }
      logs.write([
        {
          log: EVENT_LOG,
          type: next.event,
          subject: id,
          ...(next.data !== undefined && { data: next.data }),
        },
        ...append,
      ]);
      return { applied: true, ask: entry.ask };
    },

    async get(id) {
      requireOpen(state);
      return byId.get(id)?.ask;
    },

    async getMany(ids) {
      requireOpen(state);
      return ids.flatMap((id) => byId.get(id)?.ask ?? []);
    },

    async list(query) {
      requireOpen(state);
      const entries = [...(query.status === "pending" ? pending : byId).values()];
      if (query.order === "newest") entries.reverse();
      const beyond = (position: number): boolean =>
        query.after === undefined ||
        (query.order === "newest" ? position < query.after : position > query.after);
      const found = entries.filter(({ ask, position }) => beyond(position) && matches(ask, query));
      const page = found.slice(0, query.limit);
      const last = page.at(-1);
      return {
        asks: page.map(({ ask }) => ask),
        ...(found.length > page.length && last !== undefined && { next: last.position }),
      };
    },

    async claimDue(limit, leaseMs) {
      requireOpen(state);
      const now = state.now();
      const due = [...pending.values()]
        .filter(({ ask, leasedUntil }) => isDue(ask, now) && leasedUntil <= now)
        .sort((one, other) => (one.ask.deadline ?? 0) - (other.ask.deadline ?? 0))
        .slice(0, limit);
      for (const entry of due) entry.leasedUntil = now + leaseMs;
      return due.map(({ ask }) => ask);
    },

    async nextDeadline() {
      requireOpen(state);
      let next: number | undefined;
      for (const { ask } of pending.values()) {
        if (ask.deadline === undefined || ask.overdue) continue;
        if (next === undefined || ask.deadline < next) next = ask.deadline;
      }
      return next;
    },

    async prune(settledBefore, limit, namespaces) {
      requireOpen(state);
      const old = [...byId.values()]
        .filter(({ ask }) => ask.settledAt !== undefined && ask.settledAt < settledBefore)
        .sort(
          (one, other) =>
            (one.ask.settledAt ?? 0) - (other.ask.settledAt ?? 0) || one.position - other.position,
        )
        .slice(0, limit);
      for (const { ask } of old) {
        byId.delete(ask.id);
        const key = keyOf(ask);
        if (key !== undefined) byKey.delete(key);
        for (const namespace of namespaces) records.removePrefix(namespace, `${ask.id}/`);
      }
      records.removeExpired();
      logs.removeSubjects(EVENT_LOG, new Set(old.map(({ ask }) => ask.id)));
      return old.length;
    },
  };
}

function isDue(ask: Ask, now: number): boolean {
  return ask.deadline !== undefined && ask.deadline <= now && !ask.overdue;
}

function changed(
  ask: Ask,
  change: AskChange,
  now: number,
): { readonly ask: Ask; readonly event: string; readonly data?: Json } | undefined {
  if (ask.status !== "pending") return undefined;
  switch (change.kind) {
    case "settle": {
      const { outcome, ifDue } = change;
      if (ifDue && (ask.deadline === undefined || ask.deadline > now)) return undefined;
      const by = "by" in outcome ? { by: outcome.by } : undefined;
      return {
        ask: Object.freeze({ ...ask, status: outcome.kind, settledAt: now, outcome }),
        event: `ask.${outcome.kind}`,
        ...(by !== undefined && { data: by }),
      };
    }
    case "extend":
      if (ask.deadline === undefined || ask.deadline >= change.deadline) return undefined;
      return {
        ask: Object.freeze({ ...ask, deadline: change.deadline }),
        event: "ask.extended",
        data: { deadline: change.deadline },
      };
    case "overdue":
      if (ask.overdue) return undefined;
      return { ask: Object.freeze({ ...ask, overdue: true as const }), event: "ask.overdue" };
  }
}

function matches(ask: Ask, { status, session, agentId, person }: ListQuery): boolean {
  return (
    (status === undefined || (status === "settled" ? ask.status !== "pending" : ask.status === status)) &&
    (session === undefined || ask.session === session) &&
    (agentId === undefined || ask.agentId === agentId) &&
    (person === undefined || ask.recipients.length === 0 || ask.recipients.includes(person))
  );
}

interface Records {
  readonly port: RecordStore;
  removePrefix(namespace: string, prefix: string): void;
  removeExpired(): void;
}

function createRecords(state: State, logs: Logs): Records {
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

  return {
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
      async put(namespace, key, value, { expect, expiresAt, availableAt, append = [] } = {}) {
        requireOpen(state);
        const current = live(namespace, key);
        if (expect !== undefined && (current?.version ?? null) !== expect) {
          return { ok: false, ...(current !== undefined && { current: toRecord(key, current) }) };
        }
        const version = (current?.version ?? 0) + 1;
        all(namespace).set(key, {
          value,
          version,
          ...(expiresAt !== undefined && { expiresAt }),
          ...(availableAt !== undefined && { availableAt }),
        });
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
      async claim(namespace, limit, leaseMs) {
        requireOpen(state);
        const now = state.now();
        return sorted(namespace)
          .filter(([, { availableAt }]) => availableAt === undefined || availableAt <= now)
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

/** The order of UTF-8 bytes, which databases use; `<` compares UTF-16 units and differs beyond U+FFFF. */
function compareCodePoints(one: string, other: string): number {
  const a = Array.from(one, (character) => character.codePointAt(0) ?? 0);
  const b = Array.from(other, (character) => character.codePointAt(0) ?? 0);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
