import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineWidth, plainText, styled } from "../../../src/people/cells/line.ts";
import { textWidth } from "../../../src/people/cells/width.ts";
import { hang, wrapLine, wrapText } from "../../../src/people/cells/wrap.ts";
import { cpuMs } from "../../support/cpu-time.ts";

describe("hang", () => {
  it("breaks nothing without a width, and indents further lines", () => {
    expect(hang("  1) ", "a long line\nand another", undefined)).toBe("  1) a long line\n     and another");
  });

  it("breaks between words, and inside a word only where it fits no line", () => {
    expect(hang("> ", "aaa bbbb ccccccccccccccccccccccccccccccccccc d", 24)).toBe(
      "> aaa bbbb\n  cccccccccccccccccccccc\n  ccccccccccccc d",
    );
  });

  it("counts wide characters as two", () => {
    expect(textWidth("日本🎉é")).toBe(7);
    expect(hang("", "日本語の文章はここで折り返されるはずです", 24)).toBe(
      "日本語の文章はここで折り\n返されるはずです",
    );
  });

  it("keeps every character but white space at a break, and every line within the width", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 24, max: 80 }), (text, columns) => {
        const wrapped = hang("  1) ", text, columns);
        expect(wrapped.replace(/\s/g, "")).toBe(`1)${text}`.replace(/\s/g, ""));
        for (const line of wrapped.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe("wrapText", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["  indented text", 8, ["indented", "text"]],
    ["    ", 2, [""]],
    ["", 5, [""]],
    ["abcdef", 4, ["abcd", "ef"]],
    ["ab cdefgh i", 4, ["ab", "cdef", "gh i"]],
    ["彼は「はい」と言った。", 8, ["彼は「は", "い」と", "言った。"]],
    ["สวัสดีครับ", 6, ["สวัสดี", "ครับ"]],
    ["日本", 1, ["日", "本"]],
    ["⺀ꦴ", 2, ["⺀", "ꦴ"]],
    [`क${"ः".repeat(6)}`, 4, ["कःःः", "ःःः"]],
  ])("breaks %j in %i cells", (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });

  it("keeps every space of code", () => {
    expect(wrapText("if a:  b", 4, "code")).toEqual(["if ", "a:  ", "b"]);
    expect(wrapText("    word", 6, "code")).toEqual(["    wo", "rd"]);
    expect(wrapText("a      b", 4, "code")).toEqual(["a   ", "   b"]);
  });

  it("takes a line of 60 KB in its stride", () => {
    const work = cpuMs(() => {
      expect(wrapText("x".repeat(60_000), 40)).toHaveLength(1_500);
      expect(wrapText("ש".repeat(60_000), 40)).toHaveLength(1_500);
      expect(wrapText("日".repeat(60_000), 40)).toHaveLength(3_000);
    });
    expect(work).toBeLessThan(3_000);
  });
});

describe("wrapLine", () => {
  it("does not break inside a word whose style changes", () => {
    const line = [styled("one tw"), styled("o", { bold: true }), styled(" three")];
    expect(wrapLine(line, 6)).toEqual([
      [styled("one")],
      [styled("tw"), styled("o", { bold: true })],
      [styled("three")],
    ]);
  });

  it("keeps all text and its styles within any width", () => {
    const segment = fc.record({
      text: fc.string({ unit: fc.constantFrom("a", "b", " ", "日", "👍🏽", "ש", "e\u0301", "\u0301", "กำ") }),
      style: fc.constantFrom({}, { bold: true }),
    });
    const bare = (parts: readonly { text: string; style: object }[]): string =>
      parts
        .flatMap(({ text, style }) =>
          [...text].filter((c) => c !== " ").map((c) => c + JSON.stringify(style)),
        )
        .join("");
    fc.assert(
      fc.property(
        fc.array(segment),
        fc.integer({ min: 2, max: 12 }),
        fc.constantFrom("prose" as const, "code" as const),
        (line, width, kind) => {
          const lines = wrapLine(line, width, kind);
          for (const wrapped of lines) expect(lineWidth(wrapped)).toBeLessThanOrEqual(width);
          expect(bare(lines.flat())).toBe(bare(line));
          if (kind === "code") expect(lines.map(plainText).join("")).toBe(plainText(line));
        },
      ),
    );
  });
});
