import { type Command, Option } from "commander";
import type { ListFlags } from "../commands/list.js";
import type { WatchFlags } from "../commands/watch.js";
import { type Define, examples, withRemote } from "./context.js";

/** Commands that look at asks and change nothing. */
export const defineLooking: Define = (program, { world, end }) => {
  looking(program.command("list").description("show what is waiting for an answer, or other asks"))
    .option("--status <status>", "pending, settled, all, or how they ended: answered, expired …", "pending")
    .option("--session <id>", "only those of this conversation")
    .option("--agent <id>", "only those of this agent")
    .option("--limit <count>", "how many at most, up to 500", "50")
    .option("--after <cursor>", "go on behind the page before")
    .option("--newest", "the newest first")
    .addHelpText(
      "after",
      examples(
        "askline list",
        "askline list --status all --newest",
        "askline list --json | jq -r '.asks[].id'",
      ),
    )
    .action(async (_flags, command: Command) => {
      const { runList } = await import("../commands/list.js");
      end(await runList(command.optsWithGlobals() as ListFlags, world));
    });

  looking(program.command("show").description("show one ask with everything needed to decide"))
    .argument("<id>", "its id, or at least four characters from the beginning or end of it")
    .addHelpText("after", examples("askline show 3f9a12bc", "askline show 3f9a12bc --json"))
    .action(async (id: string, _flags, command: Command) => {
      const { runShow } = await import("../commands/show.js");
      end(await runShow(id, command.optsWithGlobals(), world));
    });

  looking(program.command("audit").description("show what happened to an ask: who did what, when and where"))
    .argument("<id>", "its id, or at least four characters from the beginning or end of it")
    .addHelpText("after", AUDIT_HELP)
    .action(async (id: string, _flags, command: Command) => {
      const { runAudit } = await import("../commands/audit.js");
      end(await runAudit(id, command.optsWithGlobals(), world));
    });

  looking(program.command("watch").description("follow what is asked and answered, live"))
    .option("--session <id>", "only this conversation")
    .option("--agent <id>", "only this agent")
    .addHelpText(
      "after",
      `\nOn a terminal this is a table that keeps itself up to date; elsewhere each change is a line.\n${examples("askline watch", "askline watch --json | jq -c '[.id,.status]'")}`,
    )
    .action(async (_flags, command: Command) => {
      const { runWatch } = await import("../commands/watch.js");
      end(await runWatch(command.optsWithGlobals() as WatchFlags, world));
    });
};

const AUDIT_HELP = `
Asked, shown, opened, extended, overdue, and how it ended. "shown" means that it was sent to a surface of that
person while it was pending; "opened" that the person looked at it there.
${examples("askline audit 3f9a12bc", "askline audit 3f9a12bc --json")}`;

function looking(command: Command): Command {
  return withRemote(command).addOption(
    new Option("--as <role>", "which token of the credentials file to use")
      .choices(["person", "agent"])
      .default("person"),
  );
}
