import type { Ask } from "../../core/model/ask.js";
import { deliverAsk } from "../../core/model/delivery.js";
import type { AskEvent } from "../../core/model/event.js";
import type { Posted } from "./http/post.js";
import type { Attempt } from "./outbox/lane.js";

/** The body of a webhook, in the shape that Standard Webhooks recommends. */
export function eventBody(
  { type, at, position }: Pick<AskEvent, "type" | "at" | "position">,
  data: object,
): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: { position, ...data } });
}

/** The body of a callback: the outcome, and what the agent needs to find its place. */
export function outcomeBody(ask: Ask): string {
  const { id, session, key, agentId, status, outcome, settledAt = ask.createdAt, metadata } = deliverAsk(ask);
  return JSON.stringify({
    type: `ask.${status}`,
    timestamp: new Date(settledAt).toISOString(),
    data: { askId: id, session, key, agentId, status, outcome, metadata },
  });
}

/** What the response of a receiver means. */
export function attemptOf(posted: Posted): Attempt {
  if (posted.kind !== "response") return posted;
  const { status, retryAfterMs } = posted;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  // The receiver is gone for good.
  if (status === 410) return { kind: "refused", reason: "HTTP 410: the receiver is gone" };
  const reason =
    status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
  return { kind: "failed", reason, retryAfterMs };
}
