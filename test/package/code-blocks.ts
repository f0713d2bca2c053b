import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.ts";

/** Every page that people read, by its path in the repository. */
export const documentPages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  "bench/README.md",
  ...["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  ),
];

/** A fenced block of a Markdown page: what stands after the fence, the line of the fence, what is inside. */
export interface CodeBlock {
  readonly language: string;
  readonly line: number;
  readonly text: string;
}

/** The fenced blocks of a page, also those indented below a list item. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { readonly fence: string; readonly language: string; readonly line: number } | undefined;
  let inside: string[] = [];
  markdown.split("\n").forEach((text, index) => {
    const [, fence = "", info = ""] = /^\s*(`{3,}|~{3,})\s*(.*?)\s*$/.exec(text) ?? [];
    if (open === undefined) {
      if (fence !== "") open = { fence, language: info, line: index + 1 };
    } else if (fence.startsWith(open.fence) && info === "") {
      blocks.push({ language: open.language, line: open.line, text: inside.join("\n") });
      open = undefined;
      inside = [];
    } else {
      inside.push(text);
    }
  });
  return blocks;
}
