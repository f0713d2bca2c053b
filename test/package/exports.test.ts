import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageOf } from "./import-rules/check-imports.ts";
import { findImports } from "./import-rules/find-imports.ts";
import { manifest, root, subpaths } from "./repository.ts";

describe("package.json exports", () => {
  it.each(Object.entries(manifest.exports))("%s leads to files that the build makes", (_subpath, target) => {
    const paths = typeof target === "string" ? [target] : Object.values(target);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(Object.entries(manifest.bin))("%s leads to a file that the build makes", (_command, path) => {
    expect(existsSync(join(root, path))).toBe(true);
  });

  it("has a subpath for each index, dialect, store and adapter", () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    const indexes = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => /(^|\/)index\.ts$/.test(path));
    expect(indexes.length).toBeGreaterThan(15);
    expect(indexes.filter((path) => !targets.includes(`./dist/${path.replace(/\.ts$/, ".js")}`))).toEqual([]);
    expect(BY_NAME.flatMap(expectedSubpaths).filter((subpath) => !subpaths.includes(subpath))).toEqual([]);
  });
});

describe("package.json dependencies", () => {
  it("has every package that the published files import", () => {
    const installed = { ...manifest.dependencies, ...manifest.peerDependencies };
    const missing = publishedModules()
      .flatMap((file) =>
        findImports(file, readFileSync(join(root, "dist", file), "utf8")).map(toPackage(file)),
      )
      .filter(({ name }) => !name.startsWith(".") && name !== "node:" && !(name in installed));
    expect(missing).toEqual([]);
  });
});

function toPackage(file: string): (found: { readonly specifier: string | undefined }) => {
  readonly file: string;
  readonly name: string;
} {
  return ({ specifier = "a computed name" }) => ({ file, name: packageOf(specifier) });
}

// dist/cli and the set-up of agents are not published: the commands are bundled, and what they use is inside of them.
function publishedModules(): readonly string[] {
  return readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(js|d\.ts)$/.test(path) && !/^(cli|bin|agents[\\/]set-up)[\\/]/.test(path),
  );
}

/** Folders whose files and folders are each a subpath, and which of them are our own. */
const BY_NAME: readonly {
  readonly folder: string;
  readonly before: string;
  readonly own: readonly string[];
}[] = [
  { folder: "agents/shapes", before: "./dialects/", own: ["dialect", "shared"] },
  { folder: "agents/exports", before: "./dialects/", own: ["index"] },
  { folder: "agents/frameworks", before: "./adapters/", own: [] },
  {
    folder: "agents",
    before: "./adapters/",
    own: ["exports", "frameworks", "relay", "sessions", "set-up", "shapes", "tool"],
  },
  { folder: "hub/stores", before: "./", own: ["memory", "shared"] },
];

function expectedSubpaths({ folder, before, own }: (typeof BY_NAME)[number]): readonly string[] {
  return namesIn(join("src", folder))
    .filter((name) => !own.includes(name))
    .map((name) => `${before}${name}`);
}

/** The files and folders in a folder, without `.ts`, and without folders that have no file yet. */
function namesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() || readdirSync(join(root, folder, entry.name)).length > 0)
    .map((entry) => entry.name.replace(/\.ts$/, ""));
  return [...new Set(names)];
}
