// What a bridge to a running agent does whatever the agent is: it connects again after each outage, and works on several
// requests at once.

import { createBackoff } from "../../client/retries.js";
import { sleep } from "../../client/signals.js";
import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import { messageOf } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";

export interface BridgeHost {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Calls `connect` again whenever it ends, until the signal aborts. Each outage is one warning, until `onReady` is called. */
export async function stayConnected(
  agent: string,
  { signal, logger, clock }: BridgeHost,
  connect: (onReady: () => void) => Promise<void>,
): Promise<void> {
  const backoff = createBackoff(Math.random);
  let isDown = false;
  while (!signal.aborted) {
    try {
      await connect(() => {
        isDown = false;
        backoff.reset();
      });
    } catch (error) {
      if (signal.aborted) break;
      // `fetch` hides why it failed.
      const why = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      if (!isDown) logger.warn(`${agent} cannot be reached, trying again: ${messageOf(why)}`);
      isDown = true;
    }
    await sleep(clock, backoff.next(), signal).catch(() => undefined);
  }
}

export interface Tasks {
  /** A task that fails is one warning, unless the bridge has ended. */
  run(task: Promise<unknown>): void;
  done(): Promise<unknown>;
}

export function createTasks(agent: string, { signal, logger }: Omit<BridgeHost, "clock">): Tasks {
  const tasks = new Set<Promise<unknown>>();
  return {
    run(task) {
      const own: Promise<unknown> = task
        .catch((error: unknown) => {
          if (!signal.aborted) logger.warn(`${agent}: ${messageOf(error)}`);
        })
        .finally(() => tasks.delete(own));
      tasks.add(own);
    },
    done: () => Promise.all(tasks),
  };
}

/** The same error, unless `what` cannot be shown here: then it says where to answer. */
export function notShowable(error: unknown, what: string, agent: string): unknown {
  return error instanceof AsklineError && error.code === "invalid_ask"
    ? new Error(`${what} cannot be shown here, answer it in ${agent}: ${error.message}`)
    : error;
}
