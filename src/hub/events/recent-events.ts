import { askSize } from "../seam/ask-size.js";
import type { Committed } from "../seam/store.js";

/**
 * The events that this process wrote last, kept so that those who follow the log need not read them back. It
 * holds a run without gaps: an event that another process wrote in between ends it, and is in the log.
 */
export interface RecentEvents {
  /** The events of one commit. */
  add(events: readonly Committed[]): void;
  /** Something was written to the log that is not known here: who has not read it must read the log. */
  clear(): void;
  /** All events above this position that are known; undefined where only the log can tell. */
  after(position: number): readonly Committed[] | undefined;
}

/** Characters of the asks that are kept with them. A few commits of very large asks would fill the memory. */
const LARGEST_SIZE = 4 * 1024 * 1024;

export function createRecentEvents(largestSize: number = LARGEST_SIZE): RecentEvents {
  // Followers look at once. One who is further behind than two commits reads the log.
  let before: readonly Committed[] = [];
  let latest: readonly Committed[] = [];
  let latestSize = 0;
  return {
    add(events) {
      const run = lastRun(events);
      const size = sizeOf(run);
      const continues =
        run.length === events.length && follows(latest, run) && latestSize + size <= largestSize;
      before = continues ? latest : [];
      latest = size <= largestSize ? run : [];
      latestSize = size <= largestSize ? size : 0;
    },
    clear() {
      before = [];
      latest = [];
      latestSize = 0;
    },
    after(position) {
      const last = latest.at(-1)?.position;
      const first = (before[0] ?? latest[0])?.position;
      if (first === undefined || last === undefined) return undefined;
      if (position < first - 1 || position >= last) return undefined;
      const older = before.filter((event) => event.position > position);
      return older.length === 0 ? latest.filter((event) => event.position > position) : [...older, ...latest];
    },
  };
}

function follows(one: readonly Committed[], other: readonly Committed[]): boolean {
  const last = one.at(-1);
  return last !== undefined && other[0]?.position === last.position + 1;
}

function sizeOf(events: readonly Committed[]): number {
  let size = 0;
  for (const { ask } of events) size += askSize(ask);
  return size;
}

/** The end of a list from its last gap on. */
function lastRun(events: readonly Committed[]): readonly Committed[] {
  const gap = events.findLastIndex(
    ({ position }, index) => index > 0 && events[index - 1]?.position !== position - 1,
  );
  return gap < 0 ? events : events.slice(gap);
}
