// The store that keeps nothing: for tests, for trying out, and as the oracle that the durable stores are
// checked against. Each call does its work in one go, so every call is a transaction.

import { steadyNow } from "../steady-clock.js";
import type { Store } from "../store.js";
import { createAsks } from "./asks.js";
import { createLogs } from "./logs.js";
import { createRecords } from "./records.js";

/** A store in memory. Everything is gone when it closes. */
export function memoryStore(): Store {
  const state = { open: false, now: (): number => 0 };
  const logs = createLogs(state);
  const records = createRecords(state, logs);
  return {
    name: "memory",
    asks: createAsks(state, logs, records),
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
  };
}
