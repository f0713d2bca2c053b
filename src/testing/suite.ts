// A suite is data: each case has a name, its needs from the harness, and a function that throws if the contract is
// broken. Any test runner can run it.

/** One case of a suite. */
export interface SuiteCase<Harness extends SuiteHarness<Need>, Need extends string> {
  readonly name: string;
  /** What the harness must support for this case. */
  readonly needs: readonly Need[];
  run(harness: Harness): Promise<void>;
}

export interface SuiteHarness<Need extends string> {
  /**
   * What the store or resolver under test does not support, with the reason. Cases that need it are left out and
   * listed with the reason. Everything else is expected to work.
   */
  readonly lacks?: { readonly [Name in Need]?: string };
}

export interface Runnable<Case> {
  readonly cases: readonly Case[];
  readonly leftOut: readonly { readonly case: Case; readonly reason: string }[];
}

/**
 * The cases that a harness can run, and those that are left out, with the reason.
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
  const checked = cases.map((item) => ({ case: item, reason: missingNeeds(item.needs, harness) }));
  return {
    cases: checked.flatMap((item) => (item.reason === undefined ? [item.case] : [])),
    leftOut: checked.flatMap(({ case: item, reason }) =>
      reason === undefined ? [] : [{ case: item, reason }],
    ),
  };
}

function missingNeeds<Need extends string>(
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
  /** The timeout of one case, in milliseconds of real time; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs the cases one after another and returns the result of each; a failing case does not reject.
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
  for (const item of cases) {
    const reason = missingNeeds(item.needs, harness);
    results.push(
      reason === undefined
        ? await runCase(item, harness, options.timeoutMs ?? 30_000)
        : { name: item.name, kind: "left out", reason },
    );
  }
  return results;
}

async function runCase<Harness extends SuiteHarness<Need>, Need extends string>(
  item: SuiteCase<Harness, Need>,
  harness: Harness,
  timeoutMs: number,
): Promise<CaseResult> {
  const { name } = item;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([item.run(harness), tooLong]);
    return { name, kind: "passed" };
  } catch (error) {
    return { name, kind: "failed", error };
  } finally {
    clearTimeout(timer);
  }
}
