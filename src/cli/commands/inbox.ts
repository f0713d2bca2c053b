import { defined } from "../../core/kit/tools.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { type SurfaceFlags, surfaceOptions } from "../input/ask-person.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { SILENT } from "../output/logger.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withRemote(command)
    .option("--session <id>", "only this conversation")
    .option("--agent <id>", "only this agent")
    .option("--no-bell", "do not ring when a question comes in")
    .option("--plain", "line by line, for screen readers (ASKLINE_PLAIN)")
    .option("--lang <language>", "the language: en, vi (otherwise as LANG says)")
    .addHelpText("after", HELP)
    .action(async () => end(await runInboxCommand(command.optsWithGlobals() as InboxFlags, world)));
};

const HELP = `
Needs a terminal. "askline link" prints a link that opens the inbox in a browser.
${examples("askline inbox", "askline inbox --session api", "askline inbox --plain")}`;

interface InboxFlags extends RemoteFlags, SurfaceFlags {
  readonly session?: string;
  readonly agent?: string;
  readonly bell: boolean;
}

// The screen shows outages itself; a message would be written over it.
/** `askline inbox`: the pending asks of a person, live, with their forms. */
async function runInboxCommand(flags: InboxFlags, world: World): Promise<number> {
  if (world.stdin.isTTY !== true || world.stderr.isTTY !== true) {
    throw new CommandError(
      'askline inbox needs a terminal; "askline link" prints a link that opens the inbox in a browser, and "askline list" prints what is waiting',
    );
  }
  const interruption = world.interruption();
  try {
    return await withClient(
      flags,
      "person",
      world,
      async ({ client, url, hint }) => {
        const { runInbox } = await import("../../people/terminal/inbox/run-inbox.js");
        const { ending, failure, unsaved } = await runInbox(
          {
            inbox: client,
            // The server takes the person from the token.
            by: { kind: "person", id: world.user, surface: "terminal" },
            url,
            filter: defined({ session: flags.session, agentId: flags.agent }),
            bell: flags.bell,
            input: world.stdin,
            output: world.stderr,
            ...surfaceOptions(flags, world),
          },
          interruption.signal,
        );
        for (const id of unsaved) {
          world.stderr.write(
            `askline: what you typed for ${id} could not be saved; the ask is still open: askline answer ${id}${hint}\n`,
          );
        }
        if (ending === "failed") throw failure;
        if (ending === "left") return unsaved.length === 0 ? 0 : FAULT_EXIT_CODE;
        if (ending === "ended") return FAULT_EXIT_CODE;
        return SIGNAL_EXIT_CODES[interruption.received() ?? "SIGINT"];
      },
      { logger: SILENT },
    );
  } finally {
    interruption.dispose();
    world.stdin.destroy();
  }
}
