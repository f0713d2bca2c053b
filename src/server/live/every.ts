// What a server does again and again while something is open.

import type { Clock, Logger } from "../../core/index.js";

/**
 * A revoked token loses what it has open within a second, half of which it may be remembered for; with very many
 * tokens, in as many turns as it takes.
 */
const CHECK_MS = 500;

/** Runs the task again and again; the result stops that. */
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
  let isTold = false;
  const run = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      await check();
      isTold = false;
    } catch (error) {
      if (!isTold) logger.warn("the credentials of what is open could not be checked", error);
      isTold = true;
    } finally {
      isChecking = false;
    }
  };
  return every(clock, CHECK_MS, () => void run());
}
