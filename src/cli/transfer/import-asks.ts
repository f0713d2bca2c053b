// Brings the asks of an archive into a store, each with its events in one transaction. What is there stays as it
// is: importing twice changes nothing, and an ask that differs from its namesake is told, never overwritten.

import { isRecord } from "../../core/index.js";
import { parsePerson } from "../../core/parse-answerer.js";
import { OPENED_NAMESPACE, openedKey } from "../../hub/ask-records.js";
import type { Store } from "../../hub/index.js";
import { createShowings } from "../../hub/showings.js";
import type { AskLine } from "./format.js";
import { type Found, isSame, type PretendedAsks } from "./pretended-asks.js";

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
