// The rows of one ask written to SQLite by hand: what is left for a durable store to be compared with. Two writes a
// cycle, each with its event: the ask, then its settlement.
import { runAlone } from "../cycles.mjs";
import { openRowsByHand } from "../rows-by-hand.mjs";
import { fourQuestions } from "../sample-ask.mjs";

export async function openSqliteByHand(sample = fourQuestions) {
  const rows = await openRowsByHand(sample);
  return {
    cycle: async () => rows.settle(await rows.ask()),
    close: async () => rows.close(),
  };
}

await runAlone(import.meta.url, "SQLite by hand", openSqliteByHand);
