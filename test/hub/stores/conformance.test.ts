import { afterAll } from "vitest";
import { openDatabase } from "../../../src/hub/stores/sqlite/file/driver.js";
import { storeSuite } from "../../../src/testing/index.ts";
import { testSuite } from "../../support/run-suite.ts";
import { memoryHarness } from "../../support/store-harness.ts";
import { sqliteHarness } from "./sqlite/sqlite-harness.ts";

// PostgreSQL has a file of its own, so that a run of this one needs no server.
const sqlite = sqliteHarness();
// As in a program that is bundled into one file, where there is no thread.
const local = sqliteHarness(openDatabase);
afterAll(() => {
  sqlite.remove();
  local.remove();
});

testSuite("the store suite on memory", storeSuite, memoryHarness());
testSuite("the store suite on SQLite", storeSuite, sqlite);
testSuite("the store suite on SQLite without a thread", storeSuite, local);
