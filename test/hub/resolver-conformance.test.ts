import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { resolverSuite } from "../../src/testing/index.ts";
import { hubHarness } from "../support/hub-harness.ts";
import { testSuite } from "../support/run-suite.ts";

const folder = mkdtempSync(join(tmpdir(), "askline-resolver-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

testSuite("the resolver suite on a hub in memory", resolverSuite, hubHarness());
testSuite(
  "the resolver suite on a hub over SQLite",
  resolverSuite,
  hubHarness({
    store: () => {
      files += 1;
      return sqliteStore({ path: join(folder, `${files}.db`) });
    },
  }),
);
