import type { Writable } from "node:stream";
import { CommandError } from "../command-error.js";
import { FAULT_EXIT_CODE } from "../exit-codes.js";

export interface LineWriter {
  /** Resolves when there is room for more. Rejects where somebody will not take what was written. */
  write(text: string): Promise<void>;
  /** Resolves when all of it has been taken. */
  end(): Promise<void>;
}

/** Writes many lines at the pace of their reader, with one listener for all. */
export function createLineWriter(output: Writable): LineWriter {
  let fail = (_error: Error): void => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = (error) =>
      reject(
        new CommandError(`what was exported could not be written (${error.message})`, FAULT_EXIT_CODE, {
          cause: error,
        }),
      );
  });
  failed.catch(() => undefined);
  // Stays: some streams report one failed write twice.
  output.on("error", (error: Error) => fail(error));
  const taken = (text: string): Promise<void> =>
    new Promise<void>((resolve) => {
      output.write(text, (error) => (error ? fail(error) : resolve()));
    });
  return {
    async write(text) {
      const all = taken(text);
      if (output.writableNeedDrain || output.destroyed) await Promise.race([all, failed]);
    },
    end: () => Promise.race([taken(""), failed]),
  };
}
