// The composition root: one command line in, one exit code out.

import { CommanderError } from "commander";
import { createProgram } from "./program.js";
import type { World } from "./world.js";

/** Runs one command line and returns its exit code. Never throws. */
export async function main(args: readonly string[], world: World): Promise<number> {
  // A reader that has gone away is found out where something is written, not by a crash.
  world.stdout.on("error", () => undefined);
  world.stderr.on("error", () => undefined);
  let exitCode = 0;
  const program = createProgram({
    world,
    end: (code) => {
      exitCode = code;
    },
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { reportError } = await import("./report-error.js");
    const { verbose, json } = program.opts();
    const command = program.commands.find(
      (known) => known.name() === args.find((arg) => !arg.startsWith("-")),
    );
    return reportError(
      error,
      { verbose: verbose === true, json: json === true, command: command?.name() },
      world,
    );
  }
}
