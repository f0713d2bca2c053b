import { describe, expect, it } from "vitest";
import { AsklineError } from "../../src/index.ts";
import { checkEqual, checkRejects } from "../../src/testing/check.ts";
import { runnable, runSuite, type StoreHarness, storeSuite } from "../../src/testing/index.ts";
import type { StoreNeed } from "../../src/testing/store-suite/harness.ts";
import type { SuiteCase, SuiteHarness } from "../../src/testing/suite.ts";
import { memoryHarness } from "../support/store-harness.ts";

type Case = SuiteCase<SuiteHarness<StoreNeed>, StoreNeed>;

const passes: Case = { name: "passes", needs: [], run: async () => undefined };
const fails: Case = {
  name: "fails",
  needs: [],
  run: async () => {
    throw new Error("broken");
  },
};

describe("a suite", () => {
  it("leaves out cases that the harness lacks, with the reason", async () => {
    const shares: Case = { ...passes, name: "shares", needs: ["second", "reopen"] };
    const harness = { lacks: { second: "one process only" } };
    const { cases, leftOut } = runnable([passes, shares], harness);
    expect(cases).toEqual([passes]);
    expect(leftOut).toEqual([{ case: shares, reason: "needs second: one process only" }]);
    expect(await runSuite([shares], harness)).toEqual([
      { name: "shares", kind: "left out", reason: "needs second: one process only" },
    ]);
  });

  it("continues after a case that fails or never ends", async () => {
    const hangs: Case = { name: "hangs", needs: [], run: () => new Promise<void>(() => undefined) };
    const results = await runSuite([fails, hangs, passes], {}, { timeoutMs: 20 });
    expect(results).toEqual([
      { name: "fails", kind: "failed", error: new Error("broken") },
      { name: "hangs", kind: "failed", error: new Error("took longer than 20 ms") },
      { name: "passes", kind: "passed" },
    ]);
  });

  it("fails if an ability is neither present nor declared in lacks", async () => {
    const { lacks: _undeclared, ...harness } = memoryHarness() as StoreHarness;
    const durable = storeSuite.filter(({ needs }) => needs.includes("reopen"));
    const results = await runSuite(durable.slice(0, 1), harness);
    expect(results).toMatchObject([{ kind: "failed" }]);
    expect(String(results[0]?.kind === "failed" && results[0].error)).toContain(
      "the harness has no reopen(); add it, or give the reason in lacks.reopen",
    );
  });

  it("has a unique name for each case", () => {
    expect(new Set(storeSuite.map(({ name }) => name)).size).toBe(storeSuite.length);
  });
});

describe("the suites' own assertions", () => {
  it("treat data as equal regardless of key order and undefined values", () => {
    checkEqual({ a: 1, b: { c: [null, "x"] } }, { b: { c: [null, "x"], d: undefined }, a: 1 }, "data");
  });

  it.each([
    [{ a: 1 }, { a: 2 }, "first difference at .a"],
    [{ a: [1, 2] }, { a: [1] }, "first difference at .a.length"],
    [{ a: null }, {}, "first difference at .a"],
    [[], {}, "expected {}, got []"],
    [0, -0, "expected 0, got 0"],
    ["1", 1, 'expected 1, got "1"'],
    [{ a: "x".repeat(500) }, { a: "y" }, "… (508 characters) (first difference at .a)"],
    [JSON.parse('{"__proto__":{"x":1}}'), {}, "first difference at .__proto__"],
  ])("tell %j and %j apart", (actual, expected, message) => {
    expect(() => checkEqual(actual, expected, "it")).toThrow(message);
  });

  it("require an error with the expected code", async () => {
    const closed = (): Promise<never> => Promise.reject(new AsklineError("closed", "closed"));
    expect((await checkRejects("closed", closed(), "it")).code).toBe("closed");
    await expect(checkRejects("aborted", closed(), "it")).rejects.toThrow("it: the error's code");
    await expect(checkRejects("closed", Promise.resolve(1), "it")).rejects.toThrow("got the result 1");
    await expect(checkRejects("closed", Promise.reject(new Error("x")), "it")).rejects.toThrow("Error: x");
  });
});
