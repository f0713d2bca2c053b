import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemes, hasCertainWidth, textWidth } from "../../../src/people/cells/width.ts";

describe("textWidth", () => {
  it.each([
    ["plain", 5],
    ["", 0],
    ["日本語", 6],
    ["한글", 4],
    ["ﾊﾝｶｸ", 4],
    ["ＡＢ", 4],
    ["e\u0301", 1],
    ["Kỳ hạn", 6],
    ["กำ", 2],
    ["की", 2],
    ["שלום", 4],
    ["👍", 2],
    ["👍🏽", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["❤️", 2],
    ["❤", 1],
    ["1️⃣", 2],
    ["🇻🇳", 2],
    ["🇻🇳🇩🇪", 4],
    ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2],
    ["\u{20000}", 2],
    ["│─…•", 4],
    ["☑ ✔ → ● ❯", 9],
    ["✅ 🚀", 5],
    ["⌚⏰", 4],
  ])("%s has %i cells", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("splits text into what a person sees as characters", () => {
    expect([...graphemes("ae\u0301👨‍👩‍👧‍👦🇻🇳")]).toEqual(["a", "e\u0301", "👨‍👩‍👧‍👦", "🇻🇳"]);
  });

  it("splits text with and without a segmenter alike", () => {
    const pieces = [
      "a",
      "é",
      "日",
      "한",
      "✅",
      "🚀",
      "☑",
      "→",
      "\u0301",
      "\ufe0f",
      "\u200d",
      "🏽",
      "🇻",
      "ก",
      "ำ",
      "ש",
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...pieces), maxLength: 6 }), (text) => {
        const segments = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
        expect([...graphemes(text)]).toEqual(segments);
      }),
      { numRuns: 500 },
    );
  });

  it("splits a long text as it would a short one", () => {
    const family = "👨‍👩‍👧‍👦";
    expect([...graphemes(`é${family.repeat(1_000)}`)]).toEqual(["é", ...Array(1_000).fill(family)]);
    expect([...graphemes("🇻🇳".repeat(1_000))]).toEqual(Array(1_000).fill("🇻🇳"));
    expect([...graphemes(`a${"\u0301".repeat(10_000)}`)].join("")).toHaveLength(10_001);
  });

  it("is certain of letters and East Asian characters, and not of emoji and joined characters", () => {
    for (const grapheme of ["a", "é", "e\u0301", "日", "한", "ש", "│"])
      expect(hasCertainWidth(grapheme)).toBe(true);
    for (const grapheme of ["👍", "❤️", "🇻🇳", "की", "กำ", "1️⃣"]) expect(hasCertainWidth(grapheme)).toBe(false);
  });
});
