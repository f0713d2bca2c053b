// Brings the asks of an archive into a store, each with its events in one transaction. What is there stays as it
// is: importing twice changes nothing, and an ask that differs from its namesake is told, never overwritten.

import { type Ask, canonicalJson, isRecord, type Json } from "../../core/index.js";
import { parsePerson } from "../../core/parse-answerer.js";
import { OPENED_NAMESPACE, openedKey } from "../../hub/ask-records.js";
import type { Restored, Store } from "../../hub/index.js";
import { createShowings } from "../../hub/showings.js";
import type { AskLine } from "./format.js";

/** What became of one ask. */
export type Imported =
  | { readonly kind: "imported" | "known" }
  | { readonly kind: "conflict"; readonly message: string };

export async function importAsk(store: Store, line: AskLine, dryRun: boolean): Promise<Imported> {
  const { ask } = line;
  const found = dryRun ? await look(store, ask) : await restore(store, line);
  switch (found?.kind) {
    case undefined:
    case "restored":
      return { kind: "imported" };
    case "known":
      if (same(found.ask, ask)) return { kind: "known" };
      return {
        kind: "conflict",
        message: `${ask.id} is there already and differs: it is ${found.ask.status} here and ${ask.status} in the file`,
      };
    case "taken":
      return {
        kind: "conflict",
        message: `the key of ${ask.id} is used in its session by ${found.ask.id}, which is there already`,
      };
  }
}

async function look(store: Store, { id }: Ask): Promise<Restored | undefined> {
  const ask = await store.asks.get(id);
  return ask && { kind: "known", ask };
}

async function restore(store: Store, { ask, events, shown = [] }: AskLine): Promise<Restored> {
  const restored = await store.asks.restore({ ask, events });
  if (restored.kind === "taken" || !same(restored.ask, ask)) return restored;
  // So that a look that was told before is not told again. Lost with a crash, they come with the next import.
  const showings = createShowings(store);
  for (const { type, data } of events) {
    const by = type === "ask.opened" && isRecord(data) ? parsePerson(data.by) : undefined;
    if (by === undefined) continue;
    await store.records.put(OPENED_NAMESPACE, openedKey(ask.id, by.id, by.surface), true, { expect: null });
  }
  for (const showing of shown) await showings.record(ask.id, showing);
  return restored;
}

function same(one: Ask, other: Ask): boolean {
  return canonicalJson(one as unknown as Json) === canonicalJson(other as unknown as Json);
}
