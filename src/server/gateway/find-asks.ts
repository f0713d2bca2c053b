// Finds the asks that a host names in `resume` or `…withdrawn`, among the newest asks that it may see.
//
// One search of a connection reads at a time. Keys that are asked for meanwhile are looked for together in the next one,
// and what is read counts in the rate of the token: many small frames must not cost a search each.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ask } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import { maySee, visibleFilter } from "../../core/model/visibility.js";
import type { Principal } from "../access/principal.js";
import type { Services } from "../routing/call.js";
import { chargeRead } from "../routing/visible-asks.js";

// A host that reconnects resumes recent asks. For older ones, sending the question again finds it.
const PAGE = 500;
const MOST_PAGES = 4;

/** Asks with one of these keys; of one session, where one is given. */
export type FindByKeys = (keys: ReadonlySet<string>, session?: string) => Promise<readonly Ask[]>;

interface Search {
  readonly keys: Set<string>;
  readonly found: Promise<readonly Ask[]>;
}

export function createFindByKeys(
  services: Pick<Services, "hub" | "rateLimits" | "clock">,
  principal: Principal,
): FindByKeys {
  /** Searches that have not started, by session. */
  const planned = new Map<string | undefined, Search>();
  let last: Promise<unknown> = Promise.resolve();

  const plan = (session: string | undefined): Search => {
    const keys = new Set<string>();
    const found = last.then(() => {
      planned.delete(session);
      return search(services, principal, keys, session);
    });
    last = found.catch(() => undefined);
    const planning = { keys, found };
    planned.set(session, planning);
    return planning;
  };

  return async (keys, session) => {
    if (keys.size === 0) return [];
    const own = planned.get(session) ?? plan(session);
    for (const key of keys) own.keys.add(key);
    return (await own.found).filter(({ key }) => keys.has(key ?? ""));
  };
}

async function search(
  { hub, rateLimits, clock }: Pick<Services, "hub" | "rateLimits" | "clock">,
  principal: Principal,
  keys: ReadonlySet<string>,
  session: string | undefined,
): Promise<readonly Ask[]> {
  const filter = { ...visibleFilter(principal), ...defined({ session }) };
  const found: Ask[] = [];
  for (let read = 0, after: string | undefined; read < MOST_PAGES; read += 1) {
    const { asks, next } = await hub.list(filter, { limit: PAGE, order: "newest", ...defined({ after }) });
    found.push(...asks.filter((ask) => keys.has(ask.key ?? "") && maySee(principal, ask)));
    const wait = chargeRead(rateLimits, principal, asks);
    after = next;
    if (after === undefined) break;
    if (wait > 0) await new Promise<void>((resolve) => void clock.schedule(wait, resolve));
    else await nextTurn();
  }
  return found;
}
