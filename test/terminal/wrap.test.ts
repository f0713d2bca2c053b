import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hang, textWidth } from "../../src/terminal/wrap.ts";

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
