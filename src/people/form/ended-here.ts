import { isRecord } from "../../core/kit/json.js";
import type { Ask } from "../../core/model/ask.js";
import { toOutcome, type ValidEnding } from "../../core/model/ending.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";

/**
 * The ask after an ending that no inbox stores. Its outcome is the one that the page reports, by itself or in an ask, or
 * else what was sent.
 */
export function endedHere(ask: Ask, ending: ValidEnding, by: Answerer, reported: unknown): Ask {
  const found = isRecord(reported) && "outcome" in reported ? reported.outcome : reported;
  // What a page reports is its own affair.
  const outcome = isRecord(found) && "kind" in found ? (found as unknown as Outcome) : toOutcome(ending, by);
  return { ...ask, status: outcome.kind, outcome, settledAt: Date.now() };
}
