// A store without persistence: for tests, for trying Askline out, and as the oracle for the durable stores.
// Each call does its work synchronously, so every call is a transaction.

import type { Committed, Store } from "../../seam/store.js";
import { steadyNow } from "../../seam/store-kit.js";
import { createAsks } from "./asks.js";
import { createLogs } from "./logs.js";
import { createRecords } from "./records.js";

/** A store in memory. Its data is not persisted. */
export function memoryStore(): Store {
  const state = { open: false, now: (): number => 0 };
  const logs = createLogs(state);
  const records = createRecords(state, logs);
  const listeners = new Set<{ readonly call: (events: readonly Committed[]) => void }>();
  const tell = (event: Committed): void => {
    for (const { call } of listeners) call([event]);
  };
  return {
    name: "memory",
    asks: createAsks(state, logs, records, tell),
    logs: logs.port,
    records: records.port,
    async open({ clock }) {
      state.now = steadyNow(clock);
      state.open = true;
    },
    async close() {
      state.open = false;
    },
    now: () => state.now(),
    watch: () => () => undefined,
    onCommit(listener) {
      const entry = { call: listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}
