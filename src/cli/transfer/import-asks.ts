// Imports the asks of an archive, each with its events in one transaction. Existing asks stay unchanged: importing
// twice changes nothing, and an ask that differs from the stored one is reported, never overwritten.

import { canonicalJson, isRecord, type Json } from "../../core/kit/json.js";
import type { Ask } from "../../core/model/ask.js";
import { askerIdentity } from "../../core/model/visibility.js";
import { parsePerson } from "../../core/rules/parse-answerer.js";
import { OPENED_NAMESPACE, openedKey } from "../../hub/records/ask-records.js";
import { recordDelivery } from "../../hub/records/deliveries.js";
import { NAME_NAMESPACE } from "../../hub/records/names.js";
import { createShowings } from "../../hub/records/showings.js";
import { sha256 } from "../../hub/seam/sha256.js";
import type { Store } from "../../hub/seam/store.js";
import { wantedName } from "../../server/gateway/names.js";
import type { AskLine } from "./format.js";

/** The result for one ask. */
export type Imported =
  | { readonly kind: "imported" | "known" }
  | { readonly kind: "conflict"; readonly message: string };

/** Imports an ask; with `dryRun`, only reports what an import would do. */
export async function importAsk(store: Store, line: AskLine, dryRun?: DryRunAsks): Promise<Imported> {
  const { ask } = line;
  const found = dryRun === undefined ? await restore(store, line) : await dryRun.add(ask);
  switch (found?.kind) {
    case undefined:
      return { kind: "imported" };
    case "known":
      if (found.same) return { kind: "known" };
      return {
        kind: "conflict",
        message: `${ask.id} already exists and differs: it is ${found.status} in the store and ${ask.status} in the file`,
      };
    case "taken":
      return {
        kind: "conflict",
        message: `the key of ${ask.id} is already used in its session by ${found.id}`,
      };
  }
}

/** Returns what was in the way, if anything. */
async function restore(store: Store, { ask, events, shown = [] }: AskLine): Promise<Found | undefined> {
  const restored = await store.asks.restore({ ask, events });
  if (restored.kind === "taken") return { kind: "taken", id: restored.ask.id };
  if (!isSame(restored.ask, ask)) return { kind: "known", same: false, status: restored.ask.status };
  // So that an opening is not reported a second time. If a crash loses these, the next import writes them.
  const showings = createShowings(store);
  for (const { type, data } of events) {
    const by = type === "ask.opened" && isRecord(data) ? parsePerson(data.by) : undefined;
    if (by === undefined) continue;
    await store.records.put(OPENED_NAMESPACE, openedKey(ask.id, by.id, by.surface), true, { expect: null });
  }
  for (const showing of shown) await showings.record(ask.id, showing);
  await recordDelivery(store, ask, ask.settledAt ?? 0);
  // A device may still send an answer under the name that it was shown the ask by.
  const name = wantedName(ask);
  if (name !== ask.id) {
    const given = await store.records.put(NAME_NAMESPACE, name, ask.id, { expect: null });
    // If the ask was pruned here, its name was to expire.
    if (!given.ok && given.current?.value === ask.id) await store.records.put(NAME_NAMESPACE, name, ask.id);
  }
  return restored.kind === "known" ? { kind: "known", same: true, status: restored.ask.status } : undefined;
}

// What a dry run would find: the asks in the store, and those that earlier lines would have added.

/** What prevents the import of an ask. */
type Found =
  | { readonly kind: "known"; readonly same: boolean; readonly status: Ask["status"] }
  /** Another ask has its asker, session and key. */
  | { readonly kind: "taken"; readonly id: string };

export interface DryRunAsks {
  /** Counts the ask as imported and returns undefined, or returns what prevents it. Call it for one ask at a time. */
  add(ask: Ask): Promise<Found | undefined>;
}

export function createDryRunAsks(store: Store): DryRunAsks {
  // Keeps only digests, since an archive may be larger than the memory.
  const asks = new Map<string, { readonly status: Ask["status"]; readonly digest: string }>();
  const keys = new Map<string, string>();
  return {
    async add(ask) {
      const { id, session, key, status } = ask;
      const known = await store.asks.get(id);
      if (known !== undefined) return { kind: "known", same: isSame(known, ask), status: known.status };
      const digest = digestOf(ask);
      const earlier = asks.get(id);
      if (earlier !== undefined)
        return { kind: "known", same: earlier.digest === digest, status: earlier.status };
      if (key !== undefined) {
        const name = JSON.stringify([askerIdentity(ask) ?? "", session, key]);
        const taken = (await store.asks.getByKey({ ...ask, key }))?.id ?? keys.get(name);
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
  return sha256(canonicalJson(ask as unknown as Json), "base64url");
}
