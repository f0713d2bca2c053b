import { afterAll, expect, it } from "vitest";
import { checkFor } from "./model/check-model.ts";
import { postgresHarness } from "./postgres/postgres-harness.ts";
import { sqliteHarness } from "./sqlite/sqlite-harness.ts";

const milliseconds = Number(process.env.ASKLINE_SOAK_MINUTES ?? 1) * 60_000;
const sqlite = sqliteHarness();
afterAll(() => sqlite.remove());

it.each([
  { name: "SQLite", harness: sqlite },
  { name: "PostgreSQL", harness: postgresHarness() },
])("$name lives as memory does, for a long time", async ({ name, harness }) => {
  const lives = await checkFor(harness, milliseconds);
  console.log(`${name}: ${lives} random lives, each as memory's`);
  expect(lives).toBeGreaterThan(0);
});
