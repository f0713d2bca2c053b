import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.ts";

/** How a program of a user is compiled: an ES module for Node. */
export const USER_PROGRAM = {
  strict: true,
  skipLibCheck: true,
  target: "ES2023",
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
};

/** Type-checks what a tsconfig says, from `folder`, and returns what the compiler prints: "" where all is well. */
export function runTypescript(folder: string, config: object): string {
  const file = join(mkdtempSync(join(folder, "tsconfig-")), "tsconfig.json");
  writeFileSync(file, JSON.stringify(config));
  const home = join(root, "node_modules/typescript");
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const options = ["-p", file, "--noEmit", "--incremental", "false", "--tsBuildInfoFile", "null"];
  const result = spawnSync(process.execPath, [join(home, bin.tsc), ...options, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  const output = `${result.stdout}${result.stderr}`.trim();
  if (result.status !== 0 && output === "")
    throw new Error(`tsc ended with ${result.status ?? result.signal}`);
  return output;
}
