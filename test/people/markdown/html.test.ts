import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/people/markdown/html.ts";
import { parseMarkdown } from "../../../src/people/markdown/parse.ts";
import { markdown } from "./arbitrary.ts";
import { readHtml } from "./html-tokens.ts";

const html = (source: string): string => toHtml(parseMarkdown(source));

describe("toHtml", () => {
  it.each([
    ["plain", `<p dir="auto">plain</p>`],
    [
      "a **b** *c* ~~d~~ `e`",
      `<p dir="auto">a <strong>b</strong> <em>c</em> <del>d</del> <code>e</code></p>`,
    ],
    ["# a\n\n##### b", `<h3 dir="auto">a</h3><h6 dir="auto">b</h6>`],
    ["a\nb", `<p dir="auto">a<br>b</p>`],
    ["> a", `<blockquote><p dir="auto">a</p></blockquote>`],
    ["---", "<hr>"],
    ["```ts\na <b>\n```", `<pre><code class="language-ts">a &lt;b&gt;</code></pre>`],
    [
      "```ts then <rm>\na\n```",
      `<p dir="auto"><code>ts then &lt;rm&gt;</code></p><pre><code class="language-ts">a</code></pre>`,
    ],
    ["```<b>\na\n```", `<p dir="auto"><code>&lt;b&gt;</code></p><pre><code>a</code></pre>`],
    ["- a\n  - b", `<ul><li dir="auto">a<ul><li dir="auto">b</li></ul></li></ul>`],
    ["3. a\n4. b", `<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>`],
    ["- a\n\n- b", `<ul><li dir="auto"><p dir="auto">a</p></li><li dir="auto"><p dir="auto">b</p></li></ul>`],
    [
      "- [x] a\n- [ ] b",
      `<ul><li dir="auto"><span class="task">☑</span> a</li><li dir="auto"><span class="task">☐</span> b</li></ul>`,
    ],
    [
      "|a|b|\n|-|-:|\n|1|2|",
      `<table><thead><tr><th dir="auto">a</th><th dir="auto" class="right">b</th></tr></thead><tbody><tr><td dir="auto">1</td><td dir="auto" class="right">2</td></tr></tbody></table>`,
    ],
  ])("writes %j", (source, expected) => {
    expect(html(source)).toBe(expected);
    readHtml(html(source));
  });

  it("links to http, https and mailto, and shows every other target as text", () => {
    const link = (href: string, text: string): string =>
      `<p dir="auto"><a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a></p>`;
    expect(html("[a](https://x.example/?a=1&amp;b=%22)")).toBe(link("https://x.example/?a=1&amp;b=%22", "a"));
    expect(html("<a@b.example>")).toBe(link("mailto:a@b.example", "a@b.example"));
    expect(html("![alt](http://x.example/a.png)")).toBe(link("http://x.example/a.png", "alt"));
    expect(html("![](http://x.example/a.png)")).toBe(
      link("http://x.example/a.png", "http://x.example/a.png"),
    );
    for (const target of [
      "javascript:alert(1)",
      "JaVaScript:alert(1)",
      "javascript&colon;alert(1)",
      "java&#115;cript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "//x.example",
      "docs/a.md",
    ]) {
      expect(html(`[a](${target})`)).not.toContain("<a ");
      expect(readHtml(html(`[a](${target})`))).toMatch(/^a \(.+\)$/);
    }
  });

  it("has no link within a link", () => {
    expect(readHtml(html("[![alt](https://x.example/i)](https://y.example/)"))).toBe(
      "alt (https://x.example/i)",
    );
    expect(html("[![alt](https://x.example/i)](https://y.example/)").match(/<a /g)).toHaveLength(1);
  });

  it("shows raw HTML, comments and the targets of links as they were written", () => {
    expect(readHtml(html("a <b onclick='x'>c</b> <!-- d -->"))).toBe("a <b onclick='x'>c</b> <!-- d -->");
    expect(readHtml(html("<script>\nalert(1)\n</script>"))).toBe("<script>\nalert(1)\n</script>");
    expect(readHtml(html("[//]: # (hidden)"))).toBe("[//]: # (hidden)");
  });

  it("writes only tags, attributes and values from the list, whatever it is given", () => {
    fc.assert(
      fc.property(markdown, (source) => {
        readHtml(html(source));
      }),
      { numRuns: 1_000 },
    );
  });

  it("lets no control character, bidi override or invisible character through", () => {
    fc.assert(
      fc.property(markdown, (source) => {
        expect(html(source)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
        );
      }),
      { numRuns: 500 },
    );
  });
});
