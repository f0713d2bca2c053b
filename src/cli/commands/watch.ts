import type { Client } from "../../client/connect.js";
import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { type Define, examples, withReader } from "../input/command.js";
import { askerName, askSummary, outcomeSummary, statusLine } from "../output/ask-summary.js";
import { stderrLogger } from "../output/logger.js";
import { columnsOf, jsonText } from "../output/print.js";
import { exactTime } from "../output/units.js";
import { openWatchScreen, outageNotice, type WatchScreen } from "../output/watch-screen.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withReader(command)
    .option("--session <id>", "only this conversation")
    .option("--agent <id>", "only this agent")
    .addHelpText("after", HELP)
    .action(async () => end(await runWatch(command.optsWithGlobals() as WatchFlags, world)));
};

const HELP = `
On a terminal, shows a table that is kept up to date; otherwise prints a line for each change.
${examples("askline watch", "askline watch --json | jq -c '[.id,.status]'")}`;

export interface WatchFlags extends RemoteFlags {
  readonly session?: string;
  readonly agent?: string;
}

/** `askline watch`: a live table of pending asks on a terminal, otherwise a line for each change. */
async function runWatch(flags: WatchFlags, world: World): Promise<number> {
  const interruption = world.interruption();
  const filter = defined({ session: flags.session, agentId: flags.agent });
  const live = !flags.json && columnsOf(world) !== undefined;
  let shown: { readonly screen: WatchScreen; readonly client: Client } | undefined;
  try {
    return await withClient(
      flags,
      "person",
      world,
      async ({ client, url }) => {
        const screen = live ? openWatchScreen(world, url) : undefined;
        if (screen !== undefined) shown = { screen, client };
        try {
          for await (const ask of client.watch(filter, { signal: interruption.signal })) {
            if (screen !== undefined) screen.update(ask);
            else world.stdout.write(`${flags.json ? jsonText(ask, world.stdout) : changeLine(ask)}\n`);
          }
        } finally {
          shown = undefined;
          screen?.close();
        }
        // Only a signal ends it, and that is the normal way to leave.
        return 0;
      },
      { logger: live ? outageNotice(world.clock, () => shown) : stderrLogger(world) },
    );
  } finally {
    interruption.dispose();
  }
}

function changeLine(ask: Ask): string {
  const ending = outcomeSummary(ask);
  return [
    exactTime(ask.settledAt ?? ask.createdAt),
    ask.id,
    statusLine(ask),
    askerName(ask),
    ending === "" ? askSummary(ask) : `${askSummary(ask)} -> ${ending}`,
  ].join("  ");
}
