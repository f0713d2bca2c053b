import type { Mistake } from "../broken-store.ts";

/** Mistakes with the contents of asks, logs and records. */
export const contentsMistakes: readonly Mistake[] = [
  {
    name: "lone surrogates are lost",
    in: "asks",
    replace: "const ask = snapshot(given);",
    by: 'const ask: Ask = JSON.parse(Buffer.from(JSON.stringify(given).replaceAll(/\\\\ud[89a-f]../g, "?")).toString());',
    caughtBy: ["texts of any kind are returned unchanged"],
  },
  {
    name: "names are normalised",
    in: "asks",
    replace: "const ask = snapshot(given);",
    by: 'const ask: Ask = { ...snapshot(given), session: given.session.normalize("NFKC") };',
    caughtBy: ["names are compared exactly"],
  },
  {
    name: "long texts are cut",
    in: "asks",
    replace: "const ask = snapshot(given);",
    by: "const ask: Ask = JSON.parse(JSON.stringify(given), (_key, value) => (typeof value === 'string' ? value.slice(0, 60_000) : value));",
    caughtBy: ["an ask at the limits is stored completely"],
  },
  {
    name: "large records are cut",
    in: "records",
    replace: "value: snapshot(value),",
    by: "value: JSON.parse(JSON.stringify(value), (_key, inner) => (typeof inner === 'string' ? inner.slice(0, 60_000) : inner)),",
    caughtBy: ["large records and log entries are stored completely"],
  },
  {
    name: "what is handed in is kept as it is",
    in: "state",
    replace: "Object.isFrozen(value) ? value : deepFreeze(structuredClone(value))",
    by: "value",
    caughtBy: ["changing an input afterwards does not change stored data"],
  },
  {
    name: "what is handed out can be changed",
    in: "state",
    replace: "deepFreeze(structuredClone(value))",
    by: "structuredClone(value)",
    caughtBy: ["changing a result does not change stored data"],
  },
];
