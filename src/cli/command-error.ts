import { BAD_INPUT_EXIT_CODE } from "./exit-codes.js";

/** Ends a command with one line on stderr: what is wrong, and what to do about it. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  /** For `--json`: what was given is wrong, or something else is. */
  readonly code: "invalid_request" | "failed";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = BAD_INPUT_EXIT_CODE, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = exitCode === BAD_INPUT_EXIT_CODE ? "invalid_request" : "failed";
  }
}
