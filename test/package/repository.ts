import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root: string = join(import.meta.dirname, "../..");

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The subpaths that a program imports: `.`, `./terminal`, … (not the manifest and other files). */
export const subpaths: readonly string[] = Object.keys(manifest.exports).filter(
  (subpath) => !/\.(json|html)$/.test(subpath),
);

/** What a program writes to import a subpath: `askline/terminal` for `./terminal`. */
export function specifierOf(subpath: string): string {
  return `askline${subpath.slice(1)}`;
}
