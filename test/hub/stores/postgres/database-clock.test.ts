import { expect, it } from "vitest";
import type { Database } from "../../../../src/hub/stores/postgres/database/database.js";
import { createDatabaseClock } from "../../../../src/hub/stores/postgres/database/database-clock.js";
import { fakeClock } from "../../../../src/testing/index.ts";
import { freshSchema } from "../../../support/shared-postgres.ts";
import { openStore, quiet } from "./open-store.ts";

function serverTime(at: { now: number }): Database {
  return { query: async () => [{ now: String(at.now) }] } as unknown as Database;
}

it("counts on from the server's time by the monotonic clock", async () => {
  const clock = fakeClock();
  const server = { now: 1_000_000.7 };
  const time = await createDatabaseClock(serverTime(server), clock, quiet);
  expect(time.now()).toBe(1_000_000);
  clock.jumpWall(86_400_000);
  await clock.advance(500);
  expect(time.now()).toBe(1_000_500);
});

it("follows small drift and never goes back", async () => {
  const clock = fakeClock();
  const server = { now: 1_000_000 };
  const time = await createDatabaseClock(serverTime(server), clock, quiet);
  server.now += 300;
  await time.adjust();
  expect(time.now()).toBe(1_000_300);
  server.now -= 200;
  await time.adjust();
  expect(time.now()).toBe(1_000_300);
  await clock.advance(500);
  expect(time.now()).toBe(1_000_600);
});

it.each([86_400_000, -86_400_000])("does not follow a jump of %d ms, and says so once", async (jump) => {
  const clock = fakeClock();
  const server = { now: 100_000_000 };
  const warnings: string[] = [];
  const time = await createDatabaseClock(serverTime(server), clock, {
    warn: (message) => warnings.push(message),
    error: () => undefined,
  });
  server.now += jump;
  await time.adjust();
  await time.adjust();
  expect(time.now()).toBe(100_000_000);
  expect(warnings).toEqual([expect.stringContaining("PostgreSQL's clock jumped")]);
});

it("is close to the clock of a server on this machine", async () => {
  const store = await openStore({ schema: freshSchema() });
  // A busy machine may wait for seconds between the two; a wrong unit or time zone would be far more.
  expect(Math.abs(store.now() - Date.now())).toBeLessThan(60_000);
});
