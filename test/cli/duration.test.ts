import { describe, expect, it } from "vitest";
import { parseDuration } from "../../src/cli/input/time-flags.js";

describe("parseDuration", () => {
  it.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["1.5s", 1_500],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["30", 30_000],
    [" 30s ", 30_000],
  ])("reads %j", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each(["", "s", "-1s", "0", "0ms", "1w", "1 s", "1e3", "99999d"])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
