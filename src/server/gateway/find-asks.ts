// Finds the asks that a host names in `resume` or `…withdrawn`. They are looked up by the host's name and key, in the
// index that keeps keys unique, and what is read counts in the rate of the token.

import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { askerOf, maySee } from "../../core/model/visibility.js";
import type { KeyUse } from "../../hub/seam/store.js";
import type { Principal } from "../access/principal.js";
import type { Services } from "../routing/call.js";
import { chargeRead } from "../routing/visible-asks.js";

export interface FoundByKey {
  readonly key: string;
  readonly asks: readonly Ask[];
  readonly areAll: boolean;
}

/** A key in this many sessions is unclear, whatever it names in each. */
const MOST_USES = 8;

/**
 * For each key, the asks of this host with it, and whether these are all of them: of one session, if given. They are read one key at a time, so that many
 * large asks are never in memory at once.
 */
export async function* findByKeys(
  services: Pick<Services, "hub" | "rateLimits" | "clock">,
  principal: Principal,
  keys: readonly string[],
  session?: string,
): AsyncGenerator<FoundByKey, void, void> {
  const { hub, rateLimits, clock } = services;
  if (keys.length === 0) return;
  const query = { ...askerOf(principal), keys, limit: MOST_USES, ...defined({ session }) };
  const found = new Map<string, KeyUse[]>(keys.map((key) => [key, []]));
  for (const use of await hub.findKeys(query)) found.get(use.key)?.push(use);
  for (const [key, uses] of found) {
    const asks = (await read(hub, uses)).filter((ask) => maySee(principal, ask));
    const wait = chargeRead(rateLimits, principal, asks);
    yield { key, asks, areAll: uses.length < MOST_USES };
    if (wait > 0) await new Promise<void>((resolve) => void clock.schedule(wait, resolve));
  }
}

async function read(hub: Services["hub"], uses: readonly KeyUse[]): Promise<readonly Ask[]> {
  const asks: Ask[] = [];
  for (const { id } of uses) {
    try {
      asks.push(await hub.get(id));
    } catch (error) {
      // Pruned meanwhile.
      if (!(error instanceof AsklineError && error.code === "not_found")) throw error;
    }
  }
  return asks;
}
