import { connect } from "../../client/index.js";
import { runDemo } from "../demo/run-demo.js";
import { jsonReporter, textReporter } from "../demo/text-reporter.js";
import { columnsOf } from "../print.js";
import { hintOf } from "../remote/hint.js";
import { stderrLogger } from "../remote/stderr-logger.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world.js";
import type { LocalAccess } from "./access.js";

/** Runs the demo agent against the server that has just started, as an agent elsewhere would. */
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
    ? jsonReporter(write)
    : textReporter({
        write,
        columns: columnsOf(world),
        url,
        dataFolder: settings.data,
        hint: hintOf(url, settings, world),
        inbox: url,
      });
  try {
    const finished = await runDemo({ client, signal, logger, reporter });
    if (finished && !flags.json) write("\nThe server stays: ask it something. Ctrl-C ends it.\n");
  } finally {
    await client.close();
  }
}
