import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkLives } from "../stores/model/check-model.ts";
import { brokenStore } from "./broken-store.ts";
import { asksMistakes } from "./mistakes/asks.ts";
import { deadlinesMistakes } from "./mistakes/deadlines.ts";
import { logsMistakes } from "./mistakes/logs.ts";
import { pruneMistakes } from "./mistakes/prune.ts";
import { recordsMistakes } from "./mistakes/records.ts";

const NAMES = [
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
  const folder = mkdtempSync(join(tmpdir(), "askline-model-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const all = [...asksMistakes, ...deadlinesMistakes, ...logsMistakes, ...pruneMistakes, ...recordsMistakes];
  const mistakes = all.filter(({ name }) => NAMES.includes(name));

  it("are tried on mistakes that there are", () => {
    expect(mistakes.length).toBe(NAMES.length);
  });

  it.each(mistakes)("come upon it that $name", { timeout: 60_000 }, async (mistake) => {
    const lives = checkLives(await brokenStore(mistake, folder), 2_000, { endOnFailure: true });
    await expect(lives).rejects.toThrow(/Property failed/);
  });
});
