// Brings the asks of an archive into a store, each with its events in one transaction. What is there stays as it
// is: importing twice changes nothing, and an ask that differs from its namesake is told, never overwritten.

import { createHash } from "node:crypto";
import { type Ask, canonicalJson, isRecord, type Json } from "../../core/index.js";
import { parsePerson } from "../../core/rules/parse-answerer.js";
import type { Store } from "../../hub/index.js";
import { OPENED_NAMESPACE, openedKey } from "../../hub/records/ask-records.js";
import { createShowings } from "../../hub/records/showings.js";
import type { AskLine } from "./format.js";

/** What became of one ask. */
export type Imported =
  | { readonly kind: "imported" | "known" }
  | { readonly kind: "conflict"; readonly message: string };

/** Where it is to be pretended, nothing is stored. */
export async function importAsk(store: Store, line: AskLine, pretended?: PretendedAsks): Promise<Imported> {
  const { ask } = line;
  const found = pretended === undefined ? await restore(store, line) : await pretended.look(ask);
  switch (found?.kind) {
    case undefined:
      return { kind: "imported" };
    case "known":
      if (found.same) return { kind: "known" };
      return {
        kind: "conflict",
        message: `${ask.id} is there already and differs: it is ${found.status} here and ${ask.status} in the file`,
      };
    case "taken":
      return {
        kind: "conflict",
        message: `the key of ${ask.id} is used in its session by ${found.id}, which is there already`,
      };
  }
}

/** What was in its way, if anything. */
async function restore(store: Store, { ask, events, shown = [] }: AskLine): Promise<Found | undefined> {
  const restored = await store.asks.restore({ ask, events });
  if (restored.kind === "taken") return { kind: "taken", id: restored.ask.id };
  if (!isSame(restored.ask, ask)) return { kind: "known", same: false, status: restored.ask.status };
  // So that a look that was told before is not told again. Lost with a crash, they come with the next import.
  const showings = createShowings(store);
  for (const { type, data } of events) {
    const by = type === "ask.opened" && isRecord(data) ? parsePerson(data.by) : undefined;
    if (by === undefined) continue;
    await store.records.put(OPENED_NAMESPACE, openedKey(ask.id, by.id, by.surface), true, { expect: null });
  }
  for (const showing of shown) await showings.record(ask.id, showing);
  return restored.kind === "known" ? { kind: "known", same: true, status: restored.ask.status } : undefined;
}

// What an import would find, without importing: what is in the store, and what lines before would have put there.

/** What is in the way of an ask. */
type Found =
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

function isSame(one: Ask, other: Ask): boolean {
  return canonicalJson(one as unknown as Json) === canonicalJson(other as unknown as Json);
}

function digestOf(ask: Ask): string {
  return createHash("sha256")
    .update(canonicalJson(ask as unknown as Json))
    .digest("base64url");
}
