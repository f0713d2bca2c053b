import { afterAll, expect, it } from "vitest";
import { memoryHarness } from "../support/store-harness.ts";
import { checkModel } from "./model/check-model.ts";
import { postgresHarness } from "./postgres/postgres-harness.ts";
import { sqliteHarness } from "./sqlite/sqlite-harness.ts";

const sqlite = sqliteHarness();
afterAll(() => sqlite.remove());

// Not about the store but about the test: an oracle that disagreed with itself would prove nothing.
it("memory lives as memory does, whatever happens", { timeout: 60_000 }, async () => {
  expect(await checkModel(memoryHarness(), 1_000)).toBeGreaterThan(5);
});

it("SQLite lives as memory does, whatever happens", { timeout: 120_000 }, async () => {
  expect(await checkModel(sqlite, 8_000)).toBeGreaterThan(5);
});

it("PostgreSQL lives as memory does, whatever happens", { timeout: 120_000 }, async () => {
  expect(await checkModel(postgresHarness(), 8_000)).toBeGreaterThan(5);
});
