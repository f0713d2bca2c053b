import { deepFreeze, type Json } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import { type Asker, askerIdentities, askerIdentity, matchesFilter } from "../../../core/model/visibility.js";
import { askBytes, askSize } from "../../seam/ask-size.js";
import { type AskChange, type AskStore, type Committed, EVENT_LOG } from "../../seam/store.js";
import { fitPage } from "../../seam/store-kit.js";
import type { Logs } from "./logs.js";
import type { Records } from "./records.js";
import { requireOpen, type State, snapshot } from "./state.js";

/** An ask as the memory store keeps it. */
interface AskEntry {
  ask: Ask;
  readonly position: number;
  /** Bytes of the ask's content. */
  readonly size: number;
  settlementId?: string;
  leasedUntil: number;
}

export function createAsks(
  state: State,
  logs: Logs,
  records: Records,
  tell: (event: Committed) => void,
): AskStore {
  const byId = new Map<string, AskEntry>();
  const byKey = new Map<string, AskEntry>();
  const pending = new Map<string, AskEntry>();
  const forgetKey = (entry: AskEntry): void => {
    const key = keyOf(entry.ask);
    // Another ask may use a released key by now.
    if (key !== undefined && byKey.get(key) === entry) byKey.delete(key);
  };
  return {
    async insert({ ask: given }, append = []) {
      requireOpen(state);
      const ask = snapshot(given);
      const again = byId.get(ask.id);
      if (again !== undefined) return { kind: "created", ask: again.ask };
      const key = keyOf(ask);
      const known = key === undefined ? undefined : byKey.get(key);
      if (known !== undefined) return { kind: "known", ask: known.ask };
      const at = state.now();
      const type = "ask.created";
      const [position = 0] = logs.write([{ log: EVENT_LOG, type, subject: ask.id }, ...append], at);
      const entry: AskEntry = { ask, position, size: askBytes(ask), leasedUntil: 0 };
      byId.set(ask.id, entry);
      pending.set(ask.id, entry);
      if (key !== undefined) byKey.set(key, entry);
      tell({ position, at, type, ask });
      return { kind: "created", ask };
    },

    async change(id, change, append = [], puts = []) {
      requireOpen(state);
      const entry = byId.get(id);
      if (entry === undefined) return undefined;
      const at = state.now();
      const next = puts.every(records.matches) ? changed(entry.ask, change, at) : undefined;
      if (next === undefined) {
        const own = change.kind === "settle" && entry.settlementId === change.settlementId;
        return { applied: own, ask: entry.ask };
      }
      for (const put of puts) records.write(put);
      entry.ask = next.ask;
      if (change.kind === "extend") entry.leasedUntil = 0;
      if (change.kind === "settle") {
        entry.settlementId = change.settlementId;
        pending.delete(id);
      }
      const event = { type: next.event, ...(next.data !== undefined && { data: next.data }) };
      const [position = 0] = logs.write([{ log: EVENT_LOG, subject: id, ...event }, ...append], at);
      tell({ position, at, ...event, ask: entry.ask });
      return { applied: true, ask: entry.ask };
    },

    async get(id) {
      requireOpen(state);
      return byId.get(id)?.ask;
    },

    async getByKey(wanted) {
      requireOpen(state);
      return byKey.get(keyOf(wanted) ?? "")?.ask;
    },

    async findIds(part, after) {
      requireOpen(state);
      return { ids: [...byId.keys()].filter((id) => id > after && id.includes(part)).sort() };
    },

    async findKeys({ keys, session, limit, ...agent }) {
      requireOpen(state);
      const identities = askerIdentities(agent);
      const uses = [...byKey.values()]
        .filter(({ ask }) => identities.includes(askerIdentity(ask) ?? ""))
        .map(({ ask: { id, session, key = "" } }) => ({ id, session, key }));
      return [...new Set(keys)].flatMap((key) =>
        uses
          .filter((use) => use.key === key && use.session === (session ?? use.session))
          .slice(0, Math.max(0, limit)),
      );
    },

    async releaseKey(id) {
      requireOpen(state);
      const ended = byId.get(id);
      if (ended !== undefined && ended.ask.status !== "pending") forgetKey(ended);
    },

    async getMany(ids, { maxSize } = {}) {
      requireOpen(state);
      const found = [...new Set(ids)].flatMap((id) => byId.get(id)?.ask ?? []);
      return fitPage(found, askSize, maxSize);
    },

    async list(query) {
      requireOpen(state);
      const entries = [...(query.status === "pending" ? pending : byId).values()];
      if (query.order === "newest") entries.reverse();
      const beyond = (position: number): boolean =>
        query.after === undefined ||
        (query.order === "newest" ? position < query.after : position > query.after);
      const found = entries.filter(({ ask, position }) => beyond(position) && matchesFilter(ask, query));
      const page = fitPage(found.slice(0, query.limit), ({ ask }) => askSize(ask), query.maxSize);
      const last = page.at(-1);
      return {
        asks: page.map(({ ask }) => ask),
        next: found.length > page.length ? last?.position : undefined,
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

    async usage(asker) {
      requireOpen(state);
      const own = [...byId.values()].filter(({ ask }) => askerIdentity(ask) === asker);
      return {
        pending: own.filter(({ ask }) => ask.status === "pending").length,
        bytes: own.reduce((sum, { size }) => sum + size, 0),
      };
    },

    async pendingSummary() {
      requireOpen(state);
      const [first] = pending.values();
      return {
        count: pending.size,
        oldestCreatedAt: first?.ask.createdAt,
      };
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
      for (const entry of old) {
        const { ask } = entry;
        byId.delete(ask.id);
        forgetKey(entry);
        for (const namespace of namespaces) records.removePrefix(namespace, `${ask.id}/`);
      }
      records.removeExpired();
      logs.removeSubjects(EVENT_LOG, new Set(old.map(({ ask }) => ask.id)));
      return old.length;
    },

    async countSettled(before) {
      requireOpen(state);
      return [...byId.values()].filter(({ ask: { settledAt } }) => (settledAt ?? before) < before).length;
    },

    async restore({ ask: given, events }) {
      requireOpen(state);
      const restored = snapshot(given);
      const present = byId.get(restored.id);
      if (present !== undefined) return { kind: "known", ask: present.ask };
      const key = keyOf(restored);
      const taken = key === undefined ? undefined : byKey.get(key);
      if (taken !== undefined) return { kind: "taken", ask: taken.ask };
      const entries = events.map((event) => ({ log: EVENT_LOG, subject: restored.id, ...event }));
      const [position = 0] = logs.write(entries);
      const stored: AskEntry = { ask: restored, position, size: askBytes(restored), leasedUntil: 0 };
      byId.set(restored.id, stored);
      if (restored.status === "pending") pending.set(restored.id, stored);
      if (key !== undefined) byKey.set(key, stored);
      return { kind: "restored", ask: restored };
    },
  };
}

function keyOf(ask: Asker & Pick<Ask, "session" | "key">): string | undefined {
  const { session, key } = ask;
  const asker = askerIdentity(ask) ?? "";
  return key === undefined ? undefined : JSON.stringify([asker, session, key]);
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
      const { outcome, when } = change;
      const passed = ask.deadline !== undefined && ask.deadline <= now;
      if (when !== "anytime" && passed !== (when === "due")) return undefined;
      const by = "by" in outcome ? Object.freeze({ by: Object.freeze({ ...outcome.by }) }) : undefined;
      const kept = deepFreeze({ ...outcome, ...by });
      return {
        ask: Object.freeze({ ...ask, status: outcome.kind, settledAt: now, outcome: kept }),
        event: `ask.${outcome.kind}`,
        ...(by !== undefined && { data: by }),
      };
    }
    case "extend":
      if (ask.deadline === undefined || ask.deadline >= change.deadline) return undefined;
      if (change.when !== "anytime" && ask.deadline <= now) return undefined;
      return {
        ask: Object.freeze({ ...ask, deadline: change.deadline }),
        event: "ask.extended",
        data: { deadline: change.deadline },
      };
    case "overdue":
      if (!isDue(ask, now)) return undefined;
      return { ask: Object.freeze({ ...ask, overdue: true as const }), event: "ask.overdue" };
    case "escalate": {
      if (ask.recipients.length === 0 || change.to.every((person) => ask.recipients.includes(person)))
        return undefined;
      const recipients = Object.freeze([...new Set([...ask.recipients, ...change.to])]);
      const data = Object.freeze({ to: Object.freeze([...change.to]) });
      return { ask: Object.freeze({ ...ask, recipients }), event: "ask.escalated", data };
    }
  }
}
