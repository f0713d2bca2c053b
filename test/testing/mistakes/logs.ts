import type { Mistake } from "../broken-store.ts";

/** Mistakes in logs. */
export const logsMistakes: readonly Mistake[] = [
  {
    name: "a position is used twice",
    in: "logs",
    replace: "log.head += 1;",
    by: "log.head += log.head === 7 ? 0 : 1;",
    caughtBy: ["entries are returned unchanged, with their time"],
  },
  {
    name: "an unknown log is an error",
    in: "logs",
    replace: "const { first, head } = logOf(name);",
    by: "if (!logs.has(name)) throw new Error('no log'); const { first, head } = logOf(name);",
    caughtBy: ["a log without writes is empty"],
  },
  {
    name: "null is no data",
    in: "logs",
    replace: "...(data !== undefined && { data: snapshot(data) }),",
    by: "...(data != null && { data: snapshot(data) }),",
    caughtBy: ["entries are returned unchanged, with their time"],
  },
  {
    name: "all logs are one",
    in: "logs",
    replace: "logs.get(name) ??",
    by: "logs.get([...logs.keys()][0] ?? name) ??",
    caughtBy: ["logs are independent of each other"],
  },
  {
    name: "logs are called without case",
    in: "logs",
    replace: "const logOf = (name: string): Log => {",
    by: "const logOf = (given: string): Log => { const name = given.toLowerCase();",
    caughtBy: ["logs are independent of each other"],
  },
  {
    name: "reading starts at the position itself",
    in: "logs",
    replace: "> position) high = middle",
    by: ">= position) high = middle",
    caughtBy: ["a reader that sees a change also sees its event"],
  },
  {
    name: "a page of a log has no end",
    in: "logs",
    replace: "if (entry === undefined || found.length >= limit) break;",
    by: "if (entry === undefined) break;",
    caughtBy: ["a log is read in pages from a position"],
  },
  {
    name: "a subject does not count",
    in: "logs",
    replace: "if (subject === undefined || entry.subject === subject)",
    by: "if (subject !== 'nobody')",
    caughtBy: ["a log is read by subject"],
  },
  {
    name: "a subject is counted into the page before it is looked at",
    in: "logs",
    replace: "if (entry === undefined || found.length >= limit) break;",
    by: "if (entry === undefined || found.length >= limit || entry.position > after + limit) break;",
    caughtBy: ["a log is read by subject"],
  },
  {
    name: "a read is as large as its entries are",
    in: "logs",
    replace: "return maxSize === undefined ? found : fitPage(found, entrySize, maxSize);",
    by: "return found; void maxSize;",
    caughtBy: ["a read ends before the entry that would make it too large"],
  },
  {
    name: "entries of one call come apart",
    in: "logs",
    replace: "        return write(entries);",
    by: "        const positions: number[] = []; for (const entry of entries) { positions.push(...write([entry])); await null; } return positions;",
    caughtBy: ["entries of one call are consecutive and in order"],
  },
  {
    name: "an entry appears below one that was read",
    in: "logs",
    replace: "        return write(entries);",
    by: "        if (entries.length !== 1) return write(entries); const log = logOf(entries[0]!.log); const positions = write(entries); if (positions[0]! % 2 === 0) return positions; const hidden = log.entries.pop()!; await null; await null; await null; log.entries.push(hidden); log.entries.sort((a, b) => a.position - b.position); return positions;",
    caughtBy: [
      "a reader misses nothing during concurrent writes",
      "a reader misses no writes of several processes",
    ],
  },
];
