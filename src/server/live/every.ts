// Periodic work while something is open.

import type { Clock, Logger } from "../../core/index.js";

/**
 * A revoked token loses what it has open within a second, half of which it may be remembered for; with very many
 * tokens, in as many turns as it takes.
 */
const CHECK_MS = 500;

/** Runs the task periodically; the result stops it. */
export function every(clock: Clock, milliseconds: number, task: () => void): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.schedule(milliseconds, () => {
      arm();
      task();
    });
  };
  arm();
  return () => cancel();
}

/**
 * Has credentials checked again and again, one check at a time: while a store hangs, they would heap up. That they
 * fail is told once, until one succeeds.
 */
export function everyCheck(clock: Clock, logger: Logger, check: () => Promise<void>): () => void {
  let isChecking = false;
  let isLogged = false;
  const run = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      await check();
      isLogged = false;
    } catch (error) {
      if (!isLogged) logger.warn("failed to check the credentials of open connections", error);
      isLogged = true;
    } finally {
      isChecking = false;
    }
  };
  return every(clock, CHECK_MS, () => void run());
}
