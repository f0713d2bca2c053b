import { connect } from "../../client/local-server.js";
import { hintOf } from "../connect/hint.js";
import type { LocalAccess } from "../connect/local-access.js";
import { stderrLogger } from "../output/logger.js";
import { columnsOf } from "../output/print.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { jsonReporter, textReporter } from "./reporter.js";
import { runDemo } from "./run-demo.js";

/** Runs the demo agent against the server that has just started, over HTTP. */
export async function serveDemo(
  url: string,
  access: LocalAccess,
  settings: Settings,
  flags: { readonly json?: boolean },
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const logger = stderrLogger(world);
  const client = connect({ url, token: access.credentials.agent, clock: world.clock, logger });
  const write = (text: string): void => {
    world.stdout.write(text);
  };
  const reporter = flags.json
    ? jsonReporter(world.stdout)
    : textReporter({
        write,
        columns: columnsOf(world),
        url,
        dataFolder: access.credentials.person === undefined ? undefined : settings.data,
        hint: hintOf(url, settings, world),
        inbox: url,
      });
  try {
    const finished = await runDemo({ client, signal, logger, reporter });
    if (finished && !flags.json)
      write("\nThe server keeps running: ask it something. Press Ctrl-C to stop it.\n");
  } finally {
    await client.close();
  }
}
