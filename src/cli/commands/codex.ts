import { bridgeCodex } from "../../agents/codex/bridge.js";
import { defined } from "../../core/kit/tools.js";
import { displayLine } from "../../core/text/display.js";
import { openAgentPort } from "../connect/agent-port.js";
import { openCodex } from "../connect/codex-connection.js";
import { codexAddress, markBridge, unmarkBridge } from "../connect/codex-place.js";
import type { RemoteFlags } from "../connect/open-client.js";
import { collect, type Define, examples, withStartedServer } from "../input/command.js";
import { agentAsks } from "../output/answer-hint.js";
import { stderrLogger } from "../output/logger.js";
import { readSettings } from "../settings/settings.js";
import { SIGNAL_EXIT_CODES } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withStartedServer(
    command.argument(
      "[codex]",
      "where its app-server listens: unix:PATH or ws://… (the one of this machine)",
    ),
  )
    .option("--recipient <person>", "who may answer; repeatable (everyone)", collect)
    .addHelpText("after", HELP)
    .action(async (address: string | undefined) =>
      end(await runCodex(address, command.optsWithGlobals(), world)),
    );
};

const HELP = `
Sends the approvals and questions of Codex to your inbox, until Ctrl-C. Start codex as always, and this beside it: the
terminals of Codex share one app-server, which this joins. You can answer in either place: the first answer counts, and
the other place closes the question. What was asked before it was started is found.
${examples("askline codex", "askline codex ws://127.0.0.1:4500")}`;

interface CodexFlags extends RemoteFlags {
  readonly recipient?: readonly string[];
}

/** `askline codex`: bridges one app-server until it is interrupted. */
async function runCodex(given: string | undefined, flags: CodexFlags, world: World): Promise<number> {
  const { home, environment } = world;
  const address = codexAddress(given, { home, environment, platform: process.platform });
  const settings = await readSettings(flags, world);
  const logger = stderrLogger(world);
  const { port, hint } = await openAgentPort(flags, settings, world);
  const interruption = world.interruption();
  try {
    await bridgeCodex(port, {
      open: (signal) => openCodex(address, signal),
      server: address,
      version: packageVersion(),
      signal: interruption.signal,
      logger,
      ask: defined({ recipients: flags.recipient }),
      onConnected(codex) {
        markBridge(settings.data, address);
        world.stderr.write(`askline: connected to Codex ${displayLine(codex)} at ${displayLine(address)}\n`);
      },
      onDisconnected: () => unmarkBridge(settings.data),
      onAsk: (ask) => world.stderr.write(`askline: ${agentAsks("Codex", ask, hint)}\n`),
    });
    const received = interruption.received();
    return received === undefined ? 0 : SIGNAL_EXIT_CODES[received];
  } finally {
    interruption.dispose();
    await port.close();
  }
}
