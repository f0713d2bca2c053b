// Requests that are held until an ask ends. A request leaves nothing behind: not when it is answered, not
// when its time is over, not when its sender hangs up.

import { type Ask, AsklineError, type Clock } from "../core/index.js";
import type { Hub } from "../hub/index.js";
import type { HangUp } from "./node-requests.js";

export const CLOSING = "the server is closing; try again, here or at another one of the same store";

export interface Waits {
  /**
   * The ask as it stands when it has ended, the time is over, or the sender is gone. Rejects with `closed` when the
   * server closes first: whoever waits goes on elsewhere.
   */
  hold(id: string, seconds: number, hangUp: HangUp): Promise<Ask>;
  /** Counts a held response that is sent by itself, until it is. */
  countApart(response: Promise<void>): void;
  readonly apart: number;
  /** Lets go of everyone who is held. */
  close(): void;
}

export function createWaits(hub: Hub, clock: Clock): Waits {
  const held = new Set<AbortController>();
  let closed = false;
  let apart = 0;
  return {
    async hold(id, seconds, hangUp) {
      const stop = new AbortController();
      const end = (): void => stop.abort();
      const cancel = clock.schedule(seconds * 1_000, end);
      const forget = hangUp(end);
      if (closed) end();
      held.add(stop);
      try {
        await hub.wait(id, { signal: stop.signal });
      } catch (error) {
        if (!stop.signal.aborted) throw error;
        if (closed) throw new AsklineError("closed", CLOSING);
      } finally {
        held.delete(stop);
        cancel();
        forget();
      }
      return hub.get(id);
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
      for (const stop of held) stop.abort();
    },
  };
}
