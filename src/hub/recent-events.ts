import type { Committed } from "./store.js";

/**
 * The events that this process wrote last, kept so that those who follow the log need not read them back. It
 * holds a run without gaps: an event that another process wrote in between ends it, and is in the log.
 */
export interface RecentEvents {
  add(events: readonly Committed[]): void;
  /** Something was written to the log that is not known here: who has not read it must read the log. */
  clear(): void;
  /** All events above this position that are known; undefined where only the log can tell. */
  after(position: number): readonly Committed[] | undefined;
}

// Followers look at once. One who is further behind than this reads the log.
const MOST = 128;

export function createRecentEvents(): RecentEvents {
  let run: Committed[] = [];
  return {
    add(events) {
      for (const event of events) {
        const last = run.at(-1);
        if (last !== undefined && event.position !== last.position + 1) run = [];
        run.push(event);
      }
      if (run.length > MOST) run = run.slice(-MOST / 2);
    },
    clear() {
      run = [];
    },
    after(position) {
      const first = run[0]?.position;
      const last = run.at(-1)?.position;
      if (first === undefined || last === undefined) return undefined;
      return position >= first - 1 && position < last ? run.slice(position + 1 - first) : undefined;
    },
  };
}
