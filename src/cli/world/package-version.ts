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

/** By the package's own name, for that is found from wherever the bundle puts this file. */
function ownPackage(): Package {
  return createRequire(import.meta.url)("askline/package.json") as Package;
}
