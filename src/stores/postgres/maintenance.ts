import type { Context } from "./context.js";
import { statement } from "./database.js";
import type { DatabaseClock } from "./database-clock.js";
import { pause } from "./pause.js";
import { forgetDeletedSql, TOMBSTONE_MS } from "./records-sql.js";

const EVERY_MS = 60_000;

/** What is done once a minute: the clock is compared, and the traces of deleted records are removed. */
export function createMaintenance(
  { database, schema, now }: Context,
  clock: DatabaseClock,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const forgetDeleted = statement(forgetDeletedSql(schema));
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(EVERY_MS, stopping.signal, { idle: true });
      if (stopping.signal.aborted) return;
      // What fails is done a minute later; the calls of the store say what is wrong.
      await clock.adjust().catch(() => undefined);
      await database.query(forgetDeleted, [now() - TOMBSTONE_MS]).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
