import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createHub, memoryStore, type Store } from "../../src/hub/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { fakeClock, type ResolverHarness, resolverSuite, scriptedAnswerer } from "../../src/testing/index.ts";
import { testSuite } from "../support/run-suite.ts";

const folder = mkdtempSync(join(tmpdir(), "askline-resolver-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

testSuite("the resolver suite on a hub in memory", resolverSuite, hubHarness(memoryStore));
testSuite(
  "the resolver suite on a hub over SQLite",
  resolverSuite,
  hubHarness(() => {
    files += 1;
    return sqliteStore({ path: join(folder, `${files}.db`) });
  }),
);

function hubHarness(createStore: () => Store): ResolverHarness {
  const clock = fakeClock();
  const logger = { warn: () => undefined, error: () => undefined };
  return {
    clock,
    person: "ana",
    async open(script) {
      const hub = await createHub({ store: createStore(), clock, logger });
      const answerer = scriptedAnswerer(hub, script, { person: "ana" });
      return {
        resolver: hub,
        async close() {
          try {
            await answerer.close();
          } finally {
            await hub.close();
          }
        },
      };
    },
  };
}
