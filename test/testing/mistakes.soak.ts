// Breaks the memory store by one source edit at a time. The store suite and the random lives must notice.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runSuite, storeSuite } from "../../src/testing/index.ts";
import { checkLives } from "../hub/stores/model/check-model.ts";
import { brokenStore, MISTAKES } from "./broken-store.ts";

const folder = mkdtempSync(join(tmpdir(), "askline-mistakes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the store suite on a store with one mistake", () => {
  it.each(MISTAKES)("notices that $name", async (mistake) => {
    const cases = storeSuite.filter(({ name }) => mistake.caughtBy.includes(name));
    const results = await runSuite(cases, await brokenStore(mistake, folder), { timeoutMs: 10_000 });
    expect(results.map(({ name }) => name).sort()).toEqual([...mistake.caughtBy].sort());
    expect(results.filter(({ kind }) => kind !== "failed")).toEqual([]);
  });
});

const FOUND_BY_LIVES = [
  "a key is never known",
  "the guard is checked long before the write",
  "a deadline moves back",
  "a lease does not count",
  "entries of one call come apart",
  "null is no data",
  "positions start again after a prune",
  "a version is compared long before the write",
  "keys are in the order of UTF-16",
];

describe("random lives", () => {
  const mistakes = MISTAKES.filter(({ name }) => FOUND_BY_LIVES.includes(name));

  it("are tried on known mistakes", () => {
    expect(mistakes.length).toBe(FOUND_BY_LIVES.length);
  });

  it.each(mistakes)("notice that $name", async (mistake) => {
    const lives = checkLives(await brokenStore(mistake, folder), 2_000, { endOnFailure: true });
    await expect(lives).rejects.toThrow(/Property failed/);
  });
});
