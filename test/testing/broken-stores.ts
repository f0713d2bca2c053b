// Stores with one mistake each, as small wrappers of the memory store or of its harness. Every case of the store suite
// must notice at least one of them.

import { defined } from "../../src/core/kit/tools.ts";
import type { Committed, LogStore, RecordStore } from "../../src/hub/index.ts";
import { type AskStore, memoryStore, type Store } from "../../src/hub/index.ts";
import type { AskChange, Inserted, ListQuery, LogQuery } from "../../src/hub/seam/store.ts";
import type { Ask } from "../../src/index.ts";
import type { StoreHarness } from "../../src/testing/index.ts";
import { sharedMemoryHarness } from "../support/shared-memory-harness.ts";

/** What a wrapper makes of the store or the harness. */
type Wrapper = (harness: (create: () => Store) => StoreHarness) => StoreHarness;

/** The names of cases. */
type Cases = readonly string[];

export interface BrokenStore {
  readonly name: string;
  /** The cases that must fail. */
  readonly caughtBy: Cases;
  readonly harness: () => StoreHarness;
}

function plant(name: string, caughtBy: Cases, wrapper: Wrapper): BrokenStore {
  return { name, caughtBy, harness: () => wrapper(sharedMemoryHarness) };
}

const inStore = (name: string, caughtBy: Cases, wrap: (store: Store) => Partial<Store>): BrokenStore =>
  plant(name, caughtBy, (harness) =>
    harness(() => {
      const store = memoryStore();
      return { ...store, ...wrap(store) };
    }),
  );

const inAsks = (
  name: string,
  caughtBy: Cases,
  wrap: (asks: AskStore, store: Store) => Partial<AskStore>,
): BrokenStore =>
  inStore(name, caughtBy, (store) => ({ asks: { ...store.asks, ...wrap(store.asks, store) } }));

const inLogs = (name: string, caughtBy: Cases, wrap: (logs: LogStore) => Partial<LogStore>): BrokenStore =>
  inStore(name, caughtBy, (store) => ({ logs: { ...store.logs, ...wrap(store.logs) } }));

const inRecords = (
  name: string,
  caughtBy: Cases,
  wrap: (records: RecordStore) => Partial<RecordStore>,
): BrokenStore =>
  inStore(name, caughtBy, (store) => ({ records: { ...store.records, ...wrap(store.records) } }));

/** Changes each ask before it is stored. */
const storing = (name: string, caughtBy: Cases, change: (ask: Ask) => Loose<Ask>): BrokenStore =>
  inAsks(name, caughtBy, (asks) => ({
    insert: ({ ask }, append) => asks.insert({ ask: defined({ ...ask, ...change(ask) }) as Ask }, append),
  }));

/** Changes what a change does before it is made. */
const changing = (name: string, caughtBy: Cases, edit: (change: AskChange) => AskChange): BrokenStore =>
  inAsks(name, caughtBy, (asks) => ({
    change: (id, change, ...more) => asks.change(id, edit(change), ...more),
  }));

const listing = (name: string, caughtBy: Cases, edit: (query: ListQuery) => Loose<ListQuery>): BrokenStore =>
  inAsks(name, caughtBy, (asks) => ({ list: (query) => asks.list(defined(edit(query)) as ListQuery) }));

const reading = (name: string, caughtBy: Cases, edit: (query: LogQuery) => LogQuery): BrokenStore =>
  inLogs(name, caughtBy, (logs) => ({ read: (log, query) => logs.read(log, edit(query)) }));

const reporting = (
  name: string,
  caughtBy: Cases,
  edit: (event: Committed) => readonly Committed[],
): BrokenStore =>
  inStore(name, caughtBy, (store) => ({
    onCommit: (listener) => store.onCommit?.((events) => listener(events.flatMap(edit))) ?? nothing,
  }));

/** Changes each store that a harness gives. */
const inViews = (name: string, caughtBy: Cases, edit: (view: Store) => Partial<Store>): BrokenStore =>
  plant(name, caughtBy, (create) => {
    const harness = create(memoryStore);
    const broken = (view: Store | undefined): Store =>
      Object.assign(view as Store, edit({ ...(view as Store) }));
    return {
      ...harness,
      open: async () => broken(await harness.open()),
      reopen: async (store) => broken(await harness.reopen?.(store)),
      second: async (store) => broken(await harness.second?.(store)),
    };
  });

type Loose<T> = { readonly [Name in keyof T]?: T[Name] | undefined };
const nothing = (): void => undefined;
const short = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === "string" ? part.slice(0, 60_000) : part,
  ) as T;

