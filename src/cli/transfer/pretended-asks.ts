// What an import would find, without importing: what is in the store, and what lines before would have put there.

import { createHash } from "node:crypto";
import { type Ask, canonicalJson, type Json } from "../../core/index.js";
import type { Store } from "../../hub/index.js";

/** What is in the way of an ask. */
export type Found =
  | { readonly kind: "known"; readonly same: boolean; readonly status: Ask["status"] }
  /** Another has its session and key. */
  | { readonly kind: "taken"; readonly id: string };

export interface PretendedAsks {
  /** Undefined where nothing is: from then on, this ask is. To be called for one after the other. */
  look(ask: Ask): Promise<Found | undefined>;
}

export function createPretendedAsks(store: Store): PretendedAsks {
  // Only what is needed to compare: an archive may hold more than there is memory.
  const asks = new Map<string, { readonly status: Ask["status"]; readonly digest: string }>();
  const keys = new Map<string, string>();
  return {
    async look(ask) {
      const { id, session, key, status } = ask;
      const known = await store.asks.get(id);
      if (known !== undefined) return { kind: "known", same: isSame(known, ask), status: known.status };
      const digest = digestOf(ask);
      const earlier = asks.get(id);
      if (earlier !== undefined)
        return { kind: "known", same: earlier.digest === digest, status: earlier.status };
      if (key !== undefined) {
        const name = JSON.stringify([session, key]);
        const taken = (await store.asks.getByKey(session, key))?.id ?? keys.get(name);
        if (taken !== undefined) return { kind: "taken", id: taken };
        keys.set(name, id);
      }
      asks.set(id, { status, digest });
      return undefined;
    },
  };
}

export function isSame(one: Ask, other: Ask): boolean {
  return canonicalJson(one as unknown as Json) === canonicalJson(other as unknown as Json);
}

function digestOf(ask: Ask): string {
  return createHash("sha256")
    .update(canonicalJson(ask as unknown as Json))
    .digest("base64url");
}
