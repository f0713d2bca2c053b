// Whether a database holds nothing but valid asks, each with a life as it should be. Reads the store itself: what
// a hub might mend or hide is seen here.

import { deepStrictEqual } from "node:assert/strict";
import { OUTCOME_KINDS } from "../../../src/core/model/kinds.ts";
import { EVENT_LOG } from "../../../src/hub/seam/store.js";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.ts";
import {
  type Ask,
  endingOf,
  type Outcome,
  parseAsk,
  systemClock,
  validateEnding,
} from "../../../src/index.ts";

export interface StoreReport {
  readonly asks: number;
  readonly settled: number;
  readonly events: number;
}

/** Throws at the first thing that is not as it should be. */
export async function checkStore(path: string): Promise<StoreReport> {
  const store = sqliteStore({ path });
  await store.open({ clock: systemClock, logger: console });
  try {
    const created = new Map<string, number>();
    const endings = new Map<string, string[]>();
    let events = 0;
    for (;;) {
      const entries = await store.logs.read(EVENT_LOG, { after: events, limit: 1_000 });
      if (entries.length === 0) break;
      for (const { position, type, subject = "" } of entries) {
        events += 1;
        deepStrictEqual(position, events, "the log has a gap");
        if (type === "ask.created") created.set(subject, (created.get(subject) ?? 0) + 1);
        const kind = OUTCOME_KINDS.find((known) => type === `ask.${known}`);
        if (kind !== undefined) endings.set(subject, [...(endings.get(subject) ?? []), kind]);
      }
    }
    let settled = 0;
    const ids = [...created.keys()];
    for (let from = 0; from < ids.length; from += 200) {
      const wanted = ids.slice(from, from + 200);
      const asks = await store.asks.getMany(wanted);
      deepStrictEqual(asks.length, wanted.length, "an ask is gone");
      for (const ask of asks) {
        checkAsk(ask);
        deepStrictEqual(created.get(ask.id), 1, `${ask.id} was created once`);
        deepStrictEqual(
          endings.get(ask.id) ?? [],
          ask.outcome === undefined ? [] : [ask.outcome.kind],
          ask.id,
        );
        if (ask.outcome !== undefined) settled += 1;
      }
    }
    return { asks: ids.length, settled, events };
  } finally {
    await store.close();
  }
}

function checkAsk(ask: Ask): void {
  const { id, status, createdAt, asker, transcript, overdue, settledAt, outcome, ...content } = ask;
  const parsed = parseAsk(content);
  if (!parsed.ok) throw new Error(`${id} is no valid ask: ${JSON.stringify(parsed.issues)}`);
  deepStrictEqual(parsed.ask, content, `${id} is not as it was parsed`);
  deepStrictEqual(status, outcome?.kind ?? "pending", id);
  deepStrictEqual(settledAt === undefined, outcome === undefined, id);
  deepStrictEqual(typeof asker, "string", `${id} was asked by somebody`);
  if (outcome !== undefined) checkOutcome(ask, outcome);
}

function checkOutcome(ask: Ask, outcome: Outcome): void {
  const ending = endingOf(outcome);
  if (ending !== undefined) {
    deepStrictEqual(validateEnding(ask, ending, { anyRemember: true }), { ok: true, ending }, ask.id);
  } else if (outcome.kind === "expired") deepStrictEqual(ask.deadline === undefined, false, ask.id);
  else deepStrictEqual("reason" in outcome ? typeof outcome.reason : "string", "string", ask.id);
}
