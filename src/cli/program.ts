import { Command, CommanderError } from "commander";
import type { Context } from "./definitions/context.js";
import { defineAnswering } from "./definitions/define-answering.js";
import { defineAsk } from "./definitions/define-ask.js";
import { defineKeeping } from "./definitions/define-keeping.js";
import { defineLooking } from "./definitions/define-looking.js";
import { defineServing } from "./definitions/define-serving.js";
import { defineToken } from "./definitions/define-token.js";
import { defineToolbox } from "./definitions/define-toolbox.js";
import { MAIN_HELP } from "./help.js";
import { fitHelp } from "./help-width.js";
import { packageVersion } from "./package-version.js";

/** The whole command line. Defining a command loads nothing of what it does. */
export function createProgram(context: Context): Command {
  const { world } = context;
  const program = new Command("askline")
    .description("The line between AI agents and people: ask, answer, go on.")
    .option("-V, --version", "print the version")
    .option("--json", "print results, and errors too, as one line of JSON")
    .option("--verbose", "show the whole error when something fails")
    .addHelpText("after", MAIN_HELP)
    .configureHelp({ showGlobalOptions: true })
    .helpCommand("help [command]", "show the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(fitHelp(text, world.stdout.columns)),
      writeErr: (text) => world.stderr.write(fitHelp(text, world.stderr.columns)),
      outputError: () => undefined,
    })
    .on("option:version", () => {
      world.stdout.write(`${packageVersion()}\n`);
      throw new CommanderError(0, "askline.version", "");
    });

  program.commandsGroup("A server:");
  defineServing(program, context);
  defineToken(program, context);
  program.commandsGroup("Looking after a server:");
  defineKeeping(program, context);
  program.commandsGroup("For agents and scripts:");
  defineAsk(program, context);
  defineToolbox(program, context);
  program.commandsGroup("For people:");
  defineLooking(program, context);
  defineAnswering(program, context);
  return program;
}
