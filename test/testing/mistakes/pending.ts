import type { Mistake } from "../broken-store.ts";

/** Mistakes in counting what is pending. */
export const pendingMistakes: readonly Mistake[] = [
  {
    name: "what has ended counts as pending",
    in: "asks",
    replace: "count: pending.size,",
    by: "count: byId.size,",
    caughtBy: [
      "what is pending is counted, and what has ended is not",
      "what is pending is counted after a restart as before",
    ],
  },
  {
    name: "only asks for everyone count as pending",
    in: "asks",
    replace: "count: pending.size,",
    by: "count: [...pending.values()].filter(({ ask }) => ask.recipients.length === 0).length,",
    caughtBy: ["what is pending is counted, and what has ended is not"],
  },
  {
    name: "the newest pending ask is called the oldest",
    in: "asks",
    replace: "const [first] = pending.values();",
    by: "const first = [...pending.values()].at(-1);",
    caughtBy: [
      "of what is pending, the one stored first tells how long it waits",
      "what is pending is counted after a restart as before",
    ],
  },
  {
    name: "an ask that has ended is still the oldest that waits",
    in: "asks",
    replace: "const [first] = pending.values();",
    by: "const [first] = byId.values();",
    caughtBy: ["of what is pending, the one stored first tells how long it waits"],
  },
];