export const BROKEN_STORES: readonly BrokenStore[] = [
  // Storing asks.
  storing("an approval is not stored", ["an approval is stored unchanged"], () => ({ approval: undefined })),
  storing(
    "keys are not stored",
    [
      "the same session and key return the stored ask",
      "concurrent inserts with one key create one ask, and all get it",
      "a key creates one ask among racing processes",
    ],
    () => ({ key: undefined }),
  ),
  storing("no key is taken for an empty key", ["asks without a key are never the same"], ({ key = "" }) => ({
    key,
  })),
  storing("keys are stored without case", ["the same key in another session is another ask"], ({ key }) => ({
    key: key?.toLowerCase().replaceAll(" ", ""),
  })),
  storing("sessions are not stored", ["the same key in another session is another ask"], () => ({
    session: "",
  })),
  storing("names are normalized", ["names are compared exactly"], ({ session }) => ({
    session: session.normalize("NFKC"),
  })),
  storing("owners are not stored", ["agents of one name and two owners share no keys and no usage"], () => ({
    owner: undefined,
  })),
  storing(
    "askers are not stored",
    ["a key is shared by all askers of a session no more: each asker has its own"],
    () => ({ asker: undefined, owner: undefined }),
  ),
  storing(
    "recipients are not stored",
    [
      "people who are added to the recipients find the ask, before and after its end",
      "people who were added are still there after a restart",
    ],
    () => ({ recipients: [] }),
  ),
  storing(
    "deadlines are not stored",
    [
      "an extended ask is due at its new deadline only",
      "a deadline that passes while no process runs is due afterwards",
    ],
    () => ({ deadline: undefined }),
  ),
  storing("every ask has a deadline", ["an ask without a deadline is never due"], ({ deadline = 0 }) => ({
    deadline,
  })),
  storing("long texts are cut", ["an ask at the limits is stored completely"], (ask) => short(ask)),
  storing(
    "lone surrogates are replaced",
    ["texts of any kind are returned unchanged"],
    (ask) => JSON.parse(Buffer.from(JSON.stringify(ask).replaceAll(/\\ud[89a-f]../g, "?")).toString()) as Ask,
  ),
  inAsks(
    "inserts are not stored",
    ["an inserted ask can be read", "all data survives a restart", "a process reads the writes of another"],
    () => ({ insert: async ({ ask }) => ({ kind: "created", ask }) }),
  ),
  inAsks(
    "a second insert of an id is an error",
    ["the same id again is acknowledged and stored once"],
    (asks) => ({
      async insert(given, append) {
        if ((await asks.get(given.ask.id)) !== undefined) throw new Error("the id is in use");
        return asks.insert(given, append);
      },
    }),
  ),
  inAsks(
    "other content under a known key is an error",
    [
      "the same session and key return the stored ask even for other content",
      "a known key among concurrent inserts does not affect the others",
    ],
    (asks) => ({
      async insert(given, append) {
        const inserted = await asks.insert(given, append);
        if (inserted.kind === "known") throw new Error("the key is in use");
        return inserted;
      },
    }),
  ),
  inAsks("concurrent inserts get each other's result", ["concurrent inserts are all stored"], (asks) => {
    let last: Inserted | undefined;
    return {
      async insert(given, append) {
        last = await asks.insert(given, append);
        for (let turn = 0; turn < 3; turn += 1) await null;
        return last;
      },
    };
  }),
  inAsks(
    "a key is never free again",
    ["the key of a pruned ask is free again", "a released key stores a new ask, and the old one keeps it"],
    (asks) => {
      const used = new Map<string, Ask>();
      return {
        async insert(given, append) {
          const { asker, owner, session, key } = given.ask;
          const name = JSON.stringify([asker, owner, session, key]);
          const known = key === undefined ? undefined : used.get(name);
          if (known !== undefined) return { kind: "known", ask: known };
          used.set(name, given.ask);
          return asks.insert(given, append);
        },
      };
    },
  ),
  inAsks(
    "results share their objects with the input",
    ["changing an input afterwards does not change stored data"],
    (asks) => {
      const given = new Map<string, Ask>();
      return {
        insert(input, append) {
          given.set(input.ask.id, input.ask);
          return asks.insert(input, append);
        },
        get: async (id) => given.get(id) ?? asks.get(id),
      };
    },
  ),
  inAsks(
    "results are one object that a caller can change",
    ["changing a result does not change stored data"],
    (asks) => {
      const known = new Map<string, Ask>();
      return {
        async get(id) {
          const ask = known.get(id) ?? structuredClone(await asks.get(id));
          if (ask !== undefined) known.set(id, ask);
          return ask;
        },
      };
    },
  ),
  inAsks("an unknown ask is an error", ["an unknown ask is undefined, not an error"], (asks) => ({
    async get(id) {
      const ask = await asks.get(id);
      if (ask === undefined) throw new Error("not found");
      return ask;
    },
  })),
  inAsks("getMany repeats an id", ["getMany returns the asks that exist, each once"], (asks) => ({
    getMany: async (ids) =>
      (await Promise.all(ids.map((id) => asks.get(id)))).filter((ask) => ask !== undefined),
  })),
  inAsks("getMany ignores maxSize", ["a page ends before the ask that would make it too large"], (asks) => ({
    getMany: (ids) => asks.getMany(ids),
  })),
  inAsks(
    "a key is looked up in one session",
    ["an ask is found by its session and key, in its current state"],
    (asks) => ({
      getByKey: (key) => asks.getByKey({ ...key, session: "" }),
    }),
  ),
  inAsks(
    "an ask is not found by its key",
    ["an ask is found by its session and key, in its current state"],
    () => ({ getByKey: async () => undefined }),
  ),
  inAsks(
    "the uses of a key are not found",
    ["the uses of a key are found for one asker, in every session or in one"],
    () => ({ findKeys: async () => [] }),
  ),
  inAsks("ids are found in reverse", ["ids are found by a part of them, page by page"], (asks) => ({
    async findIds(part, after) {
      const found = await asks.findIds(part, after);
      return { ...found, ids: [...found.ids].reverse() };
    },
  })),
  inAsks("a key is not released", ["a released key stores a new ask, and the old one keeps it"], () => ({
    releaseKey: async () => undefined,
  })),
  inAsks("usage counts nothing", ["usage counts what each asker has pending and stored"], () => ({
    usage: async () => ({ pending: 0, bytes: 0 }),
  })),
  // Changes of asks.
  inAsks(
    "every settle is applied",
    [
      "a settled ask is not settled again",
      "a restored settled ask is not settled again, and is pruned by its time",
    ],
    (asks) => ({
      async change(id, change, ...more) {
        const changed = await asks.change(id, change, ...more);
        return changed && change.kind === "settle" ? { ...changed, applied: true } : changed;
      },
    }),
  ),
  inAsks(
    "whether a settle is applied is decided before the write",
    [
      "of a hundred racing settles exactly one is applied, and all see the winner",
      "racing settles of several asks have one winner per ask",
      "an ask is settled once by racing processes",
    ],
    (asks) => ({
      async change(id, change, ...more) {
        const before = await asks.get(id);
        await null;
        const changed = await asks.change(id, change, ...more);
        return changed && change.kind === "settle" && before?.status === "pending"
          ? { ...changed, applied: true }
          : changed;
      },
    }),
  ),
  inAsks(
    "a loser's retry is taken for the winner's",
    ["a settle that lost still loses when it is retried"],
    (asks) => {
      const tried = new Set<string>();
      return {
        async change(id, change, ...more) {
          const changed = await asks.change(id, change, ...more);
          if (change.kind !== "settle" || changed === undefined) return changed;
          const again = tried.has(change.settlementId);
          tried.add(change.settlementId);
          return again ? { ...changed, applied: true } : changed;
        },
      };
    },
  ),
  changing(
    "a retry of the winner is not recognized",
    ["a retried settle recognises its own win"],
    (change) => (change.kind === "settle" ? { ...change, settlementId: crypto.randomUUID() } : change),
  ),
  changing(
    "an outcome loses its note and reason",
    ["each kind of outcome settles an ask and is stored unchanged"],
    (change) =>
      change.kind === "settle"
        ? { ...change, outcome: { ...change.outcome, note: undefined, reason: undefined } as never }
        : change,
  ),
  changing(
    "a deadline does not matter to a settle",
    [
      "an answer after the deadline is refused, and the ask stays pending",
      "a settle that needs a passed deadline is refused before the deadline",
    ],
    (change) => (change.kind === "settle" ? { ...change, when: "anytime" } : change),
  ),
  changing(
    "a settle at the deadline is like any other",
    [
      "a settle that needs a passed deadline is refused before the deadline",
      "an extended ask is due at its new deadline only",
      "a deadline that passes while no process runs is due afterwards",
    ],
    (change) =>
      change.kind === "settle" && change.when === "due" ? ({ ...change, when: undefined } as never) : change,
  ),
  changing(
    "a passed deadline is extended",
    ["a deadline that has passed is not extended, unless that is allowed"],
    (change) => (change.kind === "extend" ? { ...change, when: "anytime" } : change),
  ),
  changing("an extension is a minute short", ["extending moves a deadline forward, never back"], (change) =>
    change.kind === "extend" ? { ...change, deadline: change.deadline - 60_000 } : change,
  ),
  changing(
    "one person is added at most",
    ["people who are added to the recipients find the ask, before and after its end"],
    (change) => (change.kind === "escalate" ? { ...change, to: change.to.slice(0, 1) } : change),
  ),
  inAsks(
    "every other change says that it was made",
    [
      "a settled ask does not become overdue",
      "nobody is added twice, to an ask for everyone, or after the end",
      "an ask that is settled or has no deadline is not extended",
      "an ask does not become overdue before its deadline",
    ],
    (asks) => ({
      async change(id, change, ...more) {
        const changed = await asks.change(id, change, ...more);
        return changed && change.kind !== "settle" ? { ...changed, applied: true } : changed;
      },
    }),
  ),
  inAsks("asks never become overdue", ["an ask becomes overdue once, and stays pending"], (asks) => ({
    change: async (id, change, ...more) => {
      const ask = change.kind === "overdue" ? await asks.get(id) : undefined;
      return ask === undefined ? asks.change(id, change, ...more) : { applied: false, ask };
    },
  })),
  inAsks(
    "additional entries are not written",
    ["additional entries are written after the event, and only if the change is made"],
    (asks) => ({
      insert: (given) => asks.insert(given),
      change: (id, change, _, records) => asks.change(id, change, [], records),
    }),
  ),
  inAsks(
    "additional entries are written in any case",
    ["additional entries are written after the event, and only if the change is made"],
    (asks, { logs }) => ({
      async change(id, change, append = [], records) {
        await logs.append(append);
        return asks.change(id, change, [], records);
      },
    }),
  ),
  inAsks(
    "an unmade change writes an entry",
    ["a call that changes nothing writes no event and leaves no gap"],
    (asks, { logs }) => ({
      async change(id, change, ...more) {
        const changed = await asks.change(id, change, ...more);
        if (changed?.applied === false) await logs.append([{ log: "events", type: "nothing" }]);
        return changed;
      },
    }),
  ),
  inAsks(
    "records of a change are not put",
    ["records are put with a change that is made, once, and with no other"],
    (asks) => ({
      change: (id, change, append) => asks.change(id, change, append),
    }),
  ),
  inAsks(
    "records of a change are put in any case",
    ["records are put with a change that is made, once, and with no other"],
    (asks, { records }) => ({
      async change(id, change, append, puts = []) {
        for (const { namespace, key, value } of puts) await records.put(namespace, key, value);
        return asks.change(id, change, append);
      },
    }),
  ),
  inAsks(
    "records of a change expect nothing",
    [
      "a change is made only if its records have the versions it expects",
      "of racing changes that expect the same version of a record, one is made",
    ],
    (asks) => ({
      change: (id, change, append, records) =>
        asks.change(
          id,
          change,
          append,
          records?.map(({ expect: _, ...put }) => put),
        ),
    }),
  ),
  inAsks(
    "the end of an ask has no time",
    ["each kind of outcome settles an ask and is stored unchanged"],
    (asks) => ({
      async get(id) {
        const ask = await asks.get(id);
        return ask && ({ ...ask, settledAt: undefined } as never);
      },
    }),
  ),
  // Lists.
  listing(
    "newest first is oldest first",
    ["asks are listed in order of creation, or in reverse"],
    (query) => ({ ...query, order: "oldest" }),
  ),
  listing("settled is every status", ["each filter works alone and combined with the others"], (query) =>
    query.status === "settled" ? { ...query, status: undefined } : query,
  ),
  listing(
    "the asker does not count",
    ["each filter works alone and combined with the others", "names are compared exactly"],
    ({ asker: _, ...query }) => query,
  ),
  listing("the empty session is any", ["each filter works alone and combined with the others"], (query) => ({
    ...query,
    session: query.session || undefined,
  })),
  listing(
    "a list ignores maxSize",
    ["a page ends before the ask that would make it too large"],
    ({ maxSize: _, ...query }) => query,
  ),
  inAsks("a list is in order of id", ["asks are listed in order of creation, or in reverse"], (asks) => ({
    async list(query) {
      const page = await asks.list(query);
      return { ...page, asks: [...page.asks].sort((one, other) => (one.id < other.id ? -1 : 1)) };
    },
  })),
  inAsks("every page has a cursor", ["an empty store lists nothing"], (asks) => ({
    async list(query) {
      const page = await asks.list(query);
      return { ...page, next: page.next ?? query.after ?? 0 };
    },
  })),
  inAsks("a full page has a cursor", ["the last page has no cursor, even if it is full"], (asks) => ({
    async list(query) {
      const page = await asks.list(query);
      return page.asks.length === query.limit ? { ...page, next: page.next ?? 1_000 } : page;
    },
  })),
  inAsks(
    "a cursor is a count",
    [
      "paging through pending asks skips none while others are settled",
      "paging returns each ask once and in order during inserts",
    ],
    (asks) => ({
      async list({ after = 0, ...query }) {
        const all = await asks.list({ ...query, limit: 100_000 });
        const rest = all.asks.slice(after);
        return rest.length > query.limit
          ? { asks: rest.slice(0, query.limit), next: after + query.limit }
          : { asks: rest };
      },
    }),
  ),
  inAsks("a list shows asks as they were stored", ["a list shows the current state of asks"], (asks) => {
    const stored = new Map<string, Ask>();
    return {
      insert(given, append) {
        stored.set(given.ask.id, structuredClone(given.ask));
        return asks.insert(given, append);
      },
      async list(query) {
        const page = await asks.list(query);
        return { ...page, asks: page.asks.map((ask) => stored.get(ask.id) ?? ask) };
      },
    };
  }),
  inAsks(
    "nothing is counted as pending",
    ["pending asks are counted, and settled ones are not", "the count of pending asks survives a restart"],
    () => ({ pendingSummary: async () => ({ count: 0 }) }),
  ),
  inAsks("the oldest pending ask is not known", ["the oldest pending ask gives the age"], (asks) => ({
    pendingSummary: async () => ({ count: (await asks.pendingSummary()).count }),
  })),
  // Deadlines.
  inAsks(
    "a claim has no lease",
    [
      "a claim lasts exactly as long as its lease",
      "concurrent claims never get the same ask",
      "a claim belongs to one process",
      "the lease of a claim survives a restart",
    ],
    (asks) => ({ claimDue: (limit) => asks.claimDue(limit, 0) }),
  ),
  inAsks("a lease does not end", ["a claim lasts exactly as long as its lease"], (asks) => ({
    claimDue: (limit, leaseMs) => asks.claimDue(limit, leaseMs * 1_000),
  })),
  inAsks(
    "what is due last is claimed first",
    ["only due asks are claimed, the earliest deadline first"],
    (asks) => ({
      claimDue: async (limit, leaseMs) => [...(await asks.claimDue(limit, leaseMs))].reverse(),
    }),
  ),
  inAsks("a lease outlives an extension", ["extending ends the lease of a claim"], (asks, store) => {
    const leased = new Map<string, number>();
    return {
      async claimDue(limit, leaseMs) {
        const free = (await asks.claimDue(limit, leaseMs)).filter(
          ({ id }) => (leased.get(id) ?? 0) <= store.now(),
        );
        for (const { id } of free) leased.set(id, store.now() + leaseMs);
        return free;
      },
    };
  }),
  inAsks("there is no next deadline", ["the next deadline is the earliest of all pending asks"], () => ({
    nextDeadline: async () => undefined,
  })),
  inStore(
    "time is the wall clock",
    ["now follows the monotonic clock, not wall clock jumps", "a wall clock jump does not expire a record"],
    (store) => {
      let now = store.now;
      return {
        now: () => now(),
        async open(context) {
          now = () => context.clock.now();
          await store.open({ ...context, clock: { ...context.clock, monotonic: () => context.clock.now() } });
        },
      };
    },
  ),
  // Pruning and restoring.
  inAsks(
    "prune removes nothing",
    [
      "prune removes only asks that were settled before a time",
      "the events of a pruned ask are removed, and the bounds say where the complete log starts",
      "a restored settled ask is not settled again, and is pruned by its time",
    ],
    () => ({ prune: async () => 0 }),
  ),
  inAsks("prune has no limit", ["prune removes the oldest first, up to its limit"], (asks) => ({
    prune: (before, _, namespaces) => asks.prune(before, 1_000, namespaces),
  })),
  inAsks(
    "prune removes what was settled at the time itself",
    [
      "prune removes only asks that were settled before a time",
      "a prune that removes nothing leaves the bounds alone",
    ],
    (asks) => ({
      prune: (before, ...more) => asks.prune(before + 1, ...more),
    }),
  ),
  inAsks("prune leaves the records", ["the records of a pruned ask are removed, and no others"], (asks) => ({
    prune: (before, limit) => asks.prune(before, limit, []),
  })),
  inAsks(
    "prune removes records that have not expired",
    ["prune keeps records that have not expired"],
    (asks, { records }) => ({
      async prune(before, limit, namespaces) {
        for (const namespace of ["n", ...namespaces]) {
          for (const { key } of await records.list(namespace, { limit: 100 }))
            await records.delete(namespace, key);
        }
        return asks.prune(before, limit, namespaces);
      },
    }),
  ),
  inAsks(
    "what a prune would remove is not counted",
    ["the asks that a prune would remove are counted"],
    () => ({ countSettled: async () => 0 }),
  ),
  inAsks(
    "a restored ask is pending",
    [
      "a restored ask is unchanged, pending or settled",
      "a restored settled ask is not settled again, and is pruned by its time",
    ],
    (asks) => ({
      restore: ({ ask, events }) => asks.restore({ ask: { ...ask, status: "pending" }, events }),
    }),
  ),
  inAsks(
    "a restored ask is not stored",
    ["a restored ask is unchanged, pending or settled", "a restored ask and its events survive a restart"],
    () => ({ restore: async ({ ask }) => ({ kind: "restored", ask }) }),
  ),
  inAsks(
    "a restored ask loses its key",
    [
      "an ask whose session and key are taken is not restored",
      "the session and key of a restored ask are known",
    ],
    (asks) => ({
      restore: ({ ask, events }) => asks.restore({ ask: { ...ask, key: undefined } as never, events }),
    }),
  ),
  inAsks(
    "a restored ask loses its deadline",
    ["a restored ask is claimed at its deadline and settled like any other"],
    (asks) => ({
      restore: ({ ask, events }) => asks.restore({ ask: { ...ask, deadline: undefined } as never, events }),
    }),
  ),
  inAsks(
    "only the first event is restored",
    [
      "events of a restored ask keep their times and order, and get new positions",
      "a restored ask and its events survive a restart",
    ],
    (asks) => ({
      restore: ({ ask, events }) => asks.restore({ ask, events: events.slice(0, 1) }),
    }),
  ),
  inAsks("what is known is restored over", ["restoring an ask again changes nothing"], (asks) => ({
    restore: async (restored) => ({ ...(await asks.restore(restored)), kind: "restored" }),
  })),
  // Logs.
  reading(
    "a page begins with the last entry before",
    ["a log is read in pages from a position", "a reader that sees a change also sees its event"],
    (query) => ({
      ...query,
      after: Math.max(0, query.after - 1),
    }),
  ),
  reading("a page of a log has no end", ["a log is read in pages from a position"], (query) => ({
    ...query,
    limit: 100_000,
  })),
  reading("the subject does not count", ["a log is read by subject"], ({ subject: _, ...query }) => query),
  reading(
    "a read ignores maxSize",
    ["a read ends before the entry that would make it too large"],
    ({ maxSize: _, ...query }) => query,
  ),
  inLogs(
    "entries lose their data",
    [
      "entries are returned unchanged, with their time",
      "each change writes an event with its answerer and time",
    ],
    (logs) => ({
      read: async (log, query) => (await logs.read(log, query)).map(({ data: _, ...entry }) => entry),
    }),
  ),
  inLogs("entries have no type", ["each change writes an event with its answerer and time"], (logs) => ({
    read: async (log, query) => (await logs.read(log, query)).map((entry) => ({ ...entry, type: "" })),
  })),
  inLogs(
    "a full page of a log repeats its last entry",
    [
      "a reader misses nothing during concurrent writes",
      "events of concurrent changes have positions without gaps or repeats",
    ],
    (logs) => ({
      async read(log, query) {
        const entries = await logs.read(log, query);
        return [...entries, ...entries.slice(-1)];
      },
    }),
  ),
  inLogs("logs are named without case", ["logs are independent of each other"], (logs) => ({
    append: (entries) => logs.append(entries.map((entry) => ({ ...entry, log: entry.log.toLowerCase() }))),
    read: (log, query) => logs.read(log.toLowerCase(), query),
    bounds: (log) => logs.bounds(log.toLowerCase()),
  })),
  inLogs("a log that was never written to is an error", ["a log without writes is empty"], (logs) => ({
    async bounds(log) {
      const bounds = await logs.bounds(log);
      if (bounds.head === 0) throw new Error("no such log");
      return bounds;
    },
  })),
  inLogs(
    "a log is always complete",
    [
      "the events of a pruned ask are removed, and the bounds say where the complete log starts",
      "a log is removed completely, and no other log",
      "entries are restored into a removed log above its old positions",
    ],
    (logs) => ({
      bounds: async (log) => ({ ...(await logs.bounds(log)), first: 1 }),
    }),
  ),
  inLogs(
    "the last position is that of the last entry",
    [
      "positions are never reused after a prune of everything",
      "positions are never reused after a prune and a restart",
    ],
    (logs) => ({
      async bounds(log) {
        const [last] = (await logs.read(log, { after: 0, limit: 100_000 })).slice(-1);
        return { ...(await logs.bounds(log)), head: last?.position ?? 0 };
      },
    }),
  ),
  inLogs("entries of one call come apart", ["entries of one call are consecutive and in order"], (logs) => ({
    async append(entries) {
      const positions: number[] = [];
      for (const entry of entries) positions.push(...(await logs.append([entry])));
      return positions;
    },
  })),
  inLogs(
    "an entry appears below one that was read",
    ["a reader misses nothing during concurrent writes", "a reader misses no writes of several processes"],
    (logs) => {
      const hidden = new Set<number>();
      return {
        async append(entries) {
          const positions = await logs.append(entries);
          const [position = 0] = positions;
          if (entries.length !== 1 || position % 2 === 0) return positions;
          hidden.add(position);
          for (let turn = 0; turn < 3; turn += 1) await null;
          hidden.delete(position);
          return positions;
        },
        read: async (log, query) =>
          (await logs.read(log, query)).filter(({ position }) => !hidden.has(position)),
      };
    },
  ),
  inLogs(
    "an append returns the same positions each time",
    ["the positions of a removed log are never reused"],
    (logs) => ({
      append: async (entries) => (await logs.append(entries)).map((_, index) => index + 1),
    }),
  ),
  inLogs("logs are listed in reverse", ["logs with entries are listed by prefix, in name order"], (logs) => ({
    list: async (query) => [...(await logs.list(query))].reverse(),
  })),
  inLogs("a log is removed whatever its head", ["a log with newer entries is not removed"], (logs) => ({
    remove: async (log) => logs.remove(log, (await logs.bounds(log)).head),
  })),
  inLogs(
    "a log is removed with what was written meanwhile",
    ["entries written during a removal are kept"],
    (logs) => ({
      async remove(log) {
        for (let turn = 0; turn < 5; turn += 1) await null;
        return logs.remove(log, (await logs.bounds(log)).head);
      },
    }),
  ),
  inLogs(
    "a log is not removed",
    [
      "a log is removed completely, and no other log",
      "a long log is removed completely",
      "a removed log is empty after a restart, and continues at the next position",
    ],
    () => ({ remove: async () => true }),
  ),
  inLogs("a log is never removed", ["a log is removed completely, and no other log"], () => ({
    remove: async () => false,
  })),
  inLogs(
    "a log is restored whatever its head",
    ["nothing is restored into a log with another head"],
    (logs) => ({
      restore: async (log, restored) =>
        logs.restore(log, { ...restored, head: (await logs.bounds(log)).head }),
    }),
  ),
  inLogs(
    "entries are restored at the next position",
    ["entries from another store are restored with their positions and times"],
    (logs) => ({
      restore: (log, restored) => logs.restore(log, { ...restored, first: restored.head + 1 }),
    }),
  ),
  inLogs(
    "every restore says that it was made",
    ["nothing is restored into a log with another head", "concurrent restores of one log store it once"],
    (logs) => ({
      restore: async (...call) => (await logs.restore(...call)) || true,
    }),
  ),
  inLogs(
    "entries are not restored",
    ["restored entries survive a restart", "more entries are restored after the existing ones"],
    () => ({ restore: async () => true }),
  ),
  // Records.
  inRecords(
    "a put expects nothing",
    [
      "a put with an expected version applies only to that version",
      "log entries are written with a put only if it applies",
    ],
    (records) => ({
      put: (namespace, key, value, { expect: _, ...options } = {}) =>
        records.put(namespace, key, value, options),
    }),
  ),
  inRecords(
    "null expects nothing",
    [
      "log entries are written with a put only if it applies",
      "a put with an expected version applies only to that version",
    ],
    (records) => ({
      put: (namespace, key, value, { expect, ...options } = {}) =>
        records.put(namespace, key, value, { ...options, ...(expect != null && { expect }) }),
    }),
  ),
  inRecords(
    "a put that expects a version is always made",
    [
      "of concurrent puts with the same expected version, one wins",
      "a version is written once by racing processes",
    ],
    (records) => ({
      async put(...call) {
        const put = await records.put(...call);
        return put.ok ? put : { ok: true, version: 1 };
      },
    }),
  ),
  inRecords(
    "a refused put does not return the record",
    [
      "a put with an expected version applies only to that version",
      "of concurrent puts with the same expected version, one wins",
    ],
    (records) => ({
      async put(...call) {
        const put = await records.put(...call);
        return put.ok ? put : { ok: false };
      },
    }),
  ),
  inRecords(
    "the version is that before the call",
    ["concurrent puts without an expected version all apply"],
    (records) => ({
      async put(namespace, key, value, options) {
        const before = (await records.get(namespace, key))?.version ?? 0;
        const put = await records.put(namespace, key, value, options);
        return put.ok ? { ok: true, version: before + 1 } : put;
      },
    }),
  ),
  inRecords(
    "a record is always version 1",
    ["a record can be put, replaced and read, and its version increases by one"],
    (records) => ({
      async get(namespace, key) {
        const record = await records.get(namespace, key);
        return record && { ...record, version: 1 };
      },
    }),
  ),
  inRecords(
    "a record does not expire",
    [
      "an expired record cannot be read",
      "a put over an expired record starts a new one",
      "a deleted or expired record is not claimed",
      "an expiry and a lease continue over a restart",
    ],
    (records) => ({
      put: (namespace, key, value, { expiresAt: _, ...options } = {}) =>
        records.put(namespace, key, value, options),
    }),
  ),
  inRecords("times are rounded down", ["times between two milliseconds are kept on time"], (records) => ({
    put: (namespace, key, value, options = {}) =>
      records.put(namespace, key, value, {
        ...options,
        ...(options.expiresAt !== undefined && { expiresAt: Math.floor(options.expiresAt) }),
        ...(options.availableAt !== undefined && { availableAt: Math.floor(options.availableAt) }),
      }),
  })),
  inRecords(
    "a record is available at once",
    ["a record is not claimed before it is available", "a put also replaces the expiry and the availability"],
    (records) => ({
      put: (namespace, key, value, { availableAt: _, ...options } = {}) =>
        records.put(namespace, key, value, options),
    }),
  ),
  inRecords(
    "entries of a put are not written",
    ["log entries are written with a put only if it applies"],
    (records) => ({
      put: (namespace, key, value, { append: _, ...options } = {}) =>
        records.put(namespace, key, value, options),
    }),
  ),
  inRecords(
    "long texts of records are cut",
    ["large records and log entries are stored completely"],
    (records) => ({
      put: (namespace, key, value, options) => records.put(namespace, key, short(value), options),
    }),
  ),
  inRecords("null is no value", ["every JSON value is stored unchanged"], (records) => ({
    async get(namespace, key) {
      const record = await records.get(namespace, key);
      return record?.value === null ? undefined : record;
    },
  })),
  inRecords("all namespaces are one", ["namespaces are independent of each other"], (records) => ({
    get: (_, key) => records.get("all", key),
    put: (_, key, value, options) => records.put("all", key, value, options),
    list: (_, query) => records.list("all", query),
  })),
  inRecords(
    "a delete expects nothing",
    ["a delete applies only to the expected version, if one is given"],
    (records) => ({
      delete: (namespace, key) => records.delete(namespace, key),
    }),
  ),
  inRecords("every delete says that it was made", ["of concurrent deletes, one succeeds"], (records) => ({
    delete: async (...call) => (await records.delete(...call)) || true,
  })),
  inRecords(
    "records are listed in the order of UTF-16",
    ["records are listed by key in code point order"],
    (records) => ({
      list: async (...call) =>
        [...(await records.list(...call))].sort((one, other) => (one.key < other.key ? -1 : 1)),
    }),
  ),
  inRecords(
    "a prefix is compared without case",
    ["a prefix is taken literally, whatever it contains"],
    (records) => ({
      list: async (namespace, { prefix = "", ...query }) =>
        (await records.list(namespace, { ...query, limit: 100_000 }))
          .filter(({ key }) => key.toLowerCase().startsWith(prefix.toLowerCase()))
          .slice(0, query.limit),
    }),
  ),
  inRecords(
    "a list begins again on every page",
    ["records are listed page by page after a key"],
    (records) => ({
      list: (namespace, { after: _, ...query }) => records.list(namespace, query),
    }),
  ),
  inRecords("a list has no times", ["a list has complete records"], (records) => ({
    list: async (...call) =>
      (await records.list(...call)).map(({ key, value, version }) => ({ key, value, version })),
  })),
  inRecords(
    "expired records count towards a limit",
    ["expired records do not count towards a list's limit"],
    (records) => ({
      list: (namespace, query) => records.list(namespace, { ...query, limit: Math.max(1, query.limit - 1) }),
    }),
  ),
  inRecords(
    "a claim of records has no lease",
    [
      "a claimed record cannot be claimed again until the lease ends",
      "concurrent claims never get the same record",
    ],
    (records) => ({
      claim: (namespace, limit, _, range) => records.claim(namespace, limit, 0, range),
    }),
  ),
  inRecords(
    "a claim changes the version",
    ["a put sets the availability of a claimed record"],
    (records) => ({
      async claim(namespace, ...call) {
        const claimed = await records.claim(namespace, ...call);
        for (const { key, value, ...one } of claimed) {
          await records.put(
            namespace,
            key,
            value,
            defined({ expiresAt: one.expiresAt, availableAt: one.availableAt }),
          );
        }
        return claimed;
      },
    }),
  ),
  inRecords(
    "a claim of records has no limit",
    ["records are claimed in key order, up to the limit"],
    (records) => ({
      claim: (namespace, _, ...more) => records.claim(namespace, 1_000, ...more),
    }),
  ),
  inRecords("a claim ignores its range", ["a claim takes only what is in its range of keys"], (records) => ({
    claim: (namespace, limit, leaseMs) => records.claim(namespace, limit, leaseMs),
  })),
  // Reports of commits.
  reporting(
    "an event is reported with the ask as it was before",
    ["each event is reported as it is in the log, with the ask at that time"],
    (event) => [{ ...event, ask: { ...event.ask, status: "pending" } }],
  ),
  reporting(
    "an event is reported without who did it",
    ["each event is reported as it is in the log, with the ask at that time"],
    ({ data: _, ...event }) => [event],
  ),
  reporting(
    "the creation of an ask is not reported",
    [
      "each event is reported as it is in the log, with the ask at that time",
      "an event is reported after its commit and before its call resolves",
    ],
    (event) => (event.type === "ask.created" ? [] : [event]),
  ),
  inStore("every seventh event is not reported", ["a commit reports all of its events or none"], (store) => ({
    onCommit: (listener) =>
      store.onCommit?.((events) => {
        if (events[0] !== undefined && events[0].position % 7 !== 0) listener(events);
      }) ?? nothing,
  })),
  reporting(
    "an event is reported with the next position",
    ["other log entries are not reported as events of asks"],
    (event) => [{ ...event, position: event.position + 1 }],
  ),
  reporting(
    "an event is reported twice",
    [
      "a call that changes nothing reports no event",
      "events are reported in position order, however many writers there are",
    ],
    (event) => [event, event],
  ),
  inStore(
    "an event is reported after its call",
    ["an event is reported after its commit and before its call resolves"],
    (store) => ({
      onCommit: (listener) => store.onCommit?.((events) => void setTimeout(listener, 5, events)) ?? nothing,
    }),
  ),
  inStore(
    "extensions are reported late",
    ["events are reported in position order, however many writers there are"],
    (store) => ({
      onCommit: (listener) =>
        store.onCommit?.((events) =>
          events[0]?.type === "ask.extended" ? queueMicrotask(() => listener(events)) : listener(events),
        ) ?? nothing,
    }),
  ),
  inStore(
    "commits without a change are reported",
    ["a call that changes nothing reports no event"],
    (store) => {
      const listeners = new Set<(events: readonly Committed[]) => void>();
      const change: AskStore["change"] = async (id, wanted, ...more) => {
        const changed = await store.asks.change(id, wanted, ...more);
        if (changed?.applied === false)
          for (const call of listeners)
            call([{ position: 0, at: 0, type: "ask.unchanged", ask: changed.ask }]);
        return changed;
      };
      return {
        asks: { ...store.asks, change },
        onCommit(listener) {
          listeners.add(listener);
          return store.onCommit?.(listener) ?? nothing;
        },
      };
    },
  ),
  inStore(
    "a reported event is the caller's object",
    ["a reported event is not affected by later changes to the input"],
    (store) => {
      const given = new Map<string, Ask>();
      const insert: AskStore["insert"] = (input, append) => {
        given.set(input.ask.id, input.ask);
        return store.asks.insert(input, append);
      };
      return {
        asks: { ...store.asks, insert },
        onCommit: (listener) =>
          store.onCommit?.((events) =>
            listener(events.map((event) => ({ ...event, ask: given.get(event.ask.id) ?? event.ask }))),
          ) ?? nothing,
      };
    },
  ),
  inStore(
    "a listener cannot be removed",
    ["a removed listener is not called, and the others are"],
    (store) => ({
      onCommit(listener) {
        store.onCommit?.(listener);
        return nothing;
      },
    }),
  ),
  // Closing, restarts and several processes.
  inViews("a closed store goes on", ["a closed store rejects everything with closed"], () => ({
    close: async () => undefined,
  })),
  inViews("closing again is an error", ["closing again does nothing"], (view) => {
    let closed = false;
    return {
      async close() {
        if (closed) throw new Error("closed already");
        closed = true;
        await view.close();
      },
    };
  }),
  inViews(
    "calls in progress end when the store closes",
    ["calls that started before the close are finished", "writes that started before the close are stored"],
    (view) => {
      const closed = new AbortController();
      const dropped = <T extends object>(part: T): T =>
        new Proxy(part, {
          get:
            (target, name) =>
            async (...call: readonly unknown[]) => {
              for (let turn = 0; turn < 3; turn += 1) await null;
              closed.signal.throwIfAborted();
              return (Reflect.get(target, name) as (...given: readonly unknown[]) => unknown)(...call);
            },
        });
      return {
        asks: dropped(view.asks),
        logs: dropped(view.logs),
        records: dropped(view.records),
        async close() {
          closed.abort();
          await view.close();
        },
      };
    },
  ),
  plant("closing one store closes another", ["closing one store does not affect another"], (create) => {
    const harness = create(memoryStore);
    return {
      ...harness,
      async second(store) {
        const view = (await harness.second?.(store)) as Store;
        const { close } = store;
        Object.assign(store, { close: () => Promise.all([close(), view.close()]) });
        return view;
      },
    };
  }),
  inViews(
    "a commit of another process is not noticed",
    ["a commit of another process is noticed until the watch stops"],
    () => ({ watch: () => nothing }),
  ),
  plant(
    "another's commits are reported",
    ["writes of another store are in the log, but not reported"],
    (create) => {
      const harness = create(memoryStore);
      return {
        ...harness,
        async second(store) {
          const view = (await harness.second?.(store)) as Store;
          const onCommit: Store["onCommit"] = (listener) => {
            store.onCommit?.(listener);
            return view.onCommit?.(listener) ?? nothing;
          };
          return Object.assign(view, { onCommit });
        },
      };
    },
  ),
  plant(
    "a restart finds nothing",
    ["a change of an ask that was stored before a restart is reported", "all data survives a restart"],
    (create) => {
      const harness = create(memoryStore);
      return { ...harness, reopen: () => harness.open() };
    },
  ),
  plant(
    "a second process has data of its own",
    ["a process reads the writes of another", "a key creates one ask among racing processes"],
    (create) => {
      const harness = create(memoryStore);
      return { ...harness, second: () => harness.open() };
    },
  ),
];
