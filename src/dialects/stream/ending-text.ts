import { type AskContent, describeOutcome, type Outcome } from "../../core/index.js";

/** How a request ended, for the agent. Time that ran out is nobody's rejection, and must not read like one. */
export function endingText(ask: AskContent, outcome: Outcome): string {
  const text = describeOutcome(ask, outcome);
  return outcome.kind === "expired" ? `Not answered in time. ${text}` : text;
}
