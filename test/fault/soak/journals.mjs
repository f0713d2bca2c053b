// What the processes of a soak know, from their journals: by ask, and by session and key.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readJournal } from "./journal.mjs";

/** What an outage makes a client give up with; it comes back. */
const OUTAGES = new Set([
  ...["unreachable", "closed", "aborted", "overloaded", "rate_limited", "request_timeout"],
  ...["store_unavailable", "store_busy", "position_trimmed"],
]);

export async function readJournals(folder) {
  const known = {
    /** By session and key: how often it was asked, the outcome as text, the ids that it was known by. */
    asks: new Map(),
    /** By ask: what was acknowledged, what was told instead. */
    acknowledged: new Map(),
    refused: new Map(),
    /** What must not be told to anybody who asks or answers as they should. */
    failures: [],
    outages: 0,
    resumed: 0,
    longestSilenceMs: 0,
  };
  const times = [];
  for (const name of await readdir(folder)) {
    for (const record of await readJournal(join(folder, name))) take(known, record, times);
  }
  times.sort((one, other) => one - other);
  for (let index = 1; index < times.length; index += 1) {
    known.longestSilenceMs = Math.max(known.longestSilenceMs, times[index] - times[index - 1]);
  }
  return known;
}

function take(known, record, times) {
  const { type, askId, outcome } = record;
  if (type === "asked") askOf(known, record);
  else if (type === "resumed") known.resumed += 1;
  else if (type === "got") {
    const ask = askOf(known, record);
    ask.outcomes.add(ending(outcome));
    if (askId !== undefined) ask.ids.add(askId);
    times.push(record.at);
  } else if (type === "acknowledged") add(known.acknowledged, askId, ending(outcome));
  else if (type === "refused") add(known.refused, askId, ending(outcome));
  else if (type === "failed" && OUTAGES.has(record.code)) known.outages += 1;
  else if (type === "failed") known.failures.push(`${record.code}: ${record.message}`);
}

function askOf({ asks }, { session, number }) {
  const name = nameOf(session, `k${number}`);
  const known = asks.get(name) ?? { outcomes: new Set(), ids: new Set() };
  asks.set(name, known);
  return known;
}

function add(map, id, text) {
  map.set(id, (map.get(id) ?? new Set()).add(text));
}

export function nameOf(session, key) {
  return `${session} ${key}`;
}

/** What is stored of an outcome: its choices are derived from the ask. */
function ending(outcome) {
  return canonical({ ...outcome, choices: undefined });
}

/** JSON in which the order of fields does not count. */
export function canonical(value) {
  return JSON.stringify(value, (_name, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
