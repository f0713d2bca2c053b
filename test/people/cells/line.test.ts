import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toAnsi } from "../../../src/people/cells/ansi.ts";
import {
  lineWidth,
  padLine,
  plainText,
  type StyledLine,
  styled,
  truncateLine,
} from "../../../src/people/cells/line.ts";

const everything = { styles: true, colors: true, hyperlinks: true };

describe("truncateLine", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["👨‍👩‍👧‍👦x", 2, "…"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
  ])("cuts %s to %i cells", (text, width, cut) => {
    expect(plainText(truncateLine([styled(text)], width))).toBe(cut);
  });

  it("keeps the style of where it cuts, and takes another mark", () => {
    const line = [styled("a"), styled("bcdef", { bold: true })];
    expect(truncateLine(line, 4, "..")).toEqual([
      styled("a"),
      styled("b", { bold: true }),
      styled("..", { bold: true }),
    ]);
  });

  it("never gives more cells than asked for, nor fewer by more than a wide character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.nat(20), (text, width) => {
        const cells = lineWidth(truncateLine([styled(text)], width));
        expect(cells).toBeLessThanOrEqual(width);
        if (lineWidth([styled(text)]) > width + 8) expect(cells).toBeGreaterThanOrEqual(Math.min(width, 1));
      }),
    );
  });
});

describe("padLine", () => {
  it("fills up on the side that is left", () => {
    expect(plainText(padLine([styled("日")], 5))).toBe("日   ");
    expect(plainText(padLine([styled("日")], 5, "right"))).toBe("   日");
    expect(plainText(padLine([styled("日")], 5, "center"))).toBe(" 日  ");
    expect(plainText(padLine([styled("abcdef")], 5))).toBe("abcdef");
  });
});

describe("toAnsi", () => {
  const line: StyledLine = [
    styled("a", { bold: true, color: "danger" }),
    styled("b", { bold: true, color: "danger" }),
    styled(" "),
    styled("c", { underline: true, link: "https://x.example/" }),
  ];

  it("writes each change of style once, and leaves none behind", () => {
    expect(toAnsi(line, everything)).toBe(
      "\x1b[0;1;31mab\x1b[0m \x1b[0;4m\x1b]8;;https://x.example/\x1b\\c\x1b]8;;\x1b\\\x1b[0m",
    );
  });

  it("leaves out colours, links or everything", () => {
    expect(toAnsi(line, { styles: true, colors: false, hyperlinks: false })).toBe(
      "\x1b[0;1mab\x1b[0m \x1b[0;4mc\x1b[0m",
    );
    expect(toAnsi(line, { styles: false, colors: false, hyperlinks: false })).toBe("ab c");
  });

  it("writes no sequence that is in the text or in a link", () => {
    const hostile = [
      styled("a\x1b[2J\u009b\n\u202e", { link: "https://x/\x1b\\\x1b[2J" }),
      styled("b", { link: "https://x/ y" }),
    ];
    expect(toAnsi(hostile, everything)).toBe("a\uFFFD[2J\uFFFD\uFFFDb");
  });

  it("keeps right-to-left text between marks, so that a frame beside it stays in place", () => {
    expect(toAnsi([styled("│ "), styled("שלום"), styled(" │")], everything)).toBe("│ \u200eשלום\u200e │");
  });

  it("puts the cursor into its column after a character of uncertain width", () => {
    expect(toAnsi([styled("a👍"), styled("b❤️c")], { ...everything, place: true })).toBe(
      "a👍\x1b[4Gb❤️\x1b[7Gc",
    );
  });
});
