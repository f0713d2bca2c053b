import { expect, it } from "vitest";
import { runSoak } from "./soak/run-soak.ts";

it.each(["postgres", "sqlite"] as const)(
  "a kill of each kind over %s: nothing lost, nothing double, and nobody is told what is not stored",
  async (store) => {
    const report = await runSoak({ store, milliseconds: 0, longestPauseMs: 1_000, random: Math.random });
    const { lost, double, wrong, ...figures } = report;
    console.log(JSON.stringify(figures));
    expect({ lost, double, wrong }).toEqual({ lost: [], double: [], wrong: [] });
    expect(figures.acknowledged).toBeGreaterThan(0);
  },
  180_000,
);
