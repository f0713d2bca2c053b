const LONGEST_MS = 10;

/** The next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Sees to it that readers leave turns to others. A read is done when it returns, so a loop of nothing but
 * reads would go on and on within one turn, and neither a write nor a timer would get through. The returned
 * function gives a promise to wait for where the turn has lasted long enough, and else nothing.
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
