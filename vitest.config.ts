import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { TIERS, testFiles } from "./scripts/tiers.mjs";
import { TEST_MS, WAIT_MS } from "./test/support/limits.ts";

const QUICK = /\/test\/(core|people\/form)\//;
const LONG = /\/test\/(agents\/(?!sessions|shapes|tool)|cli|fault|package|hub\/stores|people\/web)\//;

/** The first results come within seconds. Then long files come first, so that none runs alone at the end. */
class FirstResultsThenLong extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Long before short; in a fresh clone vitest knows no durations, and sorts by size.
    const sorted = await super.sort(files);
    const of = (kind: string): TestSpecification[] => sorted.filter((file) => kindOf(file) === kind);
    return [...of("quick").reverse(), ...of("long"), ...of("other")];
  }
}

function kindOf({ moduleId }: TestSpecification): "quick" | "long" | "other" {
  return QUICK.test(moduleId) ? "quick" : LONG.test(moduleId) ? "long" : "other";
}

/** The frameworks that adapters import are installed in test/agents, not in the root. */
const frameworks: Plugin = {
  name: "frameworks",
  enforce: "pre",
  resolveId(source, importer) {
    if (!/^[@a-z]/.test(source) || !importer?.includes("/src/agents/")) return null;
    const name = source.split("/", source.startsWith("@") ? 2 : 1).join("/");
    if (existsSync(join(import.meta.dirname, "node_modules", name))) return null;
    return this.resolve(source, join(import.meta.dirname, "test/agents/importer.ts"), { skipSelf: true });
  },
};

// `--mode soak` runs the long tests and nothing else. `--mode core+machine` runs the tiers of these names, which is what
// `npm test` does. Without a mode, as in `npx vitest run test/core`, every test is in reach.
export default defineConfig(({ mode }) => {
  const shuffled = process.argv.some((arg) => arg.startsWith("--sequence.shuffle"));
  const soak = mode === "soak";
  const tiers = mode.split("+").filter((name) => TIERS.includes(name));
  const tests = tiers.length === 0 ? ["test/**/*.test.ts"] : testFiles(tiers);
  return {
    plugins: [frameworks],
    test: {
      exclude: ["**/node_modules/**"],
      include: soak ? ["test/**/*.soak.ts"] : tests,
      pool: "forks",
      // Files share a process, so that each worker loads the sources once, which saves a third of the time of a run.
      // A test that changes process-wide state (folder, environment, modules) must restore it.
      isolate: false,
      globalSetup: ["test/support/broker.ts"],
      maxWorkers: 2,
      sequence: shuffled ? {} : { sequencer: FirstResultsThenLong },
      env: soak ? { ASKLINE_SOAK: "yes" } : {},
      testTimeout: soak ? 24 * 60 * 60_000 : TEST_MS,
      hookTimeout: TEST_MS,
      expect: { poll: { timeout: WAIT_MS } },
      // A forgotten `.only` would let the rest of CI pass without running.
      allowOnly: !process.env.CI,
      passWithNoTests: false,
    },
  };
});
