import { chmodSync, statSync } from "node:fs";
import { makeFolder } from "../../stores/sqlite/make-folder.js";
import { CommandError } from "../command-error.js";
import { FAULT_EXIT_CODE } from "../exit-codes.js";

/** Creates the folder for its owner alone. One that exists stays as it is. */
export function createDataFolder(path: string): void {
  try {
    // A strange umask must not leave the owner outside.
    if (makeFolder(path)) chmodSync(path, 0o700);
    if (!statSync(path).isDirectory()) throw new Error("it is no folder");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `the data folder ${path} cannot be used (${reason}); choose another with --data`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
  }
}
