// The agent's side of the hub: asks, waits for their ends, and takes them back.

import { abortReason, endOrWithdraw } from "../../core/rules/abort.js";
import { type ParseOptions, requireAsk } from "../../core/rules/parse-ask.js";
import type { Deliveries } from "../records/deliveries.js";
import type { Touches } from "../records/touches.js";
import type { Hub } from "../seam/port.js";
import type { Settling } from "./settling.js";
import { outcomeOf, type Submitting } from "./submitting.js";

export interface RequestParts {
  readonly parsing: ParseOptions;
  readonly submitting: Submitting;
  readonly settling: Settling;
  readonly deliveries: Deliveries;
  readonly touches: Touches;
  /** Throws once the hub is closed. */
  requireOpen(): void;
}

export type Requests = Pick<
  Hub,
  "submit" | "ask" | "post" | "attend" | "wait" | "isDelivered" | "delivered" | "withdraw"
>;

export function createRequests(parts: RequestParts): Requests {
  const { parsing, submitting, settling, deliveries, touches, requireOpen } = parts;
  const submit: Hub["submit"] = async (input, options = {}) => {
    requireOpen();
    return submitting.submit(requireAsk(input, parsing), options);
  };
  return {
    submit,

    async ask(input, { signal, ...options } = {}) {
      requireOpen();
      const request = requireAsk(input, parsing);
      if (signal?.aborted) return { kind: "withdrawn" };
      const submitted = await submitting.submit(request, options);
      return endOrWithdraw(signal, request, outcomeOf(submitted, signal, deliveries.mark), () =>
        settling.close(submitted.ask.id, { type: "withdraw" }),
      );
    },

    async post(input, options) {
      const { ask, waiting } = await submit(input, options);
      waiting?.stop();
      return ask;
    },

    async attend(id) {
      requireOpen();
      return submitting.attend(id);
    },

    async wait(id, { signal } = {}) {
      requireOpen();
      if (signal?.aborted) throw abortReason(signal);
      return outcomeOf(await submitting.attend(id), signal, deliveries.mark);
    },

    isDelivered: deliveries.isDelivered,
    delivered(ask) {
      touches.touch(ask);
      deliveries.mark(ask);
    },

    async withdraw(id, reason) {
      requireOpen();
      return settling.close(id, { type: "withdraw", reason });
    },
  };
}
