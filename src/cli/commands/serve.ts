// Starts in an order that leaves nothing behind when a step fails: the store, then the port, then the credentials, so
// that a port in use creates no tokens. Stops in the opposite order.

import { once } from "node:events";
import { type Command, Option } from "commander";
import { defined } from "../../core/kit/tools.js";
import { abortReason, untilAborted } from "../../core/rules/abort.js";
import { isLoopback } from "../../server/access/hosts.js";
import { listen } from "../../server/listen.js";
import { backgroundLog, clearBackground, writeBackground } from "../connect/background-state.js";
import { writeCredentials } from "../connect/credentials.js";
import { writeLastServer } from "../connect/last-server.js";
import { ensureCredentials, hasConfiguredTokens } from "../connect/local-access.js";
import { serveDemo } from "../demo/serve-demo.js";
import { collect, type Define, examples, withDatabase } from "../input/command.js";
import { requireDuration } from "../input/time-flags.js";
import { lanAddress } from "../output/lan.js";
import { createLogger, logFormatOf } from "../output/logger.js";
import { type AnnounceFlags, announce, logAsks } from "../serving/announce.js";
import { composeServer } from "../serving/compose.js";
import { announceStop } from "../serving/server-end.js";
import { DATABASE_FORMS, describeDatabase } from "../settings/database.js";
import { flagOf, SETTING_NAMES, settingOf, variableOf } from "../settings/names.js";
import { readSettings, type Settings } from "../settings/settings.js";
import { createDataFolder } from "../settings/store.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { Interruption, World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withSettings(withDatabase(command, DATABASE_FORMS))
    .option("--lan", "listen also on this machine's address in its network, and print a QR code for a phone")
    .option(
      "--no-person-file",
      "do not write a person's token to the credentials file; people sign in by link",
    )
    .option("--print-link", "print a sign-in link even if the output is not a terminal, such as a log")
    .option("--open", "open the sign-in link in a browser, at a terminal with a display")
    .option("--no-open", "do not open it")
    .option("--demo", "start a scripted agent that asks")
    .addOption(new Option("--background", "as other commands start it").hideHelp())
    .addOption(new Option("--idle <duration>", "how long a background server stays idle").hideHelp())
    .addHelpText("after", HELP)
    .action(async () => end(await runServe(flagsOf(command), world)));
};

/** Adds the flags of all settings that the command does not have yet. */
function withSettings(command: Command): Command {
  for (const name of SETTING_NAMES) {
    const { flag, isList, about, otherwise } = settingOf(name);
    if (about === undefined) continue;
    const repeatable = isList ? "; repeatable" : "";
    const more = otherwise === undefined ? "" : `; ${otherwise}`;
    const option = new Option(flag, `${about}${repeatable} (${variableOf(name)}${more})`);
    command.addOption(isList ? option.argParser(collect) : option);
  }
  return command;
}

/** A repeatable flag has a singular name, its setting a plural one. */
function flagsOf(command: Command): ServeFlags {
  const given = command.optsWithGlobals();
  const named = SETTING_NAMES.map((name) => [name, given[new Option(flagOf(name)).attributeName()]]);
  return { ...given, ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) };
}

const HELP = `
The first start creates a token for agents and one for you, and writes them to credentials.json in the data folder,
where the other commands find them. Other machines need a token that you create with "askline token create".
Settings come from flags, then the environment, then the file given with --config, then
~/.config/askline/config.json. Without --config, askline.config.json in the current folder is read; it may set only
port, logFormat, logLevel and limits.
${examples(
  "askline serve",
  "askline serve --db sqlite:./asks.db --port 5000",
  "ASKLINE_DB=postgres://localhost/askline askline serve",
  "askline serve --lan",
  "askline serve --host 0.0.0.0 --public-url https://ask.example.com",
)}`;

interface ServeFlags extends AnnounceFlags {
  readonly demo?: boolean;
  /** False with `--no-person-file`. */
  readonly personFile?: boolean;
  /** Started by another command, which waits for its state file. */
  readonly background?: boolean;
  readonly idle?: string;
}

