// Requests that are held until an ask ends. A request leaves nothing behind: not when it is answered, not
// when its time is over, not when its sender hangs up.

import type { Ask, Clock } from "../core/index.js";
import type { Hub } from "../hub/index.js";

export interface Waits {
  /** The ask as it stands when it has ended, the time is over, the sender is gone, or the server closes. */
  hold(id: string, seconds: number, hangUp: AbortSignal): Promise<Ask>;
  readonly size: number;
  /** Answers everyone who is held. */
  close(): void;
}

export function createWaits(hub: Hub, clock: Clock): Waits {
  const held = new Set<AbortController>();
  return {
    async hold(id, seconds, hangUp) {
      const stop = new AbortController();
      const end = (): void => stop.abort();
      const cancel = clock.schedule(seconds * 1_000, end);
      hangUp.addEventListener("abort", end, { once: true });
      if (hangUp.aborted) end();
      held.add(stop);
      try {
        await hub.wait(id, { signal: stop.signal });
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      } finally {
        held.delete(stop);
        cancel();
        hangUp.removeEventListener("abort", end);
      }
      return hub.get(id);
    },
    get size() {
      return held.size;
    },
    close() {
      for (const stop of held) stop.abort();
    },
  };
}
