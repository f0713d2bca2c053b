import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONG = /\/test\/(cli|fault|package|stores)\//;

/** Long files first, so that none runs alone at the end. In a fresh clone vitest knows no durations, and sorts by size. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** The frameworks that adapters import are installed in test/adapters, not in the root. */
const frameworks: Plugin = {
  name: "frameworks",
  enforce: "pre",
  resolveId(source, importer) {
    if (!/^[@a-z]/.test(source) || !importer?.includes("/src/adapters/")) return null;
    const name = source.split("/", source.startsWith("@") ? 2 : 1).join("/");
    if (existsSync(join(import.meta.dirname, "node_modules", name))) return null;
    return this.resolve(source, join(import.meta.dirname, "test/adapters/importer.ts"), { skipSelf: true });
  },
};

// `--mode soak` runs the long tests and nothing else; every other mode runs everything but them.
export default defineConfig(({ mode }) => {
  const soak = mode === "soak";
  return {
    plugins: [frameworks],
    test: {
      exclude: ["**/node_modules/**"],
      include: [soak ? "test/**/*.soak.ts" : "test/**/*.test.ts"],
      pool: "forks",
      // Files share a process, so that each worker loads the sources once, which saves a third of the time of a run.
      // A test that changes process-wide state (folder, environment, modules) must restore it.
      isolate: false,
      globalSetup: ["test/support/postgres-broker.ts"],
      maxWorkers: 2,
      sequence: { sequencer: LongFirst },
      env: soak ? { ASKLINE_SOAK: "yes" } : {},
      testTimeout: soak ? 24 * 60 * 60_000 : 15_000,
      hookTimeout: 60_000,
      // A browser or a process beside other tests may need more than the second that a poll waits by default.
      expect: { poll: { timeout: 10_000 } },
      // A forgotten `.only` would let the rest of CI pass without running.
      allowOnly: !process.env.CI,
      passWithNoTests: false,
    },
  };
});
