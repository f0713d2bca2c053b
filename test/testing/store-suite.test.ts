import { describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../src/hub/index.ts";
import { SuiteFailure } from "../../src/testing/check.ts";
import { runSuite, storeSuite } from "../../src/testing/index.ts";
import { checkLives } from "../hub/stores/model/check-model.ts";
import { testSuite } from "../support/run-suite.ts";
import { sharedMemoryHarness } from "../support/shared-memory-harness.ts";
import { memoryHarness } from "../support/store-harness.ts";
import { brokenSources, MISTAKES } from "./broken-store.ts";

testSuite("the store suite on a store without a mistake", storeSuite, sharedMemoryHarness());

// mistakes.soak.ts makes the mistakes and lets the suite find them.
describe("the mistakes that the store suite must notice", () => {
  it.each(MISTAKES)("still apply to the source: $name", (mistake) => {
    expect(brokenSources(mistake).size).toBeGreaterThan(1);
    const cases = storeSuite.filter(({ name }) => mistake.caughtBy.includes(name));
    expect(cases.map(({ name }) => name).sort()).toEqual([...mistake.caughtBy].sort());
  });

  it("cover every case, so that every case can fail", () => {
    const noticed = new Set(MISTAKES.flatMap(({ caughtBy }) => caughtBy));
    expect(storeSuite.map(({ name }) => name).filter((name) => !noticed.has(name))).toEqual([]);
  });
});

describe("a store that reports every settle as applied", () => {
  it("fails the suite with the expected and the actual value", async () => {
    const [result] = await runSuite(
      storeSuite.filter(({ name }) => name === "a settled ask is not settled again"),
      memoryHarness(everySettleApplied),
    );
    expect(result).toMatchObject({ kind: "failed", error: expect.any(SuiteFailure) });
    expect(String(result?.kind === "failed" && result.error)).toMatch(
      /^SuiteFailure: the second: expected \{"applied":false,.*, got \{"applied":true,.*\(first difference at \.applied\)$/,
    );
  });

  it("is noticed by random lives", async () => {
    const lives = checkLives(memoryHarness(everySettleApplied), 2_000, { endOnFailure: true });
    await expect(lives).rejects.toThrow(/Property failed/);
  });
});

function everySettleApplied(): Store {
  const store = memoryStore();
  const { asks } = store;
  const change: typeof asks.change = async (id, wanted, append) => {
    const changed = await asks.change(id, wanted, append);
    return changed && wanted.kind === "settle" ? { ...changed, applied: true } : changed;
  };
  return { ...store, asks: { ...asks, change } };
}
