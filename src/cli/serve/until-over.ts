import type { AsklineError } from "../../core/index.js";
import type { Store } from "../../hub/index.js";

/** What ends a server: a signal that asks for it, or a store that can be written no more. */
export interface Over {
  /** Aborts for either. */
  readonly signal: AbortSignal;
  /** Why it cannot go on; undefined where it was asked to end. */
  readonly fault: AsklineError | undefined;
}

/**
 * A server without a store that it can write to is of no use, and does not become so again. So it ends, and whoever
 * watches over it starts a new one: opened anew by a new process, the file is as it was last committed.
 */
export function untilOver(store: Pick<Store, "onBroken">, interrupted: AbortSignal): Over {
  const controller = new AbortController();
  let fault: AsklineError | undefined;
  store.onBroken?.((reason) => {
    fault = reason;
    controller.abort();
  });
  return {
    signal: AbortSignal.any([interrupted, controller.signal]),
    get fault() {
      return fault;
    },
  };
}
