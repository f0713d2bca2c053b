import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { documentPages } from "./code-blocks.ts";
import { root } from "./repository.ts";

describe("the links between the documents", () => {
  it("are found", () => {
    const all = documentPages.flatMap((page) => linksOf(read(page)));
    expect(all).toEqual(expect.arrayContaining(["docs/cli.md", "operating.md#health", "#openapi"]));
  });

  it("lead to a file, and to a heading of it", () => {
    expect(documentPages.flatMap((page) => deadLinks(page, read(page)))).toEqual([]);
  });

  it("lead from docs/README.md to every page of docs", () => {
    const linked = linksOf(read("docs/README.md")).map((link) => link.split("#")[0]);
    const pages = readdirSync(join(root, "docs")).filter(
      (name) => name.endsWith(".md") && name !== "README.md",
    );
    expect(pages.filter((name) => !linked.includes(name))).toEqual([]);
  });

  it("are reported where they lead to nothing", () => {
    const text =
      "# One heading: `two`\n[a](#one-heading-two) [b](#none) [c](docs/none.md) [d](docs/cli.md#none) `[e](x)`";
    expect(deadLinks("README.md", text)).toEqual([
      "README.md: #none",
      "README.md: docs/none.md",
      "README.md: docs/cli.md#none",
    ]);
  });
});

function deadLinks(page: string, text: string): readonly string[] {
  return linksOf(text)
    .filter((link) => !leadsSomewhere(page, text, link))
    .map((link) => `${page}: ${link}`);
}

function leadsSomewhere(page: string, text: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : relative(root, join(root, dirname(page), path));
  if (path !== "" && !existsSync(join(root, target))) return false;
  if (anchor === undefined) return true;
  if (statSync(join(root, target)).isDirectory()) return false;
  return anchorsOf(path === "" ? text : read(target)).has(anchor);
}

/** The relative links of a page. Code is left out. */
function linksOf(text: string): readonly string[] {
  return [
    ...withoutFences(text)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of a page's headings, as GitHub and npm make them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function withoutFences(text: string): string {
  return text.replaceAll(/^(```+)[\s\S]*?^\1/gm, "");
}

function read(page: string): string {
  return readFileSync(join(root, page), "utf8");
}
