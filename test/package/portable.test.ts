import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Allowed, readRules } from "./import-rules/read-rules.ts";
import { root } from "./repository.ts";
import { runTypescript } from "./typescript.ts";

// The build compiles with Node's globals and without the browser's. Compiled here the other way round, a
// file can only use what both have: no `process`, no `Buffer`, no `document`.
describe("what runs in browsers too", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "askline-portable-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const { folders, rooms } = readRules(readFileSync(join(root, "docs/architecture.md"), "utf8"));
  /** The rooms of each folder that may import nothing of Node; the whole folder where that is so of all of them. */
  const portable = folders.flatMap(({ folder, packages }) => {
    const inside = rooms.filter((room) => room.folder === folder);
    const kept = inside.filter((room) => isPortable(room.packages ?? packages));
    if (isPortable(packages) && kept.length === inside.length) return [[folder]];
    return kept.length === 0 ? [] : [kept.map(({ room }) => `${folder}/${room}`)];
  });

  it("is all of core and the client, and the agents but for three rooms", () => {
    expect(portable).toEqual(expect.arrayContaining([["core"], ["client"]]));
    expect(portable.flat()).toEqual(expect.arrayContaining(["agents/shapes", "people/form", "people/web"]));
    expect(portable.flat()).not.toContain("people/terminal");
  });

  it.each(portable.map((paths) => [paths.join(", "), paths] as const))(
    "%s: compiles without Node's globals",
    (_name, paths) => {
      expect(compileForBrowser(paths.map((path) => join(root, "src", path)))).toBe("");
    },
  );

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

function isPortable(packages: Allowed): boolean {
  return packages !== "all" && !packages.includes("node:");
}
