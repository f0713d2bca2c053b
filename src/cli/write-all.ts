import type { Writable } from "node:stream";
import { CommandError } from "./command-error.js";
import { FAULT_EXIT_CODE } from "./exit-codes.js";

/** Writes the outcome. One that nobody receives is a fault: the caller must not go on as if it had it. */
export async function writeAll(output: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(
        new CommandError(`the outcome could not be written (${error.message})`, FAULT_EXIT_CODE, {
          cause: error,
        }),
      );
    };
    // Stays: some streams report one failed write twice.
    output.on("error", fail);
    output.write(text, (error) => {
      if (error) fail(error);
      else resolve();
    });
  });
}
