// A suite is data: cases with a name, with what they need of the harness, and with a function that throws
// where the thing under test breaks its contract. Any test runner can make its tests of that.

/** One case of a suite. */
export interface SuiteCase<Harness extends SuiteHarness<Need>, Need extends string> {
  readonly name: string;
  /** What the harness must be able to do for this case. */
  readonly needs: readonly Need[];
  run(harness: Harness): Promise<void>;
}

export interface SuiteHarness<Need extends string> {
  /**
   * What the thing under test cannot do, and why. The cases that need it are left out and listed with this
   * reason. What is not named here is expected to work.
   */
  readonly lacks?: { readonly [Name in Need]?: string };
}

export interface Runnable<Case> {
  readonly cases: readonly Case[];
  readonly leftOut: readonly { readonly case: Case; readonly reason: string }[];
}

/**
 * Which cases a harness can run, and which are left out and why.
 *
 * @example
 * const harness = { lacks: { second: "the file is locked by one process" } };
 * const cases = [{ name: "shares", needs: ["second"] as const, run: async () => {} }];
 * for (const { case: { name }, reason } of runnable(cases, harness).leftOut) console.log(name, reason);
 */
export function runnable<Harness extends SuiteHarness<Need>, Need extends string>(
  cases: readonly SuiteCase<Harness, Need>[],
  harness: NoInfer<Harness>,
): Runnable<SuiteCase<Harness, Need>> {
  const judged = cases.map((one) => ({ case: one, reason: reasonAgainst(one.needs, harness) }));
  return {
    cases: judged.flatMap((one) => (one.reason === undefined ? [one.case] : [])),
    leftOut: judged.flatMap(({ case: one, reason }) => (reason === undefined ? [] : [{ case: one, reason }])),
  };
}

function reasonAgainst<Need extends string>(
  needs: readonly Need[],
  harness: SuiteHarness<Need>,
): string | undefined {
  const reasons = needs.flatMap((need) => {
    const reason = harness.lacks?.[need];
    return reason === undefined ? [] : [`needs ${need}: ${reason}`];
  });
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

export type CaseResult =
  | { readonly name: string; readonly kind: "passed" }
  | { readonly name: string; readonly kind: "failed"; readonly error: unknown }
  | { readonly name: string; readonly kind: "left out"; readonly reason: string };

export interface RunOptions {
  /** How long one case may take, in milliseconds of real time. 30 seconds where nothing is said. */
  readonly timeoutMs?: number;
}

/**
 * Runs the cases one after the other and says of each how it went; never rejects because of a case.
 *
 * @example
 * const cases = [{ name: "adds", needs: [], run: async () => {} }];
 * const results = await runSuite(cases, {});
 * console.log(results.filter(({ kind }) => kind === "failed"));
 */
export async function runSuite<Harness extends SuiteHarness<Need>, Need extends string>(
  cases: readonly SuiteCase<Harness, Need>[],
  harness: NoInfer<Harness>,
  options: RunOptions = {},
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) {
    const reason = reasonAgainst(one.needs, harness);
    results.push(
      reason === undefined
        ? await runCase(one, harness, options.timeoutMs ?? 30_000)
        : { name: one.name, kind: "left out", reason },
    );
  }
  return results;
}

async function runCase<Harness extends SuiteHarness<Need>, Need extends string>(
  one: SuiteCase<Harness, Need>,
  harness: Harness,
  timeoutMs: number,
): Promise<CaseResult> {
  const { name } = one;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([one.run(harness), tooLong]);
    return { name, kind: "passed" };
  } catch (error) {
    return { name, kind: "failed", error };
  } finally {
    clearTimeout(timer);
  }
}
