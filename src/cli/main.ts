// The composition root: the command line, and nothing else. What a command does is loaded when it runs.

import { createRequire } from "node:module";
import { Command, CommanderError, Option } from "commander";
import { CommandError } from "./command-error.js";
import type { AskCommandFlags } from "./commands/ask.js";
import { BAD_INPUT_EXIT_CODE, FAULT_EXIT_CODE } from "./exit-codes.js";
import { ASK_HELP, MAIN_HELP, TOOLBOX_HELP } from "./help.js";
import { FORMATS } from "./outcome-format.js";
import type { World } from "./world.js";

/** Runs one command line and returns its exit code. Never throws. */
export async function main(
  args: readonly string[],
  world: World,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // A reader that has gone away is found out where something is written, not by a crash.
  world.stdout.on("error", () => undefined);
  world.stderr.on("error", () => undefined);
  let exitCode = 0;
  const program = createProgram(world, environment, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return report(error, program.opts().verbose === true, world);
  }
}

function createProgram(
  world: World,
  environment: Readonly<Record<string, string | undefined>>,
  end: (exitCode: number) => void,
): Command {
  const program = new Command("askline")
    .description("Ask a person a structured question and go on with the answer.")
    .option("-V, --version", "print the version")
    .option("--verbose", "show the whole error when something fails")
    .addHelpText("after", MAIN_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: () => undefined,
    })
    .on("option:version", () => {
      world.stdout.write(`${packageVersion()}\n`);
      throw new CommanderError(0, "askline.version", "");
    });

  program
    .command("ask")
    .description("ask the person at this terminal and print the outcome")
    .option("-q, --question <text>", "the question")
    .option("--header <text>", "a short label for the question")
    .option(
      "-o, --option <label>",
      'a choice, "Label" or "Label :: Description"; repeat it for each',
      collect,
    )
    .option("-m, --multi", "several choices may be picked")
    .option("-c, --context <markdown>", "what the person should know to decide")
    .option("-f, --file <path>", "a JSON ask; - is stdin")
    .addOption(new Option("--format <format>", "how to print the outcome").choices(FORMATS).default("text"))
    .option("-t, --timeout <duration>", "expire after this long: 500ms, 30s, 5m, 2h")
    .addHelpText("after", ASK_HELP)
    .action(async (flags: AskCommandFlags) => {
      const { runAsk } = await import("./commands/ask.js");
      end(await runAsk(flags, world));
    });

  program
    .command("toolbox")
    .description("speak the toolbox protocol of ask_user (TOOLBOX_ACTION)")
    .addHelpText("after", TOOLBOX_HELP)
    .action(async () => {
      const { runToolboxCommand } = await import("./commands/toolbox.js");
      end(runToolboxCommand(environment.TOOLBOX_ACTION));
    });
  return program;
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** By the package's own name, for that is found from wherever the bundle puts this file. */
function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("askline/package.json") as { readonly version: string };
  return version;
}

function report(error: unknown, verbose: boolean, world: World): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // The help that stands for a missing command has been shown already.
  if (error instanceof CommanderError && error.code === "commander.help") return BAD_INPUT_EXIT_CODE;
  if (error instanceof CommanderError) {
    const message = error.message
      .replace(/^error: /, "")
      .replaceAll("\n", " ")
      .replace(/\.$/, "");
    world.stderr.write(`askline: ${message}; run "askline --help" for what there is\n`);
    return BAD_INPUT_EXIT_CODE;
  }
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof CommandError;
  const details = verbose && error instanceof Error ? `\n${error.stack}` : "";
  const nextStep = known || verbose ? "" : "; run it again with --verbose for the details";
  world.stderr.write(`askline: ${message.replaceAll("\n", " ")}${nextStep}${details}\n`);
  return known ? error.exitCode : FAULT_EXIT_CODE;
}
