import { EVENT_LOG, type Restored, type RestoredAsk } from "../store.js";
import type { AskEntry, AskMaps } from "./ask-entry.js";
import type { Logs } from "./logs.js";
import { snapshot } from "./snapshot.js";

/** Stores an ask that another store has kept, with its events. */
export function restoreAsk(
  { byId, byKey, pending, keyOf }: AskMaps,
  logs: Logs,
  { ask: given, events }: RestoredAsk,
): Restored {
  const ask = snapshot(given);
  const known = byId.get(ask.id);
  if (known !== undefined) return { kind: "known", ask: known.ask };
  const key = keyOf(ask);
  const taken = key === undefined ? undefined : byKey.get(key);
  if (taken !== undefined) return { kind: "taken", ask: taken.ask };
  const [position = 0] = logs.write(events.map((event) => ({ log: EVENT_LOG, subject: ask.id, ...event })));
  const entry: AskEntry = { ask, position, leasedUntil: 0 };
  byId.set(ask.id, entry);
  if (ask.status === "pending") pending.set(ask.id, entry);
  if (key !== undefined) byKey.set(key, entry);
  return { kind: "restored", ask };
}
