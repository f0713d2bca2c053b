// The composition root: one command line in, one exit code out.

import { type Command, CommanderError } from "commander";
import type { Context } from "./input/command.js";
import { createProgram } from "./program.js";
import type { World } from "./world/world.js";

/** Runs one command line and returns its exit code. Never throws. */
export async function main(given: readonly string[], world: World): Promise<number> {
  const isBare = given.every((arg) => arg === "--json" || arg === "--verbose");
  const args = isBare ? ["status", ...given] : given;
  // A closed pipe is handled at each write and must not crash the process.
  world.stdout.on("error", () => undefined);
  world.stderr.on("error", () => undefined);
  let exitCode = 0;
  const context: Context = {
    world,
    end: (code) => {
      exitCode = code;
    },
  };
  const program = await createProgram(args, context);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { reportError } = await import("./output/report-error.js");
    const { verbose, json } = program.opts();
    const command = calledName(program, args);
    return reportError(error, { verbose: verbose === true, json: json === true, command }, world);
  }
}

/** The command that was called, as in `list` or `token create`; undefined if it is unknown. */
function calledName(program: Command, args: readonly string[]): string | undefined {
  const names: string[] = [];
  let within = program;
  for (const word of args.filter((arg) => !arg.startsWith("-"))) {
    const found = within.commands.find((known) => known.name() === word);
    if (found === undefined) break;
    names.push(word);
    within = found;
  }
  return names.length === 0 ? undefined : names.join(" ");
}
