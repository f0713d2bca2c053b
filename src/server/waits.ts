// Requests that are held until an ask ends. A request leaves nothing behind: not when it is answered, not
// when its time is over, not when its sender hangs up.

import { type Ask, AsklineError, type Clock } from "../core/index.js";
import type { Hub, Waiting } from "../hub/index.js";
import type { HangUp } from "./node-requests.js";

export const CLOSING = "the server is closing; try again, here or at another one of the same store";

export interface Waits {
  /**
   * The ask as it stands when it has ended, the time is over, or the sender is gone. Rejects with `closed` when the
   * server closes first: whoever waits goes on elsewhere.
   */
  hold(id: string, seconds: number, hangUp: HangUp): Promise<Ask>;
  readonly size: number;
  /** Counts a held response that is sent by itself, until it is. */
  countApart(response: Promise<void>): void;
  readonly apart: number;
  /** Lets go of everyone who is held. */
  close(): void;
}

export function createWaits(hub: Hub, clock: Clock): Waits {
  /** What ends each wait that is held. */
  const held = new Set<() => void>();
  let closed = false;
  let apart = 0;

  // As few promises, closures and signals as it takes: there are thousands of these at a time.
  const over = (waiting: Waiting, seconds: number, hangUp: HangUp): Promise<void> =>
    new Promise((resolve, reject) => {
      let forget = (): void => undefined;
      const stop = (): void => {
        held.delete(end);
        waiting.stop();
        cancel();
        forget();
      };
      const end = (): void => {
        stop();
        if (closed) reject(new AsklineError("closed", CLOSING));
        else resolve();
      };
      const fail = (error: unknown): void => {
        stop();
        reject(error);
      };
      const cancel = clock.schedule(seconds * 1_000, end);
      held.add(end);
      waiting.outcome.then(end, fail);
      forget = hangUp(end);
      if (closed) end();
    });

  return {
    async hold(id, seconds, hangUp) {
      const waiting = (await hub.attend(id)).waiting;
      if (waiting !== undefined) await over(waiting, seconds, hangUp);
      return hub.get(id);
    },
    get size() {
      return held.size;
    },
    countApart(response) {
      apart += 1;
      void response.finally(() => {
        apart -= 1;
      });
    },
    get apart() {
      return apart;
    },
    close() {
      closed = true;
      for (const end of [...held]) end();
    },
  };
}
