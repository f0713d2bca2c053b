import type { Tracing } from "../core/index.js";
import type { Hub } from "./hub-port.js";

/** `hub.ask` within a span that tells how the ask ended. */
export function tracedAsk(ask: Hub["ask"], tracing: Tracing): Hub["ask"] {
  return (input, options) =>
    tracing.span("askline.ask", {}, async (span) => {
      const outcome = await ask(input, options);
      span.set({ "askline.outcome": outcome.kind });
      return outcome;
    });
}
