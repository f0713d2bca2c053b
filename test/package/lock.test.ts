import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe.each(["package-lock.json", "docs/package-lock.json", "test/adapters/package-lock.json"])(
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

    it("has the packages for all platforms; where not, run: node scripts/complete-lock.mjs [folder]", () => {
      const wanted = Object.values(packages).flatMap((locked) =>
        Object.keys(locked.optionalDependencies ?? {}),
      );
      const locked = Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
      expect(wanted.filter((name) => !locked.includes(name))).toEqual([]);
    });
  },
);
