import { afterAll, it } from "vitest";
import { memoryHarness } from "../../support/store-harness.ts";
import { checkLives } from "./model/check-model.ts";
import { postgresHarness } from "./postgres/postgres-harness.ts";
import { sqliteHarness } from "./sqlite/sqlite-harness.ts";

const sqlite = sqliteHarness();
afterAll(() => sqlite.remove());

// Not about the store but about the test: an oracle that disagreed with itself would prove nothing.
it("memory lives as memory does, whatever happens", async () => {
  await checkLives(memoryHarness(), 20);
});

it("SQLite lives as memory does, whatever happens", async () => {
  await checkLives(sqlite, 25);
});

it("PostgreSQL lives as memory does, whatever happens", async () => {
  await checkLives(postgresHarness(), 6);
});
