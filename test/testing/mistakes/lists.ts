import type { Mistake } from "../broken-store.ts";

/** Mistakes in lists of asks. */
export const listsMistakes: readonly Mistake[] = [
  {
    name: "an empty list has a cursor",
    in: "asks",
    replace: "next: found.length > page.length ? last?.position : undefined,",
    by: "next: found.length > page.length || last === undefined ? (last?.position ?? 0) : undefined,",
    caughtBy: ["an empty store lists nothing"],
  },
  {
    name: "asks are listed by id",
    in: "asks",
    replace: 'if (query.order === "newest") entries.reverse();',
    by: 'entries.sort((a, b) => (a.ask.id < b.ask.id ? -1 : 1)); if (query.order === "newest") entries.reverse();',
    caughtBy: ["asks are listed in order of creation, or in reverse"],
  },
  {
    name: "newest first is oldest first",
    in: "asks",
    replace: 'if (query.order === "newest") entries.reverse();',
    by: "",
    caughtBy: ["paging through pending asks skips none while others are settled"],
  },
  {
    name: "settled is no status",
    in: "visibility",
    replace: '(status === "settled" ? ask.status !== "pending" : ask.status === status)',
    by: "ask.status === status",
    caughtBy: [
      "each filter works alone and combined with the others",
      "paging returns each ask once and in order during inserts",
    ],
  },
  {
    name: "the asker does not count",
    in: "visibility",
    replace: "(asker === undefined || isAskedBy(ask, filter)) &&",
    by: "",
    caughtBy: ["names are compared exactly"],
  },
  {
    name: "no recipients means nobody",
    in: "visibility",
    replace: "recipients.length === 0 ? undefined : recipients",
    by: "recipients",
    caughtBy: ["each filter works alone and combined with the others"],
  },
  {
    name: "the empty session means any",
    in: "visibility",
    replace: "(session === undefined || ask.session === session)",
    by: "(!session || ask.session === session)",
    caughtBy: ["each filter works alone and combined with the others"],
  },
  {
    name: "a list shows asks as they were",
    in: "asks",
    replace: "asks: page.map(({ ask }) => ask),",
    by: "asks: page.map(({ ask }) => ({ ...ask, deadline: ask.createdAt + 100 })),",
    caughtBy: ["a list shows the current state of asks"],
  },
  {
    name: "a full page always has a cursor",
    in: "asks",
    replace: "next: found.length > page.length ?",
    by: "next: page.length === query.limit ?",
    caughtBy: ["a list shows the current state of asks", "the last page has no cursor, even if it is full"],
  },
  {
    name: "a page is as large as its asks are",
    in: "asks",
    replace: "fitPage(found.slice(0, query.limit), ({ ask }) => askSize(ask), query.maxSize)",
    by: "found.slice(0, query.limit)",
    caughtBy: ["a page ends before the ask that would make it too large"],
  },
  {
    name: "getMany gives as much as it finds",
    in: "asks",
    replace: "return fitPage(found, askSize, maxSize);",
    by: "return found; void maxSize;",
    caughtBy: ["a page ends before the ask that would make it too large"],
  },
  {
    name: "a cursor is a count",
    in: "asks",
    replace:
      "const found = entries.filter(({ ask, position }) => beyond(position) && matchesFilter(ask, query));",
    by: "const found = entries.filter(({ ask }) => matchesFilter(ask, query)).slice(query.after ?? 0); void beyond;",
    caughtBy: ["paging through pending asks skips none while others are settled"],
  },
];

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
