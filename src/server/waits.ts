// Requests that are held until an ask ends. A request leaves nothing behind: not when it is answered, not
// when its time is over, not when its sender hangs up.

import { type Ask, AsklineError, type Clock } from "../core/index.js";
import type { Hub, Waiting } from "../hub/index.js";
import type { HangUp } from "./node-requests.js";

export const CLOSING = "the server is closing; try again, here or at another one of the same store";

export interface Waits {
  /**
   * The ask as it stands when it has ended, the time is over, or the sender is gone. Rejects with `closed` when the
   * server closes first: the sender can go on waiting elsewhere.
   */
  hold(id: string, waiting: Waiting, seconds: number, hangUp: HangUp): Promise<Ask>;
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

  return {
    async hold(id, waiting, seconds, hangUp) {
      let giveUp = (): void => undefined;
      const givenUp = new Promise<undefined>((resolve, reject) => {
        giveUp = () => (closed ? reject(new AsklineError("closed", CLOSING)) : resolve(undefined));
      });
      held.add(giveUp);
      const cancel = clock.schedule(seconds * 1_000, giveUp);
      const forget = hangUp(giveUp);
      if (closed) giveUp();
      try {
        return (await Promise.race([waiting.ended, givenUp])) ?? (await hub.get(id));
      } finally {
        held.delete(giveUp);
        waiting.stop();
        cancel();
        forget();
      }
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
      for (const giveUp of [...held]) giveUp();
    },
  };
}
