// The person's side of the hub, as far as it ends an ask; what an agent reports that a person did elsewhere, too.

import { type EndingMethods, endingMethods } from "../../core/model/ending.js";
import type { AsklineError } from "../../core/model/error.js";
import type { Hub } from "../seam/port.js";
import type { Settling } from "./settling.js";

export type Endings = Pick<Hub, "settle" | "report" | keyof EndingMethods<never, never>>;

/** `closed` is the error of a hub that was closed. */
export function createEndings(settling: Settling, closed: () => AsklineError | undefined): Endings {
  // Not async: that would add a microtask turn to each answer.
  const settle: Settling["settle"] = (...call) => {
    const error = closed();
    return error === undefined ? settling.settle(...call) : Promise.reject(error);
  };
  // `options?.`: an untyped caller may omit the options, and must get a rejection, not a synchronous throw.
  const settleAs: Hub["settle"] = (id, ending, options) =>
    settle(id, ending, options?.by, options?.settlementId);

  return {
    settle: settleAs,
    ...endingMethods(settleAs),
    // Async: an untyped caller may omit the options.
    async report(id, ending, { person, surface, via, settlementId }) {
      return settle(id, ending, { kind: "person", id: person, surface, via }, settlementId);
    },
  };
}
