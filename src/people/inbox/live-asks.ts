// The pending asks of a person, kept up to date: the list that the rich and the plain inbox show.
//
// connecting --first list--> live --a call fails--> away --a call works--> live
// any --a failure that trying again cannot repair--> failed
//
// The watch resumes where it broke, so nothing is missed. A list now and then shows whether the server is there, and
// for which asks an agent is waiting, of which there are no events.

import type { Clock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";
import type { Ask } from "../../core/model/ask.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import { ERROR_CODES, type ErrorCode, meaningOf } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AskFilter, Inbox } from "../../core/model/ports.js";

/** An inbox with the hints of a server. */
export type WatchedInbox = Inbox & {
  onDraft(listener: (hint: DraftHint) => void, missed?: () => void): () => void;
};

export interface Entry {
  readonly ask: Ask;
  /** Whether an agent is waiting now; undefined if that is not known. */
  readonly awaited: boolean | undefined;
  /** Recipients whom the server does not know, or who have left. */
  readonly unknown: readonly string[];
  /** Whether a draft was saved since the inbox was opened. */
  readonly draft: boolean;
}

export interface EndedEntry {
  readonly ask: Ask;
  readonly outcome: Outcome;
}

export interface LiveAsks {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** How many entries there are: sorts nothing. */
  readonly size: number;
  /** The last ones that ended here, newest first. */
  readonly ended: readonly EndedEntry[];
  readonly isLoaded: boolean;
  /** Since when the server cannot be reached. */
  readonly awaySince: number | undefined;
  /** Why it cannot go on. */
  readonly failure: unknown;
  isPending(id: string): boolean;
  subscribe(listener: LiveListener): () => void;
  /** An ask was ended here: it goes at once, before the server's event comes. */
  end(id: string, outcome: Outcome): void;
  close(): Promise<void>;
}

export interface LiveListener {
  changed(): void;
  /** An ask came in after the inbox was opened. */
  arrived?(ask: Ask): void;
  /** An ask ended, here or elsewhere. */
  ended?(entry: EndedEntry): void;
  /** A draft of this person was saved, here or elsewhere. */
  draft?(hint: DraftHint): void;
  /** Hints of drafts may have been missed. */
  missed?(): void;
}

const MOST_ENDED = 3;
/** How many asks are checked for a waiting agent. */
const CHECKED = 50;
const CHECK_MS = 5_000;
/** An agent begins to wait a moment after it has asked. */
const CHECK_NEW_MS = 500;

export async function followAsks(
  inbox: WatchedInbox,
  options: {
    readonly filter: AskFilter;
    readonly clock: Clock;
    /** What is kept of an ask; all of it by default. */
    readonly keep?: (ask: Ask) => Ask;
  },
): Promise<LiveAsks> {
  const { filter, clock, keep = (ask) => ask } = options;
  const pending = new Map<string, Ask>();
  const drafts = new Set<string>();
  const over = new Set<string>();
  const listeners = new Set<LiveListener>();
  const stop = new AbortController();
  let awaited: ReadonlySet<string> = new Set();
  let checked: ReadonlySet<string> = new Set();
  let unknown: ReadonlyMap<string, readonly string[]> = new Map();
  let ended: readonly EndedEntry[] = [];
  let isLoaded = false;
  let awaySince: number | undefined;
  let failure: unknown;
  let cancelCheck: (() => void) | undefined;
  let checking = false;

  const changed = (): void => {
    for (const listener of [...listeners]) listener.changed();
  };

  // Whatever is older was there before; the server's clock says so, and not ours. Read beside the first list.
  const newest = inbox.list({ ...filter, status: "pending" }, { limit: 1, order: "newest" });
  let knownUntil = 0;

  const take = (ask: Ask): void => {
    const known = pending.get(ask.id);
    if (ask.outcome === undefined) {
      // An older event may come after we have ended it ourselves.
      if (over.has(ask.id)) return;
      pending.set(ask.id, keep(ask));
      if (known === undefined && ask.createdAt > knownUntil) {
        for (const listener of [...listeners]) listener.arrived?.(ask);
        checkIn(CHECK_NEW_MS);
      }
    } else end(ask.id, ask.outcome);
    changed();
  };
  const end = (id: string, outcome: Outcome): void => {
    const ask = pending.get(id);
    if (ask === undefined) return;
    pending.delete(id);
    over.add(id);
    const entry = { ask, outcome };
    ended = [entry, ...ended].slice(0, MOST_ENDED);
    for (const listener of [...listeners]) listener.ended?.(entry);
  };

  const check = async (): Promise<void> => {
    if (checking || stop.signal.aborted) return;
    checking = true;
    const before = [...pending.values()];
    try {
      const page = await inbox.list({ ...filter, status: "pending" }, { limit: CHECKED });
      checked = new Set(page.asks.map(({ id }) => id));
      awaited = new Set(page.awaited ?? []);
      unknown = new Map((page.unknown ?? []).map(({ ask, people }) => [ask, people]));
      awaySince = undefined;
      isLoaded = true;
      const last = page.next === undefined ? Number.POSITIVE_INFINITY : (page.asks.at(-1)?.createdAt ?? 0);
      const gone = before.filter(({ id, createdAt }) => createdAt < last && !checked.has(id));
      for (const { id } of gone) await lookAgain(id);
    } catch (error) {
      failed(error);
    } finally {
      checking = false;
      if (!stop.signal.aborted) {
        checkIn(CHECK_MS);
        changed();
      }
    }
  };
  /** A watch that began anew after a gap says nothing about what ended in it. */
  const lookAgain = async (id: string): Promise<void> => {
    try {
      take(await inbox.get(id));
    } catch (error) {
      if (codeOf(error) !== "not_found") throw error;
      pending.delete(id);
    }
  };
  const checkIn = (delay: number): void => {
    if (stop.signal.aborted) return;
    cancelCheck?.();
    cancelCheck = clock.schedule(delay, () => void check());
  };
  const failed = (error: unknown): void => {
    if (stop.signal.aborted) return;
    if (isPassing(error)) awaySince ??= clock.now();
    else failure = error;
  };

  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted && failure === undefined) {
      try {
        for await (const ask of inbox.watch(filter, { signal: stop.signal })) {
          await newest;
          take(ask);
        }
      } catch (error) {
        if (codeOf(error) !== "position_trimmed") failed(error);
      }
      if (stop.signal.aborted) return;
      changed();
      await new Promise<void>((resolve) => {
        const done = (): void => {
          cancel();
          resolve();
        };
        const cancel = clock.schedule(1_000, done);
        stop.signal.addEventListener("abort", done, { once: true });
      });
    }
  };

  const unlisten = inbox.onDraft(
    (hint) => {
      drafts.add(hint.askId);
      for (const listener of [...listeners]) listener.draft?.(hint);
      changed();
    },
    () => {
      for (const listener of [...listeners]) listener.missed?.();
    },
  );
  const watching = watch();
  try {
    knownUntil = (await newest).asks[0]?.createdAt ?? 0;
  } catch (error) {
    stop.abort();
    unlisten();
    throw error;
  }
  void check();

  return {
    get entries() {
      return [...pending.values()]
        .sort((one, other) => one.createdAt - other.createdAt)
        .map((ask) => ({
          ask,
          awaited: checked.has(ask.id) ? awaited.has(ask.id) : undefined,
          unknown: unknown.get(ask.id) ?? [],
          draft: drafts.has(ask.id),
        }));
    },
    get size() {
      return pending.size;
    },
    get ended() {
      return ended;
    },
    get isLoaded() {
      return isLoaded;
    },
    get awaySince() {
      return awaySince;
    },
    get failure() {
      return failure;
    },
    isPending: (id) => pending.has(id),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end(id, outcome) {
      end(id, outcome);
      changed();
    },
    async close() {
      stop.abort();
      cancelCheck?.();
      unlisten();
      await watching;
    },
  };
}

/** Whether trying again may help. A revoked token does not come back. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  const retry = code === undefined ? undefined : meaningOf(code).retry;
  return retry === "here" || retry === "elsewhere";
}

/** The code of an error of ours, also of one that was made by another copy of this package, as in a web page. */
export function codeOf(error: unknown): ErrorCode | undefined {
  const { code } = isRecord(error) || error instanceof Error ? (error as { readonly code?: unknown }) : {};
  return ERROR_CODES.find((known) => known === code);
}
