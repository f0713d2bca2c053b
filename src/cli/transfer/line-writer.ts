import type { Writable } from "node:stream";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";

export interface LineWriter {
  /** Resolves when there is room for more. Rejects where somebody will not take what was written. */
  write(text: string): Promise<void>;
  /** Resolves when all of it has been taken. */
  end(): Promise<void>;
}

/** Writes many lines at the pace of their reader, with one listener for all. */
export function createLineWriter(output: Writable): LineWriter {
  let failure: CommandError | undefined;
  let rejectWaiting = (_failure: CommandError): void => undefined;
  const fail = (error: Error): void => {
    failure ??= new CommandError(
      `what was exported could not be written (${error.message})`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
    rejectWaiting(failure);
  };
  // Stays: some streams report one failed write twice.
  output.on("error", fail);
  const taken = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      rejectWaiting = reject;
      output.write(text, (error) => (error ? fail(error) : resolve()));
    });
  return {
    async write(text) {
      if (failure !== undefined) throw failure;
      if (output.writableLength < output.writableHighWaterMark) {
        output.write(text, (error) => void (error && fail(error)));
      } else await taken(text);
    },
    async end() {
      if (failure !== undefined) throw failure;
      await taken("");
    },
  };
}
