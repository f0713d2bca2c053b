import { createHub, memoryStore, type Store } from "../../src/hub/index.ts";
import type { Resolver } from "../../src/index.ts";
import {
  type FakeClock,
  fakeClock,
  type ResolverHarness,
  type Script,
  scriptedAnswerer,
} from "../../src/testing/index.ts";

const logger = { warn: () => undefined, error: () => undefined };

export interface HubHarnessOptions {
  readonly store?: () => Store;
  /** What agents get instead of the hub. */
  readonly resolver?: (hub: Resolver, clock: FakeClock) => Resolver;
  /** What the person does instead of the script. */
  readonly script?: (script: Script) => Script;
}

/** A hub of its own for each case, with a person who watches it. */
export function hubHarness({
  store = memoryStore,
  resolver = (hub) => hub,
  script: change = (script) => script,
}: HubHarnessOptions = {}): ResolverHarness {
  const clock = fakeClock();
  return {
    clock,
    person: "ana",
    async open(script) {
      const hub = await createHub({ store: store(), clock, logger });
      const answerer = scriptedAnswerer(hub, change(script), { person: "ana" });
      return {
        resolver: resolver(hub, clock),
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
