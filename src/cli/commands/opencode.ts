import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { bridgeOpencode } from "../../agents/opencode/bridge.js";
import { readConnection } from "../../agents/set-up/connection.js";
import { opencode } from "../../agents/set-up/opencode.js";
import { defined } from "../../core/kit/tools.js";
import { displayLine } from "../../core/text/display.js";
import { openAgentPort } from "../connect/agent-port.js";
import { namedUrl } from "../connect/named-url.js";
import type { RemoteFlags } from "../connect/open-client.js";
import { collect, type Define, examples, withStartedServer } from "../input/command.js";
import { agentAsks } from "../output/answer-hint.js";
import { stderrLogger } from "../output/logger.js";
import { readSettings } from "../settings/settings.js";
import { CommandError, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

const USUAL = "http://127.0.0.1:4096";

export const define: Define = (command, { world, end }) => {
  withStartedServer(command.argument("[opencode]", `where opencode listens (${USUAL})`))
    .option("--directory <folder>", "the project (the folder that opencode was started in)")
    .option("--recipient <person>", "who may answer; repeatable (everyone)", collect)
    .option(
      "--while-stdin",
      "end when stdin ends, and withdraw what was asked; for the plugin of askline connect",
    )
    .addHelpText("after", HELP)
    .action(async (address: string | undefined) =>
      end(await runOpencode(address ?? USUAL, command.optsWithGlobals(), world)),
    );
};

const HELP = `
Sends the questions and permission requests of opencode to your inbox, until Ctrl-C. Start opencode with a port, then
this. You can answer in either place: the first answer counts, and the other place closes the question. Questions that
came before it was started are found. If opencode has a password, set OPENCODE_SERVER_PASSWORD.
${examples("opencode --port 4096", "askline opencode", "askline opencode http://127.0.0.1:5000")}`;

interface OpencodeFlags extends RemoteFlags {
  readonly directory?: string;
  readonly recipient?: readonly string[];
  readonly whileStdin?: boolean;
}

/** `askline opencode`: bridges one opencode server until it is interrupted. */
async function runOpencode(address: string, flags: OpencodeFlags, world: World): Promise<number> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new CommandError(`"${address}" is not a URL; write it like ${USUAL}`);
  }
  const settings = await readSettings(flags, world);
  const logger = stderrLogger(world);
  // What "askline connect opencode" keeps: a token that may report, and a server elsewhere.
  const connection =
    namedUrl(flags, world) === undefined ? readConnection(settings.data, opencode.name) : undefined;
  const named =
    connection?.url === undefined
      ? flags
      : { ...flags, ...defined({ url: connection.url, token: connection.token }) };
  const local = connection === undefined ? { reports: true } : { token: connection.token };
  const { port, hint } = await openAgentPort(named, settings, world, local);
  const ended = new AbortController();
  if (flags.whileStdin) {
    void finished(world.stdin as unknown as Readable)
      .catch(() => undefined)
      .then(() => ended.abort());
    (world.stdin as unknown as Readable).resume();
  }
  const interruption = world.interruption();
  const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: user = "opencode" } =
    world.environment;
  try {
    await bridgeOpencode(port, {
      url: address,
      signal: interruption.signal,
      ended: ended.signal,
      logger,
      ...defined({ directory: flags.directory }),
      ...(password && { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` }),
      ask: defined({ recipients: flags.recipient }),
      onConnected: (directory) =>
        world.stderr.write(`askline: connected to opencode in ${displayLine(directory)}\n`),
      onAsk: (ask) => world.stderr.write(`askline: ${agentAsks("opencode", ask, hint)}\n`),
    });
    const received = interruption.received();
    return received === undefined ? 0 : SIGNAL_EXIT_CODES[received];
  } finally {
    interruption.dispose();
    await port.close();
  }
}
