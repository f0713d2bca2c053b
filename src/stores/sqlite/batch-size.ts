// How many writes go into one transaction, where others can go on meanwhile. One large transaction makes everyone
// wait for all of it, and then it waits for everyone; of small ones, each pays for its commit. So it is as many
// as make the commit itself a small part of the whole, on whatever disk this is.

const FEWEST = 16;
/** The writes of a transaction take at least so many times as long as its commit. */
const TIMES = 4;
/** How much one measurement counts. */
const WEIGHT = 0.2;

export interface BatchSize {
  readonly best: number;
  /** A transaction of so many writes took so long, and its commit alone so long, in milliseconds. */
  measured(writes: number, writingMs: number, committingMs: number): void;
}

export function createBatchSize(most: number): BatchSize {
  let perWrite: number | undefined;
  let perCommit = 0;
  const mean = (before: number, now: number): number => before + WEIGHT * (now - before);
  return {
    get best() {
      if (perWrite === undefined || perWrite === 0) return most;
      return Math.min(most, Math.max(FEWEST, Math.ceil((TIMES * perCommit) / perWrite)));
    },
    measured(writes, writingMs, committingMs) {
      perCommit = perWrite === undefined ? committingMs : mean(perCommit, committingMs);
      perWrite = perWrite === undefined ? writingMs / writes : mean(perWrite, writingMs / writes);
    },
  };
}
