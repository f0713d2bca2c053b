import type { Mistake } from "../broken-store.ts";

/** Mistakes in counting what is pending. */
export const pendingMistakes: readonly Mistake[] = [
  {
    name: "what has ended counts as pending",
    in: "asks",
    replace: "count: pending.size,",
    by: "count: byId.size,",
    caughtBy: [
      "pending asks are counted, and settled ones are not",
      "the count of pending asks survives a restart",
    ],
  },
  {
    name: "only asks for everyone count as pending",
    in: "asks",
    replace: "count: pending.size,",
    by: "count: [...pending.values()].filter(({ ask }) => ask.recipients.length === 0).length,",
    caughtBy: ["pending asks are counted, and settled ones are not"],
  },
  {
    name: "the newest pending ask is called the oldest",
    in: "asks",
    replace: "const [first] = pending.values();",
    by: "const first = [...pending.values()].at(-1);",
    caughtBy: ["the oldest pending ask gives the age", "the count of pending asks survives a restart"],
  },
  {
    name: "an ask that has ended is still the oldest that waits",
    in: "asks",
    replace: "const [first] = pending.values();",
    by: "const [first] = byId.values();",
    caughtBy: ["the oldest pending ask gives the age"],
  },
];
