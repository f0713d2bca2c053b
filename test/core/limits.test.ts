import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LIMITS, profiles } from "../../src/index.js";

const page = readFileSync(new URL("../../docs/limits.md", import.meta.url), "utf8");

it("docs/limits.md states every limit as it is", () => {
  const stated = [...page.matchAll(/ \| `(\w+)` \| ([\d,]+) \|$/gm)].map(([, name, value]) => [
    name,
    Number(value?.replaceAll(",", "")),
  ]);
  expect(Object.fromEntries(stated)).toEqual(LIMITS);
});

it("docs/limits.md states every profile as it is", () => {
  const range = ({ min, max }: { min: number; max: number }) => (min === max ? `${min}` : `${min}-${max}`);
  for (const { name, questions, options, headerRequired, uniqueQuestions, allowPartial } of Object.values(
    profiles,
  )) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    expect(
      row
        ?.split("|")
        .slice(2, -1)
        .map((cell) => cell.trim()),
    ).toEqual([
      range(questions),
      range(options),
      headerRequired ? "required" : "optional",
      uniqueQuestions ? "unique" : "may repeat",
      allowPartial ? "yes" : "no",
    ]);
  }
});
