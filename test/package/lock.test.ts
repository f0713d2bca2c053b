import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// Binaries for other platforms, of which our registry does not have these versions. What Linux on x64 with glibc
// installs is never among them.
const NOT_IN_OUR_REGISTRY =
  /\/(@biomejs\/cli|@oxc-parser\/binding|@rollup\/rollup|@github\/copilot-sdk|opencode)-(?!linux-x64(-gnu)?$)/;

describe.each(["package-lock.json", "docs/package-lock.json", "test/agents/package-lock.json"])(
  "%s",
  (path) => {
    const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(
      readFileSync(join(root, path), "utf8"),
    ).packages;

    it("names no registry, so that everybody installs from their own", () => {
      // A link leads to a folder beside the lock.
      const named = Object.values(packages).filter(({ link, resolved }) =>
        link === true ? !/^[\w-]+$/.test(resolved ?? "") : resolved !== undefined,
      );
      expect(named).toEqual([]);
    });

    it("has the integrity of every package; where not, run: node scripts/complete-lock.mjs [folder]", () => {
      const unchecked = Object.entries(packages).filter(
        ([path, { link, integrity }]) =>
          path.includes("node_modules/") && link !== true && !integrity?.startsWith("sha512-"),
      );
      const excused = unchecked.filter(
        ([path, { optional }]) => optional === true && NOT_IN_OUR_REGISTRY.test(path),
      );
      expect(unchecked.filter((entry) => !excused.includes(entry))).toEqual([]);
    });

    it("has the packages for all platforms; where not, run: node scripts/complete-lock.mjs [folder]", () => {
      const wanted = Object.values(packages).flatMap((locked) =>
        Object.keys(locked.optionalDependencies ?? {}),
      );
      const locked = Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
      expect(wanted.filter((name) => !locked.includes(name))).toEqual([]);
    });
  },
);
