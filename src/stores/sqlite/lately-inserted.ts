// What is known of the asks that were inserted last, by whoever inserted them: most of them end soon, and then need
// not be looked up first. What is remembered may be wrong by then (the insert was taken back, or another process has
// changed the row), so whoever relies on it has the update check it.

import type { Database } from "./driver.js";

export interface InsertedAsk {
  readonly position: number;
  readonly deadline: number | null;
}

const MOST = 1_000;

const inserted = new WeakMap<Database, Map<string, InsertedAsk>>();

export function rememberInserted(database: Database, id: string, ask: InsertedAsk): void {
  let asks = inserted.get(database);
  if (asks === undefined) {
    asks = new Map();
    inserted.set(database, asks);
  }
  asks.set(id, ask);
  const [oldest] = asks.size > MOST ? asks.keys() : [];
  if (oldest !== undefined) asks.delete(oldest);
}

/** Once: whoever looks is about to change it. */
export function recallInserted(database: Database, id: string): InsertedAsk | undefined {
  const asks = inserted.get(database);
  const ask = asks?.get(id);
  if (ask !== undefined) asks?.delete(id);
  return ask;
}
