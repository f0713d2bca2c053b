import { Option } from "commander";
import type { AskCommandFlags } from "../commands/ask.js";
import { ASK_HELP } from "../help.js";
import { FORMATS } from "../outcome-format.js";
import { collect, type Define, withRemote } from "./context.js";

export const defineAsk: Define = (program, { world, end }) => {
  const ask = program
    .command("ask")
    .description("ask a person and print the outcome: at this terminal, or through a server")
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
    .option("--session <id>", "with a server: the conversation that the ask belongs to")
    .option("--key <key>", "with a server: asking again with this key gives the same ask")
    .option("--recipient <person>", "with a server: who may answer; repeat it for each", collect);
  withRemote(ask, "nobody but whoever is at this terminal is asked")
    .addHelpText("after", ASK_HELP)
    .action(async (_flags, command) => {
      const { runAsk } = await import("../commands/ask.js");
      end(await runAsk(command.optsWithGlobals() as AskCommandFlags, world));
    });
};
