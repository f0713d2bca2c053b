import type { Clock } from "../../core/index.js";
import type { Hub, Store } from "../../hub/index.js";

/** What every channel works with. */
export interface ChannelContext {
  readonly hub: Hub;
  readonly store: Store;
  readonly clock: Clock;
  /** How long a receiver may take to respond. */
  readonly timeoutMs: number;
}
