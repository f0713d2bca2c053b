import type { Mistake } from "../broken-store.ts";

/** Mistakes in restoring asks from another store, and in counting asks to prune. */
export const restoresMistakes: readonly Mistake[] = [
  {
    name: "what is restored is pending",
    in: "asks",
    replace: 'if (restored.status === "pending") pending',
    by: "pending",
    caughtBy: ["a restored settled ask is not settled again, and is pruned by its time"],
  },
  {
    name: "what is restored is never pending",
    in: "asks",
    replace: 'if (restored.status === "pending") pending.set(restored.id, stored);',
    by: "void pending;",
    caughtBy: [
      "a restored ask is unchanged, pending or settled",
      "a restored ask is claimed at its deadline and settled like any other",
    ],
  },
  {
    name: "restored events happen now",
    in: "logs",
    replace: "at = now,",
    by: "at: _at, ",
    caughtBy: [
      "events of a restored ask keep their times and order, and get new positions",
      "a restored ask and its events survive a restart",
    ],
  },
  {
    name: "restored events are lost but for the first",
    in: "asks",
    replace: "events.map((event)",
    by: "events.slice(0, 1).map((event)",
    caughtBy: [
      "events of a restored ask keep their times and order, and get new positions",
      "a restored ask and its events survive a restart",
    ],
  },
  {
    name: "what is known is restored over",
    in: "asks",
    replace: "if (present !== undefined)",
    by: "if (present === null)",
    caughtBy: ["restoring an ask again changes nothing"],
  },
  {
    name: "a key that is taken is taken over",
    in: "asks",
    replace: "if (taken !== undefined)",
    by: "if (taken === null)",
    caughtBy: ["an ask whose session and key are taken is not restored"],
  },
  {
    name: "the key of a restored ask is forgotten",
    in: "asks",
    replace: "if (key !== undefined) byKey.set(key, stored);",
    by: "",
    caughtBy: ["the session and key of a restored ask are known"],
  },
  {
    name: "a restored ask that ended is open again",
    in: "asks",
    replace: "const restored = snapshot(given);",
    by: 'const restored = snapshot({ ...given, status: "pending" as const });',
    caughtBy: [
      "a restored settled ask is not settled again, and is pruned by its time",
      "a restored ask is unchanged, pending or settled",
    ],
  },
  {
    name: "what is pending is counted with what would be pruned",
    in: "asks",
    replace: "(settledAt ?? before) < before",
    by: "(settledAt ?? 0) < before",
    caughtBy: ["the asks that a prune would remove are counted"],
  },
];
