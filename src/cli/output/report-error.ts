import { CommanderError } from "commander";
import { formatIssues } from "../../core/kit/issue.js";
import { messageOf } from "../../core/kit/tools.js";
import { AsklineError, type ErrorCode, meaningOf } from "../../core/model/error.js";
import { displayLine } from "../../core/text/display.js";
import { BAD_INPUT_EXIT_CODE, CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";
import { jsonText } from "./print.js";

export interface ReportOptions {
  readonly verbose: boolean;
  readonly json: boolean;
  /** The command that failed, if it is known. */
  readonly command: string | undefined;
}

/** Prints on stderr, in one line, what is wrong and what to do. Returns the exit code. */
export function reportError(error: unknown, { verbose, json, command }: ReportOptions, world: World): number {
  // Without a command, the help has already been printed.
  if (error instanceof CommanderError && error.code === "commander.help") return BAD_INPUT_EXIT_CODE;
  const { code, message, nextStep, exitCode } = describeError(error, command, verbose);
  const line = displayLine(nextStep === undefined ? message : `${message}; ${nextStep}`);
  const stack = verbose && error instanceof Error ? `\n${stackOf(error)}` : "";
  const details = error instanceof AsklineError ? { issues: error.issues, outcome: error.outcome } : {};
  const shown = json
    ? jsonText({ error: { code, message: line, ...details } }, { isTTY: world.stderr.columns !== undefined })
    : `askline: ${line}`;
  world.stderr.write(`${shown}${stack}\n`);
  return exitCode;
}

interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly nextStep?: string | undefined;
  readonly exitCode: number;
}

function describeError(error: unknown, command: string | undefined, verbose: boolean): ErrorReport {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "").replace(/\.$/, "");
    const nextStep = `run "askline ${command === undefined ? "" : `${command} `}--help" for usage`;
    return { code: "invalid_request", message, nextStep, exitCode: BAD_INPUT_EXIT_CODE };
  }
  if (error instanceof CommandError) {
    return { code: error.code, message: error.message, exitCode: error.exitCode };
  }
  if (error instanceof AsklineError) {
    return {
      code: error.code,
      message: withIssues(error),
      nextStep: NEXT_STEPS[error.code],
      exitCode: meaningOf(error.code).exit ?? 1,
    };
  }
  return {
    code: "internal",
    message: messageOf(error),
    nextStep: verbose ? undefined : "run it again with --verbose for details",
    exitCode: FAULT_EXIT_CODE,
  };
}

/** Appends the issues, unless the message already lists them. */
function withIssues({ message, issues = [] }: AsklineError): string {
  const list = formatIssues(issues);
  const whole = list === "" || message.includes(list) ? message : `${message}: ${list}`;
  return whole.replaceAll(":\n", ": ").replaceAll("\n", "; ");
}

/** For codes whose message does not say what to do. */
const NEXT_STEPS: Readonly<Partial<Record<ErrorCode, string>>> = {
  unreachable: 'check that it runs; "askline serve" starts a server, --url selects another',
  unauthorized: 'check --token or ASKLINE_TOKEN; "askline token create" creates a token',
  invalid_answer: "the ask is still pending",
  already_settled: '"askline show" shows how it ended',
  not_found: '"askline list --status all" lists the asks you may see',
};

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
