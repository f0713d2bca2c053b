import type { ServerResponse } from "node:http";
import type { Clock } from "../../core/index.js";
import type { ServerLimits } from "../limits.js";

/** What the doors of a node server need to know. */
export interface DoorContext {
  readonly clock: Clock;
  readonly limits: Required<ServerLimits>;
  /** Whether the server stops: then no connection is kept for another request. */
  readonly isClosing: () => boolean;
}

/**
 * Cuts off who does not take the response that was written. A reader that is merely slow keeps going, by as much as
 * a stream may hold for it in the same time. Costs nothing where all of it went out at once, as it mostly does.
 */
export function cutOffSlowReader(outgoing: ServerResponse, { clock, limits }: DoorContext): void {
  let left = outgoing.writableLength;
  if (left === 0) return;
  let cancel = (): void => undefined;
  const watch = (): void => {
    cancel = clock.schedule(limits.slowReaderMs, () => {
      const taken = left - outgoing.writableLength;
      if (taken < Math.min(left, limits.streamBuffer)) return void outgoing.destroy();
      left = outgoing.writableLength;
      watch();
    });
  };
  watch();
  outgoing.once("close", () => cancel());
}
