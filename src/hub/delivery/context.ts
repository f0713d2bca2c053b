import type { Clock } from "../../core/kit/clock.js";
import type { Hub } from "../seam/port.js";
import type { Store } from "../seam/store.js";

/** What every channel works with. */
export interface ChannelContext {
  readonly hub: Hub;
  readonly store: Store;
  readonly clock: Clock;
  /** How long a receiver may take to respond. */
  readonly timeoutMs: number;
}
