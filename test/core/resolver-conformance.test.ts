import { resolverOf, toOutcome, type ValidEnding, withTimeout } from "../../src/index.ts";
import { fakeClock, type ResolverHarness, resolverSuite, type Script } from "../../src/testing/index.ts";
import { testSuite } from "../support/run-suite.ts";

const BY = { kind: "person", id: "local", surface: "function" } as const;

const keepsNothing = "a function keeps no asks";
const functionHarness: ResolverHarness = {
  person: "local",
  lacks: {
    clock: "a function has no deadlines; withTimeout gives it one",
    keys: keepsNothing,
    rejection: "an answer that does not fit is an error of the function, not of a person",
  },
  open: async (script) => ({ resolver: resolverOf(resolveBy(script)), close: async () => undefined }),
};

testSuite("the resolver suite on a function", resolverSuite, functionHarness);

testSuite("the resolver suite on a function with a timeout", resolverSuite, {
  ...functionHarness,
  lacks: { ...functionHarness.lacks, clock: "the time is the wrapper's, not the ask's own" },
  open: async (script) => ({
    resolver: withTimeout(resolverOf(resolveBy(script)), 3_600_000, { clock: fakeClock() }),
    close: async () => undefined,
  }),
});

/** A script as what `resolverOf` takes. It decides about the parsed ask, as a person would. */
function resolveBy(script: Script): Parameters<typeof resolverOf>[0] {
  return async (ask) => {
    const ending = await script(ask, {});
    if (ending.type === "leave") return new Promise(() => undefined);
    // resolverOf validates the answers and puts them in order.
    return toOutcome(ending as ValidEnding, BY);
  };
}
