import type { Ask } from "../../core/index.js";
import { print } from "../print.js";
import type { RemoteFlags } from "../remote/open-client.js";
import { askSummary, outcomeSummary, shortId, statusLine } from "../screen/ask-summary.js";
import type { World } from "../world.js";

/** Says how an ask that was just ended now stands. */
export async function printEnding(ask: Ask, flags: RemoteFlags, world: World): Promise<void> {
  await print(world, flags.json, ask, () => {
    const summary = outcomeSummary(ask);
    const what = `${world.stdout.isTTY ? shortId(ask) : ask.id} ${statusLine(ask)}: ${askSummary(ask)}`;
    return summary === "" ? what : `${what} -> ${summary}`;
  });
}
