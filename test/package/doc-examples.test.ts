import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlocks, documentPages } from "./code-blocks.ts";
import { manifest, root, specifierOf, subpaths } from "./repository.ts";
import { runTypescript, USER_PROGRAM } from "./typescript.ts";

// Every TypeScript block is a program of its own: a reader copies one, not the page. What is not meant to
// compile is written as js, json, sh or without a language.
describe("the examples in the documents", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "askline-docs-"));
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
    // For the packages that a program uses beside ours, such as an MCP SDK.
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("are found", () => {
    expect(documentPages).toEqual(expect.arrayContaining(["README.md", join("docs", "architecture.md")]));
    expect(blocksOf(documentPages).length).toBeGreaterThan(0);
  });

  it("are marked as ts and nothing more, so that none is left out", () => {
    const marked = documentPages.flatMap((page) =>
      codeBlocks(readPage(page))
        .filter(({ language }) => /^(typescript\b|ts\W|tsx)/.test(language))
        .map(({ line, language }) => `${page}:${line} ${language}`),
    );
    expect(marked).toEqual([]);
  });

  it("compile against the built package", () => {
    const files = blocksOf(documentPages).map(({ page, line, text }) =>
      writeExample(`${page}.${line}.ts`, text),
    );
    expect(compile(files)).toBe("");
  });

  // Parts of programs, often of somebody else's framework: they need not compile alone.
  it("are JavaScript where they say so", () => {
    const blocks = documentPages.flatMap((page) =>
      codeBlocks(readPage(page))
        .filter(({ language }) => language === "js")
        .map(({ line, text }) => ({ at: `${page}:${line}`, text })),
    );
    expect(blocks.length).toBeGreaterThan(5);
    const wrong = [...blocks, { at: "wrong", text: "const = 1;" }].flatMap(({ at, text }) =>
      parseSync("example.mjs", text).errors.map(({ message }) => `${at}: ${message}`),
    );
    expect(wrong).toEqual([expect.stringMatching(/^wrong: /)]);
  });

  it("would not all compile if one were wrong", () => {
    const wrong = writeExample("wrong.ts", `import { parseAsk } from "askline";\nparseAsk().missing;\n`);
    expect(compile([wrong])).toMatch(/wrong\.ts\(2,1\): error TS2554/);
  });

  function writeExample(name: string, text: string): string {
    const path = join(folder, "examples", name);
    mkdirSync(dirname(path), { recursive: true });
    // Without an import or an export, a file shares its names with all others like it.
    writeFileSync(path, `${text}\nexport {};\n`);
    return path;
  }

  function compile(files: readonly string[]): string {
    return runTypescript(folder, {
      compilerOptions: {
        ...USER_PROGRAM,
        paths: Object.fromEntries(subpaths.map((subpath) => [specifierOf(subpath), [typesOf(subpath)]])),
      },
      files,
    });
  }
});

function blocksOf(pages: readonly string[]): readonly { page: string; line: number; text: string }[] {
  return pages.flatMap((page) =>
    codeBlocks(readPage(page))
      .filter(({ language }) => language === "ts")
      .map(({ line, text }) => ({ page, line, text })),
  );
}

function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

function typesOf(subpath: string): string {
  const target = manifest.exports[subpath];
  return join(root, typeof target === "object" ? (target.types ?? "") : "");
}
