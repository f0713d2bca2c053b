import { createRequire } from "node:module";

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

export function packageVersion(): string {
  return ownPackage().version;
}

/** The lowest version of Node that this package runs on, as in `20.19`. */
export function lowestNode(): string {
  return ownPackage().engines.node.replace(/^>=/, "");
}

/** Found by the package's own name, which works wherever the bundle puts this file. */
function ownPackage(): Package {
  return createRequire(import.meta.url)("askline/package.json") as Package;
}
