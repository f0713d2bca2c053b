import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRules } from "./import-rules/read-rules.ts";
import { root } from "./repository.ts";
import { runTypescript } from "./typescript.ts";

// The build compiles with Node's globals and without the browser's. Compiled here the other way round, a
// file can only use what both have: no `process`, no `Buffer`, no `document`.
describe("folders that run in browsers too", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "askline-portable-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const rules = readRules(readFileSync(join(root, "docs/architecture.md"), "utf8"));
  const portable = rules
    .filter(({ planned, packages }) => !planned && packages !== "all" && !packages.includes("node:"))
    .map((rule) => rule.folder);

  it("are core and the dialects at least", () => {
    expect(portable).toEqual(expect.arrayContaining(["core", "dialects"]));
  });

  it.each(portable)("%s compiles without Node's globals", (name) => {
    expect(compileForBrowser([join(root, "src", name)])).toBe("");
  });

  it("would find a global of Node", () => {
    writeFileSync(join(folder, "node.ts"), "export const platform: string = process.platform;\n");
    expect(compileForBrowser([folder])).toMatch(/node\.ts\(1,\d+\): error TS\d+: Cannot find name 'process'/);
  });

  function compileForBrowser(include: readonly string[]): string {
    const files = include.flatMap((path) =>
      readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => join(path, file)),
    );
    return runTypescript(folder, {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { lib: ["ES2023", "DOM"], types: [], rootDir: "/", composite: false },
      files,
      include: [],
    });
  }
});
