// Programs of Debian's packages that the server is tested with: PgBouncer and nginx.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installByApt } from "./install.mjs";

/** Where Debian and Homebrew put them, which need not be on the PATH. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/opt/homebrew/bin"];

/** Finds or installs them. If neither works, throws an error that says what to do. */
export async function ensurePrograms() {
  for (const name of ["pgbouncer", "nginx"]) {
    if (findProgram(name) !== undefined) continue;
    const failure = await installByApt(name, name);
    if (failure !== undefined || findProgram(name) === undefined) {
      throw new Error(`${name} is missing and could not be installed: ${failure}; install it by hand`);
    }
  }
}

/** The path of the program, if it is there. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...FOLDERS];
  return folders.map((folder) => join(folder, name)).find((program) => existsSync(program));
}
