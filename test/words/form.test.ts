import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORM_WORDS, formWords } from "../../src/words/index.ts";
import { root } from "../package/repository.ts";

type Tree = Readonly<Record<string, unknown>>;

/** `next`, `keys.move`, `plain.help.number` … */
function paths(tree: Tree, before = ""): readonly string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" ? paths(value as Tree, `${before}${key}.`) : [`${before}${key}`],
  );
}

const sources = ["terminal", "cli"]
  .flatMap((folder) =>
    readdirSync(join(root, "src", folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(root, "src", folder, name), "utf8")),
  )
  .join("\n");

describe("the words of a form", () => {
  it("are whole in every language, and different", () => {
    const { en, vi } = FORM_WORDS;
    expect(paths(vi as unknown as Tree)).toEqual(paths(en as unknown as Tree));
    const text = (tree: Tree): readonly unknown[] =>
      Object.values(tree).flatMap((value) =>
        typeof value === "object" ? text(value as Tree) : typeof value === "string" ? [value] : [],
      );
    const [english, vietnamese] = [text(en as unknown as Tree), text(vi as unknown as Tree)];
    expect(english.filter((word, index) => word === vietnamese[index])).toEqual([]);
  });

  it("are all used by a surface", () => {
    // Rows name their own words: `words[row.decision]`, `words[command]`.
    const dynamic = new Set(["next", "skip", "reply", "decline", "back", "approve", "edit", "reject"]);
    const unused = paths(formWords("en") as unknown as Tree).filter((path) => {
      const key = path.split(".").at(-1) ?? "";
      if (dynamic.has(path) || path.startsWith("outcomes.")) return false;
      const isNamed = path.startsWith("keys.") || path.startsWith("plain.help.");
      const used = isNamed ? new RegExp(`"${key}"`) : new RegExp(`(words|plain)\\.${key}\\b`);
      return !used.test(sources);
    });
    expect(unused).toEqual([]);
  });

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
