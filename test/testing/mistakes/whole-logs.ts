import type { Mistake } from "../broken-store.js";

/** Mistakes with whole logs, and with finding an ask by its key. */
export const wholeLogsMistakes: readonly Mistake[] = [
  {
    name: "logs are listed in the order of UTF-16",
    in: "logs",
    replace: ".sort(([one], [other]) => compareCodePoints(one, other))",
    by: ".sort(([one], [other]) => (one < other ? -1 : 1))",
    caughtBy: ["logs with entries are listed by prefix, in name order"],
  },
  {
    name: "empty logs are listed",
    in: "logs",
    replace: " && entries.at(-1)?.position === head)",
    by: ")",
    caughtBy: [
      "logs with entries are listed by prefix, in name order",
      "a removed log is empty after a restart, and continues at the next position",
    ],
  },
  {
    name: "a removed log keeps its entries",
    in: "logs",
    replace: "log.entries = [];",
    by: "",
    caughtBy: ["a log is removed completely, and no other log"],
  },
  {
    name: "of a long log a thousand entries are removed",
    in: "logs",
    replace: "log.entries = [];",
    by: "log.entries = log.entries.slice(1_000);",
    caughtBy: ["a long log is removed completely"],
  },
  {
    name: "positions start again after a log was removed",
    in: "logs",
    replace: "log.first = head + 1;",
    by: "log.first = 1; log.head = 0;",
    caughtBy: [
      "a log is removed completely, and no other log",
      "the positions of a removed log are never reused",
      "a removed log is empty after a restart, and continues at the next position",
      "entries written during a removal are kept",
    ],
  },
  {
    name: "a log is removed whatever was written since",
    in: "logs",
    replace: "if (head !== log.head) return false;",
    by: "",
    caughtBy: ["a log with newer entries is not removed"],
  },
  {
    name: "restored entries come next",
    in: "logs",
    replace: "log.head = first - 1;",
    by: "",
    caughtBy: [
      "entries from another store are restored with their positions and times",
      "restored entries survive a restart",
    ],
  },
  {
    name: "a restored log is whole from its beginning",
    in: "logs",
    replace: "if (log.entries.length === 0) log.first = first;",
    by: "log.first = 1;",
    caughtBy: [
      "entries from another store are restored with their positions and times",
      "entries are restored into a removed log above its old positions",
    ],
  },
  {
    name: "the rest of a restored log is its beginning",
    in: "logs",
    replace: "if (log.entries.length === 0) log.first = first;",
    by: "log.first = first;",
    caughtBy: ["more entries are restored after the existing ones"],
  },
  {
    name: "a log is restored whatever its head",
    in: "logs",
    replace: "if (log.head !== head) return false;",
    by: "",
    caughtBy: [
      "nothing is restored into a log with another head",
      "concurrent restores of one log store it once",
    ],
  },
  {
    name: "an ask is found by its key in any session",
    in: "asks",
    replace: 'return byKey.get(keyOf(wanted) ?? "")?.ask;',
    by: "return [...byKey.values()].find(({ ask }) => ask.key === wanted.key)?.ask;",
    caughtBy: ["an ask is found by its session and key, in its current state"],
  },
];
