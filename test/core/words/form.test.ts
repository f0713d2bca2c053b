import { describe, expect, it } from "vitest";
import { formWords } from "../../../src/core/words/form.ts";

describe("the words of a form", () => {
  it("count and round", () => {
    const { picks, timeLeft, moreLines } = formWords(undefined);
    expect(picks(1, undefined, 0)).toBe("Choose one or more (0 chosen)");
    expect(picks(2, 2, 1)).toBe("Choose exactly 2 (1 chosen)");
    expect([timeLeft(9_000), timeLeft(61_000), timeLeft(7_200_000), timeLeft(200_000_000)]).toEqual([
      "About 10 seconds left",
      "About 2 minutes left",
      "About 2 hours left",
      "About 2 days left",
    ]);
    expect(moreLines(1, "o")).toBe("1 more line (o)");
    expect(formWords("vi-VN").timeLeft(61_000)).toBe("Còn khoảng 2 phút");
  });
});
