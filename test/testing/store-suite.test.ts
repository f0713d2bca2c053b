import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runSuite, SuiteFailure, storeSuite } from "../../src/testing/index.ts";
import { testSuite } from "../support/run-suite.ts";
import { sharedMemoryHarness } from "../support/shared-memory-harness.ts";
import { brokenStore } from "./broken-store.ts";
import { asksMistakes } from "./mistakes/asks.ts";
import { commitsMistakes } from "./mistakes/commits.ts";
import { contentsMistakes } from "./mistakes/contents.ts";
import { deadlinesMistakes } from "./mistakes/deadlines.ts";
import { keptLogsMistakes } from "./mistakes/kept-logs.ts";
import { listsMistakes } from "./mistakes/lists.ts";
import { logsMistakes } from "./mistakes/logs.ts";
import { pendingMistakes } from "./mistakes/pending.ts";
import { pruneMistakes } from "./mistakes/prune.ts";
import { recordsMistakes } from "./mistakes/records.ts";
import { restoresMistakes } from "./mistakes/restores.ts";
import { sharingMistakes } from "./mistakes/sharing.ts";

const MISTAKES = [
  ...asksMistakes,
  ...commitsMistakes,
  ...contentsMistakes,
  ...deadlinesMistakes,
  ...keptLogsMistakes,
  ...listsMistakes,
  ...logsMistakes,
  ...pendingMistakes,
  ...pruneMistakes,
  ...recordsMistakes,
  ...restoresMistakes,
  ...sharingMistakes,
];

testSuite("the store suite on a store without a mistake", storeSuite, sharedMemoryHarness());

describe("the store suite on a store with one mistake", () => {
  const folder = mkdtempSync(join(tmpdir(), "askline-mistakes-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(MISTAKES)("notices that $name", async (mistake) => {
    const cases = storeSuite.filter(({ name }) => mistake.caughtBy.includes(name));
    expect(cases.map(({ name }) => name).sort()).toEqual([...mistake.caughtBy].sort());
    const results = await runSuite(cases, await brokenStore(mistake, folder), { timeoutMs: 10_000 });
    expect(results.filter(({ kind }) => kind !== "failed")).toEqual([]);
  });

  it("has a mistake for every case, so that none can never fail", () => {
    const noticed = new Set(MISTAKES.flatMap(({ caughtBy }) => caughtBy));
    expect(storeSuite.map(({ name }) => name).filter((name) => !noticed.has(name))).toEqual([]);
  });

  it("says what was expected and what there was instead", async () => {
    const mistake = MISTAKES.find(({ name }) => name === "every settle is applied");
    if (mistake === undefined) throw new Error("the mistake is gone");
    const [result] = await runSuite(
      storeSuite.filter(({ name }) => name === "a settled ask is not settled again"),
      await brokenStore(mistake, folder),
    );
    expect(result).toMatchObject({ kind: "failed", error: expect.any(SuiteFailure) });
    expect(String(result?.kind === "failed" && result.error)).toMatch(
      /^SuiteFailure: the second: expected \{"applied":false,.*, got \{"applied":true,.*\(they differ at \.applied\)$/,
    );
  });
});
