import { askSize } from "../seam/ask-size.js";
import type { Committed } from "../seam/store.js";

/**
 * The last events that this process wrote, so that readers of the log need not read them back. They are always a run
 * without gaps: an event of another process ends the run, and must be read from the log.
 */
export interface RecentEvents {
  /** Adds the events of one commit. */
  add(events: readonly Committed[]): void;
  /** Forgets all events, because an unknown event was written: readers must read the log. */
  clear(): void;
  /** All events above this position. If undefined, read the log. */
  after(position: number): readonly Committed[] | undefined;
}

/** The most characters of asks to keep, because a few commits of very large asks would fill the memory. */
const LARGEST_SIZE = 4 * 1024 * 1024;

export function createRecentEvents(largestSize: number = LARGEST_SIZE): RecentEvents {
  // Two commits are enough: readers wake at once, and a slower one reads the log.
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

function follows(earlier: readonly Committed[], later: readonly Committed[]): boolean {
  const last = earlier.at(-1);
  return last !== undefined && later[0]?.position === last.position + 1;
}

function sizeOf(events: readonly Committed[]): number {
  let size = 0;
  for (const { ask } of events) size += askSize(ask);
  return size;
}

/** The events after the last gap. */
function lastRun(events: readonly Committed[]): readonly Committed[] {
  const gap = events.findLastIndex(
    ({ position }, index) => index > 0 && events[index - 1]?.position !== position - 1,
  );
  return gap < 0 ? events : events.slice(gap);
}
