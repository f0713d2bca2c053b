import { describe, expect, it } from "vitest";
import { runnable } from "../../src/testing/index.ts";
import type { SuiteCase, SuiteHarness } from "../../src/testing/suite.ts";

/**
 * One test a case. What a harness lacks is a test too, so that a reader of the results sees what was left
 * out and why.
 */
export function testSuite<Harness extends SuiteHarness<Need>, Need extends string>(
  name: string,
  cases: readonly SuiteCase<Harness, Need>[],
  harness: Harness,
): void {
  describe(name, () => {
    const { cases: ready, leftOut } = runnable(cases, harness);
    for (const one of ready) it(one.name, () => one.run(harness));
    const reasons = groupByReason(leftOut);
    for (const [reason, names] of reasons) {
      it(`leaves out ${names.length} cases, ${reason}`, () => {
        expect(names.length).toBeLessThan(cases.length);
      });
    }
  });
}

function groupByReason(
  leftOut: readonly { readonly case: { readonly name: string }; readonly reason: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { case: one, reason } of leftOut) groups.set(reason, [...(groups.get(reason) ?? []), one.name]);
  return groups;
}
