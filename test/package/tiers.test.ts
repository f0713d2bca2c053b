import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { testFiles } from "../../scripts/tiers.mjs";
import { packageOf } from "./import-rules/check-imports.ts";
import { findImports } from "./import-rules/find-imports.ts";
import { root } from "./repository.ts";

const FRAMEWORKS = Object.keys(
  JSON.parse(readFileSync(join(root, "test/agents/package.json"), "utf8")).devDependencies,
).filter((name) => !existsSync(join(root, "node_modules", name)));

describe("the tests of npm run test:core", () => {
  it("need no browser and no database", () => {
    const support = [
      "test/support/chromium.ts",
      "test/support/postgres.ts",
      "test/support/shared-postgres.ts",
    ];
    expect(reaching(["core"], (imported) => support.includes(imported))).toEqual([]);
  });
});

describe("the tests of npm test", () => {
  it("need no agent framework", () => {
    const isFramework = (imported: string): boolean => FRAMEWORKS.includes(imported);
    expect(reaching(["core", "machine"], isFramework)).toEqual([]);
    // The rule would find one.
    expect(reaching(["check"], isFramework)).toContain("test/agents/langchain.test.ts");
  });

  it("need no Deno and no Bun", () => {
    const isRuntime = (imported: string): boolean => imported === "scripts/prerequisites/runtimes.mjs";
    expect(reaching(["core", "machine"], isRuntime)).toEqual([]);
  });
});

/** The test files of these tiers that import such a file or package, directly or through other files of the tests. */
function reaching(tiers: readonly string[], matches: (imported: string) => boolean): readonly string[] {
  return testFiles(tiers).filter((file) => [...reachedFrom(file)].some(matches));
}

const known = new Map<string, readonly string[]>();

function reachedFrom(file: string, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  if (!/^test\/.*\.tsx?$/.test(file)) return reached;
  const imports = known.get(file) ?? importsOf(file);
  known.set(file, imports);
  for (const imported of imports) reachedFrom(imported, reached);
  return reached;
}

function importsOf(file: string): readonly string[] {
  return findImports(file, readFileSync(join(root, file), "utf8")).flatMap(({ specifier }) => {
    if (specifier === undefined) return [];
    if (!specifier.startsWith(".")) return [packageOf(specifier)];
    const path = resolve(root, dirname(file), specifier);
    const found = [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")].find(existsSync);
    return found === undefined ? [] : [relative(root, found)];
  });
}
