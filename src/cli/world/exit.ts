import type { OutcomeKind } from "../../core/model/kinds.js";
import type { Outcome } from "../../core/model/outcome.js";

/** The exit code for each outcome. `docs/cli.md` and `askline ask --help` show this table. */
export const OUTCOME_EXIT_CODES: Readonly<Record<OutcomeKind, number>> = {
  answered: 0,
  decided: 0,
  declined: 3,
  expired: 4,
  unavailable: 5,
  replied: 6,
  withdrawn: 130,
} satisfies Record<OutcomeKind, number>;

/** An unexpected error, or the outcome could not be written. */
export const FAULT_EXIT_CODE = 1;

/** The command line or the ask is invalid; nobody was asked. */
export const BAD_INPUT_EXIT_CODE = 2;

/** By convention 128 plus the signal's number. */
export const SIGNAL_EXIT_CODES: Readonly<Record<InterruptSignal, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

export type InterruptSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

/**
 * A rejected action exits like a declined ask: `askline ask --file deploy.json && ./deploy` must not continue.
 */
export function exitCodeOf(outcome: Outcome): number {
  const rejected =
    outcome.kind === "decided" && outcome.decisions.some((decision) => decision.kind === "reject");
  return OUTCOME_EXIT_CODES[rejected ? "declined" : outcome.kind];
}

/** Ends a command with one line on stderr: what is wrong and what to do. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  /** For `--json`: whether the input was invalid or something else failed. */
  readonly code: "invalid_request" | "failed";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = BAD_INPUT_EXIT_CODE, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = exitCode === BAD_INPUT_EXIT_CODE ? "invalid_request" : "failed";
  }
}
