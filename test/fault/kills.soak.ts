import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runSoak, type SoakReport } from "./soak/run-soak.ts";

const milliseconds = Number(process.env.ASKLINE_SOAK_MINUTES ?? 1) * 60_000;
/** What several nodes of a team run on gets most of the time. */
const SHARES = { postgres: 0.7, sqlite: 0.3 } as const;

it("full load on two servers of one store, with kills of everything: nothing lost, double or wrong", async () => {
  const found = { lost: [] as string[], double: [] as string[], wrong: [] as string[] };
  const lines: string[] = [];
  for (const store of ["postgres", "sqlite"] as const) {
    const report = await runSoak({
      store,
      milliseconds: milliseconds * SHARES[store],
      longestPauseMs: 3_000,
      random: Math.random,
    });
    lines.push(lineOf(store, report));
    for (const kind of ["lost", "double", "wrong"] as const) {
      found[kind].push(...report[kind].map((what) => `${store}: ${what}`));
    }
  }
  const { lost, double, wrong } = found;
  lines.push(`lost ${lost.length}, double ${double.length}, wrong ${wrong.length}`);
  console.log(lines.join("\n"));
  // The command prints it behind what the test runner says, as its last words.
  const path = process.env.ASKLINE_SOAK_REPORT;
  if (path !== undefined) writeFileSync(path, `${lines.join("\n")}\n`);
  expect({ lost: lost.slice(0, 20), double: double.slice(0, 20), wrong: wrong.slice(0, 20) }).toEqual({
    lost: [],
    double: [],
    wrong: [],
  });
});

function lineOf(store: keyof typeof SHARES, report: SoakReport): string {
  const { asks, answered, acknowledged, events, resumed, outages, longestSilenceMs, late } = report;
  const kills = Object.entries(report.kills).map(([what, count]) => `${what} ${count}`);
  return [
    `${store}, ${((milliseconds * SHARES[store]) / 60_000).toFixed(1)} minutes: asks ${asks}, answers ${answered}`,
    `acknowledged ${acknowledged}, events ${events}, waits resumed ${resumed}, calls tried anew ${outages}`,
    `longest silence ${longestSilenceMs} ms, late stops ${late}; kills: ${kills.join(", ")}`,
  ].join(", ");
}
