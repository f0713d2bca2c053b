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

  it("names each dialect, store and adapter, and nothing that is gone", () => {
    const exported = subpaths.filter((subpath) => subpath !== ".").sort();
    expect(exported).toEqual([...expectedSubpaths()].sort());
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

// dist/cli is not published: the commands are bundled, and what they use is inside of them.
function publishedModules(): readonly string[] {
  return readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(js|d\.ts)$/.test(path) && !/^(cli|bin)[\\/]/.test(path),
  );
}

// `askline` itself is core. Words, cells, Markdown and the inbox without a screen are for our own surfaces, and the
// commands are no library.
const NOT_EXPORTED = new Set(["core", "words", "cells", "markdown", "inbox", "cli"]);
/** What our own server and adapters use; agents come to them by other ways. */
const OWN_ADAPTERS = ["relay", "claude-code"];
// Their files are exported one by one; what dialects, adapters or stores share is our own.
const BY_FILE: Readonly<Record<string, (name: string) => string | undefined>> = {
  dialects: (name) =>
    name === "dialect" ? "./dialects" : name === "shared" ? undefined : `./dialects/${name}`,
  adapters: (name) => (OWN_ADAPTERS.includes(name) ? undefined : `./adapters/${name}`),
  stores: (name) => (name === "shared" ? undefined : `./${name}`),
};

function expectedSubpaths(): readonly string[] {
  return namesIn("src").flatMap((folder) => {
    if (NOT_EXPORTED.has(folder)) return [];
    const toSubpath = BY_FILE[folder];
    if (toSubpath === undefined) return [`./${folder}`];
    return namesIn(join("src", folder)).flatMap((name) => toSubpath(name) ?? []);
  });
}

/** The files and folders in a folder, without `.ts`, and without folders that have no file yet. */
function namesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() || readdirSync(join(root, folder, entry.name)).length > 0)
    .map((entry) => entry.name.replace(/\.ts$/, ""));
  return [...new Set(names)];
}
