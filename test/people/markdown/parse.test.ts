import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/people/cells/line.ts";
import { toHtml } from "../../../src/people/markdown/html.ts";
import { toLines } from "../../../src/people/markdown/lines.ts";
import { parseMarkdown, parseMarkup } from "../../../src/people/markdown/parse.ts";
import { plainDocument } from "../../../src/people/markdown/plain.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { markdown } from "./arbitrary.ts";
import { readHtml } from "./html-tokens.ts";

const text = (source: string): string => readHtml(toHtml(parseMarkdown(source)));

describe("parseMarkdown", () => {
  it("takes a literal \\n in prose as a line break, and leaves it in code", () => {
    expect(text("one\\ntwo\n`a\\nb`")).toBe("one\ntwo\na\\nb");
    expect(text("one\n\n```\na\\nb\n```")).toBe("onea\\nb");
    expect(text("a\\\\nb\nc")).toBe("a\\nb\nc");
  });

  it("sees the structure of a text that was escaped twice", () => {
    expect(parseMarkdown("# A\\n\\n- one\\n- `a\\nb`\\n\\n```js\\nf()\\n```")).toEqual(
      parseMarkdown("# A\n\n- one\n- `a\\nb`\n\n```js\nf()\n```"),
    );
  });

  it("decodes character references in prose, makes them safe, and leaves them in code", () => {
    expect(text("&lt;b&gt; &amp;amp; &#169; &#x202e;x &unknown; &constructor; `&lt;`")).toBe(
      "<b> &amp; © \uFFFDx &unknown; &constructor; &lt;",
    );
    expect(text("&#x202e;")).toBe("\uFFFD");
    expect(text("*️⃣ a")).toBe("*️⃣ a");
    expect(text("&#0; &#xd800; &#x110000; &#9999999;")).toBe("\uFFFD \uFFFD \uFFFD \uFFFD");
  });

  it("shows what is nested too deep as text", () => {
    expect(text(`${"> ".repeat(40)}end`)).toMatch(/^(> ?)+end$/);
    expect(text(`${"- ".repeat(40)}end`)).toMatch(/^(- ?)+end$/);
    expect(JSON.stringify(parseMarkdown(`${"> ".repeat(40)}end`)).match(/quote/g)).toHaveLength(16);
  });

  it("shows what is over the bound as text, and drops nothing", () => {
    const long = `${"word ".repeat(30_000)}**end**`;
    expect(text(long)).toBe(long.replaceAll("\n", ""));
  });

  it("finds marks again after a long paragraph's cut", () => {
    const paragraph = "some **bold** words\n".repeat(500);
    expect(toHtml(parseMarkdown(paragraph)).match(/<strong>bold<\/strong>/g)).toHaveLength(500);
  });

  it("never throws, and shows every letter and digit that it was given", () => {
    const words = (source: string): string => source.replace(/[^ab]/g, "");
    const sorted = (letters: string): string => [...letters].sort().join("");
    fc.assert(
      fc.property(markdown, (source) => {
        const shown = parseMarkdown(source);
        const lines = toLines(shown, { width: 400 }).map(plainText).join("");
        // A code block's further words and a link's title are not shown on a page; a terminal shows the former.
        if (/```|~~~|"|'|\(|<|\[/.test(source)) return;
        const [onTerminal, onPage] = [words(lines), words(readHtml(toHtml(shown)))];
        // The lines of two cells stand beside each other on a terminal, and one cell after the other in a page.
        if (source.includes("|")) expect(sorted(onTerminal)).toContain(sorted(onPage));
        // Between them, a terminal shows where a link leads.
        else expect(onTerminal).toMatch(new RegExp([...onPage].join("[ab]*")));
      }),
      { numRuns: 500 },
    );
  });
});

describe("plainDocument", () => {
  it("takes a text without markup, and leaves any other to the parser", () => {
    expect(plainDocument("Which one?\nChoose.\n\nIt's 5 - 3 (or so): yes!")).toHaveLength(2);
    for (const source of [
      "a *b*",
      "- a",
      "1. a",
      "a\n---",
      "https://x.example",
      "a@b.example",
      "a\\nb",
      "&lt;",
      " a",
      "a\tb",
    ]) {
      expect(plainDocument(source)).toBeUndefined();
    }
  });

  it("gives what the parser gives", () => {
    const plain = fc.string({
      unit: fc.constantFrom(
        "a",
        "b",
        " ",
        "\n",
        "-",
        "1",
        ".",
        ":",
        "!",
        "é",
        "日",
        "\u202e",
        "\r",
        "=",
        "\u00a0",
      ),
    });
    fc.assert(
      fc.property(fc.oneof(plain, markdown), (source) => {
        const document = plainDocument(source);
        if (document !== undefined) expect(toHtml(document)).toBe(toHtml(parseMarkup(source)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("64 KB that is made to be slow", () => {
  const fill = (piece: string): string => piece.repeat(Math.ceil(65_536 / piece.length)).slice(0, 65_536);
  const deepList = Array.from({ length: 600 }, (_, depth) => `${" ".repeat((depth * 2) % 400)}- a`).join(
    "\n",
  );

  // Each takes a fraction of a second; without bounds these take minutes, overflow the stack or fill the memory.
  it.each([
    ["[", fill("[")],
    ["![", fill("![")],
    ["[a](", fill("[a](")],
    [">", fill(">")],
    ["> - ", fill("> - ")],
    ["*", fill("*")],
    ["*a ", fill("*a ")],
    ["nested emphasis", `${"*a ".repeat(10_000)}${"b* ".repeat(10_000)}`],
    ["_a__b_", fill("_a__b_")],
    ["`` ` ", fill("`` ` ")],
    ["<", fill("<")],
    ["<!--", fill("<!--")],
    ["- ", fill("- ")],
    ["a list", fill("- a\n")],
    ["a deep list", deepList],
    ["a wide table", `${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n${"|\n".repeat(20_000)}`],
    ["\\n", fill("\\n")],
    ["&#x202e;", fill("&#x202e;")],
    ["http://a ", fill("http://a ")],
    ["wide characters", fill("日本")],
    ["right-to-left words", fill("שלום ")],
    ["one word", fill("x")],
  ])("%s", (_name, source) => {
    const work = cpuMs(() => {
      const document = parseMarkdown(source);
      readHtml(toHtml(document));
      expect(toLines(document, { width: 40 }).length).toBeLessThanOrEqual(20_000);
    });
    expect(work).toBeLessThan(10_000);
  });
});
