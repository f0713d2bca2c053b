import type { Client } from "../../client/index.js";
import type { Ask } from "../../core/index.js";
import { columnsOf } from "../print.js";
import { type RemoteFlags, withClient } from "../remote/open-client.js";
import { stderrLogger } from "../remote/stderr-logger.js";
import { askerName, askSummary, outcomeSummary, statusLine } from "../screen/ask-summary.js";
import { outageNotice } from "../screen/outage-notice.js";
import { exactTime } from "../screen/time.js";
import { openWatchScreen, type WatchScreen } from "../screen/watch-screen.js";
import type { World } from "../world.js";

export interface WatchFlags extends RemoteFlags {
  readonly session?: string;
  readonly agent?: string;
}

/** `askline watch`: what is open, as it changes; a live table on a terminal, else a line for each change. */
export async function runWatch(flags: WatchFlags, world: World): Promise<number> {
  const interruption = world.interruption();
  const filter = {
    ...(flags.session !== undefined && { session: flags.session }),
    ...(flags.agent !== undefined && { agentId: flags.agent }),
  };
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
            else world.stdout.write(`${flags.json ? JSON.stringify(ask) : changeLine(ask)}\n`);
          }
        } finally {
          shown = undefined;
          screen?.close();
        }
        // Nothing but the signal ends it, and that is how one leaves it.
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
