// PostgreSQL's time, which all nodes share, without a query for each reading: its offset from our monotonic clock is
// measured at the start and every minute. Small drift is followed. A jump is ignored, because no ask may expire just
// because the server's clock was changed.

import type { Clock } from "../../../../core/kit/clock.js";
import type { Logger } from "../../../../core/kit/logger.js";
import { type Database, statement } from "./database.js";

export interface DatabaseClock {
  now(): number;
  /** Measures the offset again. */
  adjust(): Promise<void>;
}

const SAMPLES = 5;
const MOST_DRIFT_MS = 5_000;
const read = statement("select (extract(epoch from clock_timestamp()) * 1000)::text as now");

export async function createDatabaseClock(
  database: Database,
  clock: Clock,
  logger: Logger,
): Promise<DatabaseClock> {
  let offset = await measureOffset(database, clock);
  let latest = 0;
  let warned = false;
  return {
    now() {
      latest = Math.max(latest, Math.floor(offset + clock.monotonic()));
      return latest;
    },
    async adjust() {
      const measured = await measureOffset(database, clock);
      const drift = measured - offset;
      if (Math.abs(drift) <= MOST_DRIFT_MS) {
        offset = measured;
        warned = false;
      } else if (!warned) {
        warned = true;
        const seconds = (drift / 1000).toFixed(1);
        logger.warn(`PostgreSQL's clock jumped by ${seconds} s; deadlines keep to the time before the jump`);
      }
    },
  };
}

/** Uses the sample with the shortest round trip, which has the smallest error. */
async function measureOffset(database: Database, clock: Clock): Promise<number> {
  let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const sent = clock.monotonic();
    const [row] = await database.query<{ readonly now: string }>(read, []);
    const received = clock.monotonic();
    const roundTrip = received - sent;
    if (roundTrip < best.roundTrip) {
      best = { roundTrip, offset: Number(row?.now) - (sent + received) / 2 };
    }
  }
  return best.offset;
}
