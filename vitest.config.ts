import { defineConfig } from "vitest/config";

// `--mode soak` runs the long tests and nothing else; every other mode runs everything but them.
export default defineConfig(({ mode }) => {
  const soak = mode === "soak";
  return {
    test: {
      include: [soak ? "test/**/*.soak.ts" : "test/**/*.test.ts"],
      // Tests start processes, change their folder and close their streams: a fork each keeps that apart.
      pool: "forks",
      globalSetup: ["test/support/postgres-broker.ts"],
      maxWorkers: 2,
      testTimeout: soak ? 24 * 60 * 60_000 : 15_000,
      hookTimeout: 60_000,
      // A test that is alone by mistake would make the rest of CI pass unseen.
      allowOnly: !process.env.CI,
      passWithNoTests: false,
    },
  };
});
