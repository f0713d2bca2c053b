import { describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../src/hub/index.ts";
import { SuiteFailure } from "../../src/testing/check.ts";
import { runSuite, storeSuite } from "../../src/testing/index.ts";
import { checkLives } from "../hub/stores/model/check-model.ts";
import { testSuite } from "../support/run-suite.ts";
import { sharedMemoryHarness } from "../support/shared-memory-harness.ts";
import { memoryHarness } from "../support/store-harness.ts";
import { BROKEN_STORES } from "./broken-stores.ts";

testSuite("the store suite on a store without a mistake", storeSuite, sharedMemoryHarness());

describe("the store suite on a store with one mistake", () => {
  it.each(BROKEN_STORES)("notices that $name", async ({ caughtBy, harness }) => {
    const cases = storeSuite.filter(({ name }) => caughtBy.includes(name));
    expect(cases.map(({ name }) => name).sort()).toEqual([...caughtBy].sort());
    const results = await runSuite(cases, harness(), { timeoutMs: 10_000 });
    expect(results.filter(({ kind }) => kind !== "failed")).toEqual([]);
  });

  it("has a mistake for every case, so that every case can fail", () => {
    const noticed = new Set(BROKEN_STORES.flatMap(({ caughtBy }) => caughtBy));
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
