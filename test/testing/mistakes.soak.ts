// Random lives must notice a mistake that no single case describes.

import { describe, expect, it } from "vitest";
import { checkLives } from "../hub/stores/model/check-model.ts";
import { BROKEN_STORES } from "./broken-stores.ts";

const FOUND_BY_LIVES = [
  "keys are not stored",
  "whether a settle is applied is decided before the write",
  "a claim has no lease",
  "entries lose their data",
  "entries of one call come apart",
  "the last position is that of the last entry",
  "the version is that before the call",
  "records are listed in the order of UTF-16",
];

describe("random lives", () => {
  it.each(FOUND_BY_LIVES)("notice that %s", async (name) => {
    const broken = BROKEN_STORES.find((store) => store.name === name);
    if (broken === undefined) throw new Error(`there is no such mistake: ${name}`);
    const lives = checkLives(broken.harness(), 2_000, { endOnFailure: true });
    await expect(lives).rejects.toThrow(/Property failed/);
  });
});
