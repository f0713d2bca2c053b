import type { Mistake } from "../broken-store.ts";

/** Mistakes in pruning. */
export const pruneMistakes: readonly Mistake[] = [
  {
    name: "prune takes what is pending",
    in: "asks",
    replace: "ask.settledAt !== undefined && ask.settledAt < settledBefore",
    by: "(ask.settledAt ?? ask.createdAt) < settledBefore",
    caughtBy: [
      "prune removes only asks that were settled before a time",
      "the events of a pruned ask are removed, and the bounds say where the complete log starts",
    ],
  },
  {
    name: "prune takes what was settled at the time itself",
    in: "asks",
    replace: "ask.settledAt < settledBefore",
    by: "ask.settledAt <= settledBefore",
    caughtBy: ["a prune that removes nothing leaves the bounds alone"],
  },
  {
    name: "prune takes the newest first",
    in: "asks",
    replace: "(one.ask.settledAt ?? 0) - (other.ask.settledAt ?? 0) || one.position - other.position",
    by: "(other.ask.settledAt ?? 0) - (one.ask.settledAt ?? 0)",
    caughtBy: ["prune removes the oldest first, up to its limit"],
  },
  {
    name: "prune has no limit",
    in: "asks",
    replace: "        .slice(0, limit);\n      for (const entry of old) {",
    by: "        .slice(0, limit * 1000);\n      for (const entry of old) {",
    caughtBy: ["prune removes the oldest first, up to its limit"],
  },
  {
    name: "prune leaves the events",
    in: "asks",
    replace: "logs.removeSubjects(EVENT_LOG, new Set(old.map(({ ask }) => ask.id)));",
    by: "",
    caughtBy: ["positions are never reused after a prune of everything"],
  },
  {
    name: "prune leaves the bounds",
    in: "logs",
    replace: "log.first = Math.max(log.first, last.position + 1);",
    by: "",
    caughtBy: ["positions are never reused after a prune of everything"],
  },
  {
    name: "prune moves the bounds for nothing",
    in: "logs",
    replace: "if (last === undefined) return;",
    by: "if (last === undefined) { log.first = log.head + 1; return; }",
    caughtBy: ["a prune that removes nothing leaves the bounds alone"],
  },
  {
    name: "positions start again after a prune",
    in: "logs",
    replace: "log.entries = log.entries.filter((entry) => !isRemoved(entry));",
    by: "log.entries = log.entries.filter((entry) => !isRemoved(entry)); log.head = log.entries.at(-1)?.position ?? 0;",
    caughtBy: [
      "positions are never reused after a prune of everything",
      "positions are never reused after a prune and a restart",
    ],
  },
  {
    name: "prune leaves the key",
    in: "asks",
    replace: "        forgetKey(entry);\n",
    by: "",
    caughtBy: ["the key of a pruned ask is free again"],
  },
  {
    name: "prune takes records by a bare prefix",
    in: "asks",
    replace: "}/`);",
    by: "}`);",
    caughtBy: ["the records of a pruned ask are removed, and no others"],
  },
  {
    name: "prune takes records of every namespace",
    in: "asks",
    replace: "for (const namespace of namespaces) records",
    by: 'for (const namespace of [...namespaces, "kept"]) records',
    caughtBy: ["the records of a pruned ask are removed, and no others"],
  },
  {
    name: "prune takes records that are to expire",
    in: "records",
    replace: "for (const [key, entry] of records) if (isExpired(entry, state.now())) records.delete(key);",
    by: "for (const [key, entry] of records) if (entry.expiresAt !== undefined) records.delete(key);",
    caughtBy: ["prune keeps records that have not expired"],
  },
];
