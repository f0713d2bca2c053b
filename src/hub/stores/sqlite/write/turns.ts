const LONGEST_MS = 10;

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Keeps readers from starving writes and timers. Reads are synchronous, so a loop of reads would never leave its turn
 * of the event loop. The returned function returns undefined, or a promise to await if the turn has taken too long.
 */
export function createTurns(): () => Promise<void> | undefined {
  let since: number | undefined;
  return () => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(() => {
        since = undefined;
      });
      return undefined;
    }
    return performance.now() - since < LONGEST_MS ? undefined : nextTurn();
  };
}
