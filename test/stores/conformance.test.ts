import { afterAll } from "vitest";
import { storeSuite } from "../../src/testing/index.ts";
import { testSuite } from "../support/run-suite.ts";
import { memoryHarness } from "../support/store-harness.ts";
import { sqliteHarness } from "./sqlite/sqlite-harness.ts";

// PostgreSQL has a file of its own, so that a run of this one needs no server.
const sqlite = sqliteHarness();
afterAll(() => sqlite.remove());

testSuite("the store suite on memory", storeSuite, memoryHarness());
testSuite("the store suite on SQLite", storeSuite, sqlite);
