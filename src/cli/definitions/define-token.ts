import { type Command, Option } from "commander";
import type { CreateTokenFlags } from "../commands/token.js";
import { collect, type Define, examples, withDatabase } from "./context.js";

export const defineToken: Define = (program, { world, end }) => {
  const token = program
    .command("token")
    .description("make, list and revoke tokens, in the store itself")
    .addHelpText("after", examples("askline token create --role agent --name ci", "askline token list"));

  withDatabase(token.command("create").description("make a token and print it, once"))
    .addOption(
      new Option("--role <role>", "what it may do")
        .choices(["agent", "person", "admin"])
        .makeOptionMandatory(),
    )
    .option("--person <id>", "for --role person: who it is")
    .option("--name <name>", "for an agent: the name that its asks are kept under")
    .option("--session <id>", "only this conversation; repeat it", collect)
    .option("--expires <duration>", "how long it works: 12h, 30d; for ever where not given")
    .addHelpText(
      "after",
      examples(
        "askline token create --role agent --name ci --expires 30d",
        "askline token create --role person --person ana",
        "ASKLINE_TOKEN=$(askline token create --role admin --name ops)",
      ),
    )
    .action(async (_flags, command: Command) => {
      const { runTokenCreate } = await import("../commands/token.js");
      end(await runTokenCreate(command.optsWithGlobals() as CreateTokenFlags, world));
    });

  withDatabase(token.command("list").description("show all tokens, without their secrets"))
    .addHelpText("after", examples("askline token list", "askline token list --json"))
    .action(async (_flags, command: Command) => {
      const { runTokenList } = await import("../commands/token.js");
      end(await runTokenList(command.optsWithGlobals(), world));
    });

  withDatabase(token.command("revoke").description("make a token stop working"))
    .argument("<id>", 'its id, as "askline token list" shows it, or the beginning of that')
    .addHelpText("after", examples("askline token revoke 3f9a12bc77d0"))
    .action(async (id: string, _flags, command: Command) => {
      const { runTokenRevoke } = await import("../commands/token.js");
      end(await runTokenRevoke(id, command.optsWithGlobals(), world));
    });
};
