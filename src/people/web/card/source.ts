// Where the ask of a card comes from: the page, as it was stored or as an agent asks it, or a client that has it.

import { isRecord } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import type { Outcome } from "../../../core/model/outcome.js";
import type { CardAsk, CardClient } from "../types.js";

/** The ask to show, whole. */
export async function askFrom(source: CardAsk | string, client: CardClient | undefined): Promise<Ask> {
  if (typeof source === "string") return (client as CardClient).get(source);
  if (!isStored(source)) return (await import("./parse.js")).parsedAsk(source);
  return client !== undefined && lacksPreviews(source) ? client.get(source.id) : source;
}

/** The ask's end, however the client reports it. */
export async function follow(
  client: CardClient,
  ask: Ask,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    if (client.wait !== undefined) return await client.wait(ask.id, { signal });
    for await (const changed of client.watch({ session: ask.session }, { signal })) {
      if (changed.id === ask.id && changed.outcome !== undefined) return changed.outcome;
    }
  } catch {
    // Closed, or not allowed to wait: what is sent still learns how the ask ended.
  }
  return undefined;
}

function isStored(ask: CardAsk): ask is Ask {
  return typeof ask.id === "string" && "status" in ask && "createdAt" in ask && Array.isArray(ask.questions);
}

/** Whether it comes from a list, which leaves out what is large. */
function lacksPreviews({ questions }: Ask): boolean {
  return questions.some(({ options }) => options.some(({ preview }) => preview?.omitted));
}

export function outcomeOf(source: unknown): Outcome | undefined {
  return isRecord(source) && isRecord(source.outcome) ? (source.outcome as unknown as Outcome) : undefined;
}

/** Frameworks give an equal object each time they render. */
export function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (!isRecord(before) || !isRecord(after)) return false;
  if (typeof before.id === "string" && before.id !== "") return before.id === after.id;
  return JSON.stringify(before) === JSON.stringify(after);
}
