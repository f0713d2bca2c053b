// How many asks an asker has pending for each person.
//
//   not counted --the asker has as many pending as one person may get--> counted: its pending asks are read once, and
//                                                                      then events keep the count up to date
//   counted     --half of that is left, or the events cannot be read--> not counted
//
// An asker below that number costs nothing. Two nodes can exceed the limit by what both let in at the same moment.

import { pages } from "../../core/kit/pages.js";
import type { Ask } from "../../core/model/ask.js";
import type { AskEvent } from "../../core/model/event.js";
import { askerIdentity, reachable } from "../../core/model/visibility.js";
import { deferred } from "../events/feed.js";
import type { EventQuery } from "../seam/port.js";
import { EVENT_LOG, type ListPage, PAGE_SIZE, type Store } from "../seam/store.js";

export type Follow = (query: EventQuery) => AsyncIterable<readonly AskEvent[]>;

export interface Crowded {
  /** Who has too many; undefined if it is everyone. */
  readonly person?: string;
  readonly count: number;
}

export interface PendingByPerson {
  /** Counts an ask, unless a person who may answer it has as many as they may get. `letIn` are not stored yet. */
  add(asker: string, ask: Ask, letIn: Iterable<Ask>): Promise<Crowded | undefined>;
  /** An ask that was counted is not stored. */
  remove(asker: string, ask: Ask): Promise<void>;
}

const PAGE = 500;

export function createPendingByPerson(store: Store, follow: Follow, limit: number): PendingByPerson {
  const askers = new Map<string, Promise<Count>>();
  let stop: AbortController | undefined;
  let started: Promise<void> | undefined;
  let position = 0;
  let moved = deferred();

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      for await (const events of follow({ after: position, signal })) {
        for (const { ask } of events) if (ask !== undefined) await note(ask);
        position = events.at(-1)?.position ?? position;
        moved.resolve();
        moved = deferred();
        if (askers.size === 0) return;
      }
    } catch {
      // Closed, or the log cannot be read: what is needed is read again.
    } finally {
      stop?.abort();
      stop = undefined;
      started = undefined;
      askers.clear();
      moved.resolve();
    }
  };
  const note = async (ask: Ask): Promise<void> => {
    const asker = askerIdentity(ask);
    const counting = asker === undefined ? undefined : askers.get(asker);
    if (asker === undefined || counting === undefined) return;
    const count = await counting;
    if (ask.outcome === undefined) count.set(ask);
    else count.delete(ask.id);
    if (count.size < limit / 2) askers.delete(asker);
  };

  const start = async (): Promise<void> => {
    position = (await store.logs.bounds(EVENT_LOG)).head;
    stop = new AbortController();
    void run(stop.signal);
  };
  const read = async (asker: string, ask: Ask, letIn: Iterable<Ask>): Promise<Count> => {
    const count = createCount();
    // The position first: what changes during the list comes as an event.
    started ??= start();
    await started;
    const filter = { asker: ask.asker ?? "", ...(ask.owner !== undefined && { owner: ask.owner }) };
    const page = (after: number | undefined): Promise<ListPage> =>
      store.asks.list({ ...filter, status: "pending", limit: PAGE, maxSize: PAGE_SIZE, after });
    for await (const { asks } of pages(page)) {
      for (const found of asks) if (askerIdentity(found) === asker) count.set(found);
    }
    for (const one of letIn) count.set(one);
    return count;
  };
  const countOf = (asker: string, ask: Ask, letIn: Iterable<Ask>): Promise<Count> => {
    const known = askers.get(asker);
    if (known !== undefined) return known;
    const reading = read(asker, ask, letIn);
    askers.set(asker, reading);
    reading.catch(() => {
      askers.delete(asker);
      if (stop === undefined) started = undefined;
    });
    return reading;
  };
  /** A refusal takes into account everything that was stored before it. */
  const catchUp = async (): Promise<void> => {
    const { head } = await store.logs.bounds(EVENT_LOG);
    while (stop !== undefined && position < head) await moved.promise;
  };

  return {
    async add(asker, ask, letIn) {
      let count = await countOf(asker, ask, letIn);
      if (count.crowded(ask, limit) !== undefined) {
        await catchUp();
        count = await countOf(asker, ask, letIn);
      }
      const crowded = count.crowded(ask, limit);
      if (crowded === undefined) count.set(ask);
      return crowded;
    },
    async remove(asker, { id }) {
      (await askers.get(asker))?.delete(id);
    },
  };
}

interface Count {
  readonly size: number;
  set(ask: Ask): void;
  delete(id: string): void;
  crowded(ask: Ask, limit: number): Crowded | undefined;
}

function createCount(): Count {
  const pending = new Map<string, readonly string[] | undefined>();
  const byPerson = new Map<string, number>();
  let toEveryone = 0;

  const change = (people: readonly string[] | undefined, by: 1 | -1): void => {
    if (people === undefined) toEveryone += by;
    for (const person of people ?? []) {
      const count = (byPerson.get(person) ?? 0) + by;
      if (count === 0) byPerson.delete(person);
      else byPerson.set(person, count);
    }
  };
  const remove = (id: string): void => {
    if (pending.has(id)) change(pending.get(id), -1);
    pending.delete(id);
  };
  return {
    get size() {
      return pending.size;
    },
    set(ask) {
      remove(ask.id);
      const people = reachable(ask);
      pending.set(ask.id, people);
      change(people, 1);
    },
    delete: remove,
    crowded(ask, limit) {
      if (toEveryone >= limit) return { count: toEveryone };
      for (const person of reachable(ask) ?? byPerson.keys()) {
        const count = toEveryone + (byPerson.get(person) ?? 0);
        if (count >= limit) return { person, count };
      }
      return undefined;
    },
  };
}
