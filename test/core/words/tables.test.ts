import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../../src/core/model/error.ts";
import { APPROVAL_LANGUAGES } from "../../../src/core/words/approval.ts";
import { CARD_LANGUAGES } from "../../../src/core/words/card.ts";
import { FORM_WORDS } from "../../../src/core/words/form.ts";
import { acceptedLanguage } from "../../../src/core/words/languages.ts";
import { errorText, PAGE_WORDS } from "../../../src/core/words/pages.ts";
import { SETTLED_LANGUAGES } from "../../../src/core/words/settled.ts";
import { INBOX_WORDS } from "../../../src/core/words/terminal-inbox.ts";
import { root } from "../../package/repository.ts";

type Tree = Readonly<Record<string, unknown>>;

interface Table {
  readonly name: string;
  readonly en: Tree;
  readonly vi: Tree;
  /** The folders of the surfaces that use it. */
  readonly folders: readonly string[];
  /** Whether code names this word by a key that it computes, such as `words[row.decision]`. */
  readonly isDynamic: (path: string) => boolean;
  /** Words that are the same in both languages. */
  readonly same: readonly string[];
}

const ROWS = new Set(["next", "skip", "reply", "decline", "back", "approve", "edit", "reject"]);

const tables: readonly Table[] = [
  {
    name: "form",
    ...(FORM_WORDS as unknown as { readonly en: Tree; readonly vi: Tree }),
    folders: ["people/terminal", "cli"],
    isDynamic: (path) => ROWS.has(path) || path.startsWith("outcomes."),
    same: [],
  },
  {
    name: "terminal inbox",
    ...(INBOX_WORDS as unknown as { readonly en: Tree; readonly vi: Tree }),
    folders: ["people/terminal/inbox", "people/inbox", "core/text"],
    // The commands of plain mode are one total table.
    isDynamic: (path) => /^(filters|plain\.help)\./.test(path),
    same: [],
  },
  {
    name: "page",
    ...(PAGE_WORDS as unknown as { readonly en: Tree; readonly vi: Tree }),
    folders: ["server/pages", "core/text"],
    isDynamic: (path) => /^(decided|ended|errors)\./.test(path),
    same: [],
  },
  {
    name: "card",
    en: CARD_LANGUAGES.en.words as unknown as Tree,
    vi: CARD_LANGUAGES.vi.words as unknown as Tree,
    folders: ["people/web"],
    isDynamic: (path) => ROWS.has(path) || /^(outcomes|marks)\.|^(clickAgain|args)$/.test(path),
    same: [],
  },
  {
    name: "approvals",
    ...(APPROVAL_LANGUAGES as unknown as { readonly en: Tree; readonly vi: Tree }),
    folders: ["people/web"],
    isDynamic: (path) => /^(removed|added)$|^remembers\./.test(path),
    same: [],
  },
  {
    name: "settled",
    ...(SETTLED_LANGUAGES as unknown as { readonly en: Tree; readonly vi: Tree }),
    folders: ["people/web"],
    isDynamic: (path) => path.startsWith("decisions."),
    same: [],
  },
];

/** `next`, `keys.move`, `plain.help.number` … */
function paths(tree: Tree, before = ""): readonly string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "object" ? paths(value as Tree, `${before}${key}.`) : [`${before}${key}`],
  );
}

function texts(tree: Tree): readonly unknown[] {
  return Object.values(tree).flatMap((value) =>
    typeof value === "object" ? texts(value as Tree) : typeof value === "string" ? [value] : [],
  );
}

function sourcesOf(folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, "src", folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFileSync(join(root, "src", folder, name), "utf8")),
    )
    .join("\n");
}

describe.each(tables)("the words of a $name", ({ en, vi, folders, isDynamic, same }) => {
  it("are whole in every language, and different", () => {
    expect(paths(vi)).toEqual(paths(en));
    const vietnamese = texts(vi);
    expect(texts(en).filter((word, index) => word === vietnamese[index])).toEqual(same);
  });

  it("are all used by a surface", () => {
    // Surfaces also take words from its functions.
    const sources = sourcesOf(folders) + readFileSync(join(root, "src/core/words/basics.ts"), "utf8");
    const unused = paths(en).filter((path) => {
      if (isDynamic(path)) return false;
      const key = path.split(".").at(-1) ?? "";
      const isNamed = path.startsWith("keys.") || path.startsWith("plain.help.");
      const used = isNamed
        ? new RegExp(`"${key}"`)
        : new RegExp(`(words|plain|own|remembers|\\.code\\])\\.${key}\\b`);
      return !used.test(sources);
    });
    expect(unused).toEqual([]);
  });
});

it.each(["en", "vi"] as const)("has a sentence in %s for every error that a page can show", (language) => {
  const words = PAGE_WORDS[language];
  for (const code of ERROR_CODES) expect(errorText(code, words)).toMatch(/^\p{Lu}.*\.$/u);
  const own = Object.keys(words.errors).filter((code) => code !== "other");
  expect(own.filter((code) => !ERROR_CODES.some((known) => known === code))).toEqual([]);
});

it.each([
  [null, "en"],
  ["", "en"],
  ["vi", "vi"],
  ["vi-VN,vi;q=0.9,en;q=0.8", "vi"],
  ["en-GB, vi;q=0.9", "en"],
  ["fr, en;q=0.2, vi;q=0.7", "vi"],
  ["fr;q=1, *;q=0.5", "en"],
  ["vi;q=0, en", "en"],
  [`${"x,".repeat(9_000)}vi`, "en"],
])("chooses a language by Accept-Language: %s", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});