/** `askline serve`: serves asks until a signal or a broken store ends it. */
async function runServe(flags: ServeFlags, world: World): Promise<number> {
  if (flags.lan && flags.host !== undefined) {
    throw new CommandError("--lan chooses the address itself; use --lan or --host, not both");
  }
  const given = flags.lan ? { ...flags, host: lanAddress(world) } : flags;
  const settings = await readSettings(given, world, { folderFile: true });
  // On a LAN too, the tokens of this machine are made here: the person who starts the server asked for it.
  const local = isLoopback(settings.host) || flags.lan === true;
  if (flags.demo && !local) {
    throw new CommandError("--demo is for a server on loopback or with --lan; omit --host");
  }
  createDataFolder(settings.data);
  const interruption = world.interruption();
  try {
    return await serve(settings, local, interruption, flags, world);
  } catch (error) {
    if (!interruption.signal.aborted || error !== abortReason(interruption.signal)) throw error;
    const exitCode = SIGNAL_EXIT_CODES[interruption.received() ?? "SIGTERM"];
    interruption.endWithin?.(ABANDON_START_WITHIN_MS, () => undefined, exitCode);
    return exitCode;
  } finally {
    interruption.dispose();
  }
}

const LOOPBACK = "127.0.0.1";
const ABANDON_START_WITHIN_MS = 2_000;
/** The process exits within this time after a signal. */
const STOP_WITHIN_MS = 9_500;
const USUAL_IDLE_MS = 30 * 60_000;

async function serve(
  settings: Settings,
  local: boolean,
  interruption: Interruption,
  flags: ServeFlags,
  world: World,
): Promise<number> {
  const { host, port, data, person, publicUrl } = settings;
  const { clock } = world;
  const choice = defined({ format: settings.logFormat, level: settings.logLevel });
  const logger = await createLogger(choice, world);
  const logFormat = logFormatOf(choice, world);
  const step = <T>(task: Promise<T>): Promise<T> => untilAborted(interruption.signal, task);
  const parts = await composeServer(settings, { logger, world, interrupted: interruption.signal, step });
  const { store, hub, auth, server, ending } = parts;
  try {
    const tokensConfigured = flags.lan === true || (!local && (await hasConfiguredTokens(auth, store.now())));
    // Before anybody can ask: the log shows the first ask too.
    const logAfter = await step(hub.position());
    const listening = await step(
      // The other commands of this machine find it on loopback.
      listen(server, {
        host,
        port,
        tokensConfigured,
        ...defined({ alsoHost: flags.lan ? LOOPBACK : undefined }),
      }).catch((error: unknown) => {
        // Nobody chose the port of a background server, and another program may have it.
        if (!flags.background) throw error;
        return listen(server, { host, port: 0, tokensConfigured });
      }),
    );
    const { url } = listening;
    const localUrl = flags.lan ? `http://${LOOPBACK}:${listening.port}` : url;
    parts.listensAt(url);
    try {
      const personFile = flags.personFile !== false;
      const access = local
        ? await step(ensureCredentials(auth, data, localUrl, { person, personFile }))
        : undefined;
      if (flags.lan && access !== undefined) await writeCredentials(data, url, access.credentials);
      const version = packageVersion();
      logger.event?.("info", "started", { version, port: listening.port, store: store.name });
      const { pid } = process;
      if (local) {
        const store = describeDatabase(settings.db);
        writeLastServer(data, { url: localUrl, pid, store, ...defined({ publicUrl }) });
      }
      await announce({ url, localUrl }, auth, access, settings, flags, world);
      if (world.stdout.isTTY === true && !flags.json && logFormat === "text") {
        void logAsks(hub, logAfter, ending.signal, world);
      }
      if (flags.background) {
        const idleMs = flags.idle === undefined ? USUAL_IDLE_MS : requireDuration("--idle", flags.idle);
        ending.stopWhenIdle(server, hub, idleMs, clock);
        writeBackground(data, { pid, url, version, startedAt: clock.now(), log: backgroundLog(data) });
      }
      if (flags.demo && access !== undefined) {
        await serveDemo(url, access, settings, flags, world, ending.signal);
      }
      if (!ending.signal.aborted) await once(ending.signal, "abort");
      if (ending.fault !== undefined) {
        logger.error(
          "the store can no longer be written, so this server stops; start it again",
          ending.fault,
        );
      }
      announceStop(server, logger, logFormat, world);
    } finally {
      // Bounded, even if a client or the store hangs: everything acknowledged is stored already.
      interruption.endWithin?.(STOP_WITHIN_MS, () =>
        logger.warn("some requests did not end in time; exiting anyway"),
      );
      if (flags.background) clearBackground(data, process.pid);
      await listening.close();
    }
  } finally {
    await parts.close();
  }
  return ending.fault === undefined ? 0 : FAULT_EXIT_CODE;
}
