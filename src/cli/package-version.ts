import { createRequire } from "node:module";

/** By the package's own name, for that is found from wherever the bundle puts this file. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("askline/package.json") as { readonly version: string };
  return version;
}
