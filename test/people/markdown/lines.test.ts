import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineWidth, plainText } from "../../../src/people/cells/line.ts";
import { toLines } from "../../../src/people/markdown/lines.ts";
import { parseMarkdown } from "../../../src/people/markdown/parse.ts";
import { markdown } from "./arbitrary.ts";

const show = (source: string, width = 40, ascii = false): readonly string[] =>
  toLines(parseMarkdown(source), { width, ascii }).map((line) => plainText(line).trimEnd());

describe("toLines", () => {
  it("shows each kind of block, with an empty line between two", () => {
    const source =
      "# Title\n\nSome *text* that is long enough to need two lines.\n\n> quoted\n> more\n\n---\n\n```ts\nif (a) {\n\tb();\n}\n```";
    expect(show(source)).toEqual([
      "Title",
      "",
      "Some text that is long enough to need",
      "two lines.",
      "",
      "│ quoted",
      "│ more",
      "",
      "─".repeat(40),
      "",
      "  ts",
      "  if (a) {",
      "      b();",
      "  }",
    ]);
  });

  it("shows lists, numbered and nested, and tasks", () => {
    expect(show("- one\n  - two\n    - three\n- [x] done\n- [ ] open", 40)).toEqual([
      "• one",
      "  ◦ two",
      "    ▪ three",
      "☑ done",
      "☐ open",
    ]);
    expect(show("9. nine\n10. ten is a longer item that wraps\n    \n    its second paragraph", 20)).toEqual([
      "9. nine",
      "",
      "10. ten is a longer",
      "    item that wraps",
      "",
      "    its second",
      "    paragraph",
    ]);
  });

  it("draws with ASCII alone where that is all there is", () => {
    expect(show("> a\n\n- b\n- [x] c\n\n---\n\n|a|b|\n|-|-|\n|1|2|", 12, true)).toEqual([
      "| a",
      "",
      "- b",
      "[x] c",
      "",
      "------------",
      "",
      "a | b",
      "--+--",
      "1 | 2",
    ]);
  });

  it("stops indenting where no room would be left for words", () => {
    expect(show("- a\n  - b\n    > word", 10)).toEqual(["• a", "  ◦", "  b", "  │", "  word"]);
  });

  it("styles text by what it is", () => {
    expect(toLines(parseMarkdown("**a** *b* ~~c~~ `d` **e *f***"), { width: 80 })).toEqual([
      [
        { text: "a", style: { bold: true } },
        { text: " ", style: {} },
        { text: "b", style: { italic: true } },
        { text: " ", style: {} },
        { text: "c", style: { strike: true } },
        { text: " ", style: {} },
        { text: "d", style: { color: "code" } },
        { text: " ", style: {} },
        { text: "e ", style: { bold: true } },
        { text: "f", style: { bold: true, italic: true } },
      ],
    ]);
  });

  it("shows where a link leads, unless its text is the address itself", () => {
    expect(show("[docs](https://x.example/a)", 60)).toEqual(["docs (https://x.example/a)"]);
    expect(show("[https://good.example](https://evil.example)", 60)).toEqual([
      "https://good.example (https://evil.example/)",
    ]);
    expect(show("https://x.example/a https://x.example a@b.example", 60)).toEqual([
      "https://x.example/a https://x.example a@b.example",
    ]);
    expect(toLines(parseMarkdown("<https://x.example>"), { width: 60 })).toEqual([
      [{ text: "https://x.example", style: { underline: true, link: "https://x.example/" } }],
    ]);
  });

  const table =
    "|Name|What it does|Size|\n|:-|:-:|-:|\n|lit|renders elements|6 kB|\n|marked|reads Markdown|15 kB|";

  it("aligns a table", () => {
    expect(show(table, 60)).toEqual([
      "Name   │   What it does   │  Size",
      "───────┼──────────────────┼──────",
      "lit    │ renders elements │  6 kB",
      "marked │  reads Markdown  │ 15 kB",
    ]);
  });

  it("wraps the cells of a table that is too wide, and shows where each row begins", () => {
    expect(show(table, 26)).toEqual([
      "Name   │  What it  │ Size",
      "       │   does    │",
      "───────┼───────────┼─────",
      "lit    │  renders  │ 6 kB",
      "       │ elements  │",
      "───────┼───────────┼─────",
      "marked │   reads   │   15",
      "       │ Markdown  │   kB",
    ]);
  });

  it("stacks a table that is too narrow for columns", () => {
    expect(show(table, 20)).toEqual([
      "Name: lit",
      "What it does:",
      "renders elements",
      "Size: 6 kB",
      "",
      "Name: marked",
      "What it does: reads",
      "Markdown",
      "Size: 15 kB",
    ]);
  });

  it("keeps every line within the width, and shows no character raw that could do harm", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 2, max: 60 }), fc.boolean(), (source, width, ascii) => {
        for (const line of toLines(parseMarkdown(source), { width, ascii })) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
          expect(plainText(line)).not.toMatch(
            /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
