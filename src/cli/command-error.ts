import { BAD_INPUT_EXIT_CODE } from "./exit-codes.js";

/** Ends a command with one line on stderr: what is wrong, and what to do about it. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = BAD_INPUT_EXIT_CODE, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
