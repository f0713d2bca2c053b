// One agent does not bury the others: of each, a list shows the first asks, of a muted one none, and one row stands
// for the rest until a person opens it. A person can decline all asks of one agent.

import type { Ask } from "../../core/model/ask.js";
import type { Ending } from "../../core/model/ending.js";
import { type Asker, askerIdentity, isAskedBy } from "../../core/model/visibility.js";
import { displayLine } from "../../core/text/display.js";
import type { InboxWords } from "../../core/words/terminal-inbox.js";
import { codeOf } from "./live-asks.js";

const MOST_OF_ONE = 20;
const AT_ONCE = 4;

/** What a row stands for: this many asks of one agent. */
export interface MoreOf {
  readonly agent: string;
  /** Identifies the agent, for `opened`. */
  readonly key: string;
  readonly count: number;
  readonly isMuted: boolean;
}

/** An ask of a list; with `more`, the first of those that the row stands for. */
export type Folded<Item> = Item & { readonly more?: MoreOf };

/**
 * The items in their order, without the rest of an agent that has many. By the agent's token: what an agent says about
 * itself could be another name in each ask.
 */
export function fold<Item extends { readonly ask: Ask }>(
  items: readonly Item[],
  opened: ReadonlySet<string> = new Set(),
  muted: readonly Asker[] = [],
): readonly Folded<Item>[] {
  const totals = new Map<string, number>();
  for (const { ask } of items) totals.set(keyOf(ask), (totals.get(keyOf(ask)) ?? 0) + 1);
  const places = new Map<string, number>();
  return items.flatMap((item) => {
    const key = keyOf(item.ask);
    const place = places.get(key) ?? 0;
    places.set(key, place + 1);
    const isMuted = isMutedIn(muted, item.ask);
    const most = isMuted ? 0 : MOST_OF_ONE;
    if (key === "" || place < most || opened.has(key)) return [item];
    const more = { agent: agentName(item.ask), key, count: (totals.get(key) ?? 0) - most, isMuted };
    return place === most ? [{ ...item, more }] : [];
  });
}

/** What a row says that stands for more asks. */
export function moreText(
  { agent, count, isMuted }: MoreOf,
  words: Pick<InboxWords, "moreOf" | "mutedOf">,
): string {
  return (isMuted ? words.mutedOf : words.moreOf)(count, agent);
}

/** How many asks the rows are or stand for. */
export function countOf(rows: readonly Folded<unknown>[]): number {
  return rows.reduce((sum, { more }) => sum + (more?.count ?? 1), 0);
}

export function isMutedIn(muted: readonly Asker[], ask: Asker): boolean {
  return muted.some((one) => isAskedBy(one, ask));
}

/** The verified name of an agent for a person to read, with the person it works for; empty if nobody verified one. */
export function agentName({ asker = "", owner }: Asker): string {
  return displayLine(owner === undefined ? asker : `${asker} (${owner})`);
}

/** The asks of the agent that sent this one. */
export function ofSameAgent(ask: Ask, items: readonly { readonly ask: Ask }[]): readonly Ask[] {
  return items.flatMap((item) => (keyOf(item.ask) === keyOf(ask) ? [item.ask] : []));
}

function keyOf(ask: Asker): string {
  return askerIdentity(ask) ?? "";
}

/** Declines asks and counts those that had not ended before. Stops at the first failure. */
export async function declineAll(
  asks: readonly Ask[],
  settle: (id: string, ending: Ending) => Promise<unknown>,
): Promise<{ readonly declined: number; readonly failure?: unknown }> {
  const waiting = [...asks];
  let declined = 0;
  let failure: unknown;
  const work = async (): Promise<void> => {
    for (let ask = waiting.shift(); ask !== undefined && failure === undefined; ask = waiting.shift()) {
      try {
        await settle(ask.id, { type: "decline" });
        declined += 1;
      } catch (error) {
        const code = codeOf(error);
        if (code !== "already_settled" && code !== "not_found") failure = error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { declined, failure };
}
