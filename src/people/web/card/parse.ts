import { isRecord } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import { requireAsk } from "../../../core/rules/parse-ask.js";
import type { CardAsk } from "../types.js";

/** An ask as the card shows it, from what an agent asked. Throws with every problem if it cannot be asked. */
export function parsedAsk(source: CardAsk): Ask {
  const { id, ...input } = source as Record<string, unknown>;
  const stored = isRecord(input.outcome)
    ? { outcome: input.outcome as unknown as NonNullable<Ask["outcome"]> }
    : {};
  const { timeoutMs, ...request } = requireAsk(
    Object.fromEntries(Object.entries(input).filter(([key]) => !OURS.has(key))) as Parameters<
      typeof requireAsk
    >[0],
  );
  const now = Date.now();
  return {
    ...request,
    id: typeof id === "string" ? id : "",
    status: stored.outcome?.kind ?? "pending",
    createdAt: now,
    ...(timeoutMs !== undefined && { deadline: now + timeoutMs }),
    ...stored,
    ...(typeof input.settledAt === "number" && { settledAt: input.settledAt }),
  };
}

/** What a stored ask has beyond a request. */
const OURS: ReadonlySet<string> = new Set([
  "status",
  "createdAt",
  "asker",
  "owner",
  "transcript",
  "overdue",
  "settledAt",
  "outcome",
]);
