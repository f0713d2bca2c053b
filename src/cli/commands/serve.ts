// Starts in an order that leaves nothing behind when a step fails: the store first, then the port, and only
// then the credentials, so that a port in use makes no tokens. Ends the other way round.

import { connect } from "../../client/index.js";
import { type AsklineError, abortReason, type Logger, untilAborted } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import { createHub, type Store } from "../../hub/index.js";
import { createMetrics } from "../../metrics/index.js";
import {
  type AsklineServer,
  type Auth,
  createAuth,
  createServer,
  isLoopback,
  listen,
} from "../../server/index.js";
import { loadTracing } from "../../tracing/index.js";
import { credentialsPath, headersPath } from "../connect/credentials.js";
import { askHintOf, hintOf, inboxHintOf } from "../connect/hint.js";
import {
  configuredPerson,
  ensureCredentials,
  hasConfiguredTokens,
  inboxLink,
  type LocalAccess,
} from "../connect/local-access.js";
import { jsonReporter, textReporter } from "../demo/reporter.js";
import { runDemo } from "../demo/run-demo.js";
import { collect, type Define, examples, withDatabase } from "../input/command.js";
import { bannerText } from "../output/banner.js";
import { createLogger, type LogFormat, logFormatOf, stderrLogger } from "../output/logger.js";
import { columnsOf, print } from "../output/print.js";
import { describeDatabase } from "../settings/database.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { createDataFolder, createStore } from "../settings/store.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { Interruption, World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .option("--host <host>", "where to listen (ASKLINE_HOST; 127.0.0.1)")
    .option("--port <port>", "0 takes any that is free (ASKLINE_PORT; 4780)")
    .option("--person <id>", "whose token a first start makes (ASKLINE_PERSON; your user name)")
    .option("--public-url <url>", "where it is reached from outside (ASKLINE_PUBLIC_URL)")
    .option(
      "--allowed-host <name>",
      "a further host name to answer to; repeat it (ASKLINE_ALLOWED_HOSTS)",
      collect,
    )
    .option(
      "--trusted-proxy <address>",
      "a proxy, or a range of them, whose x-forwarded-for is believed; repeat it (ASKLINE_TRUSTED_PROXIES)",
      collect,
    )
    .option(
      "--limit <name=number>",
      "another bound than the usual, such as tokenRate=100; repeat it (ASKLINE_LIMITS)",
      collect,
    )
    .option("--log-format <format>", "json or text (ASKLINE_LOG_FORMAT; text at a terminal, otherwise json)")
    .option(
      "--log-level <level>",
      "debug, info, warn, error or silent (ASKLINE_LOG_LEVEL; warn at a terminal, otherwise info)",
    )
    .option("--metrics-token <token>", "what opens /metrics, beside an admin's (ASKLINE_METRICS_TOKEN)")
    .option("--no-person-file", "write no person's token to the credentials file; sign in by a link")
    .option("--print-link", "print a sign-in link also where the output is no terminal, such as a log")
    .option("--demo", "have a scripted agent ask something")
    .addHelpText("after", HELP)
    .action(async () => {
      // A repeatable flag has a singular name, its setting a plural one.
      const { allowedHost, trustedProxy, limit, ...flags } = command.optsWithGlobals();
      const given = {
        ...flags,
        ...defined({ allowedHosts: allowedHost, trustedProxies: trustedProxy, limits: limit }),
      };
      end(await runServe(given as ServeFlags, world));
    });
};

const HELP = `
The first start makes a token for agents and one for you, and writes them to credentials.json in the data
folder; the other commands find them there. Other machines are let in only by tokens that you make with
"askline token create". Settings come from flags, then the environment, then the file of --config, then
~/.config/askline/config.json. In place of --config, askline.config.json of the current folder is read: it may set
only port, logFormat, logLevel and limits.
${examples(
  "askline serve",
  "askline serve --db sqlite:./asks.db --port 5000",
  "ASKLINE_DB=postgres://localhost/askline askline serve",
  "askline serve --host 0.0.0.0 --public-url https://ask.example.com",
)}`;

export interface ServeFlags extends SettingFlags {
  readonly demo?: boolean;
  readonly json?: boolean;
  /** False with `--no-person-file`. */
  readonly personFile?: boolean;
  readonly printLink?: boolean;
}

/** `askline serve`: serves asks until a signal ends it, or until it cannot any more. */
async function runServe(flags: ServeFlags, world: World): Promise<number> {
  const settings = await readSettings(flags, world, { folderFile: true });
  const local = isLoopback(settings.host);
  if (flags.demo && !local) {
    throw new CommandError("--demo is for a server on loopback; omit --host");
  }
  createDataFolder(settings.data);
  const interruption = world.interruption();
  /** A step of the start; the first signal ends it, even where the step hangs. */
  const step = <T>(task: Promise<T>): Promise<T> => untilAborted(interruption.signal, task);
  try {
    return await serve(settings, local, interruption, step, flags, world);
  } catch (error) {
    if (!interruption.signal.aborted || error !== abortReason(interruption.signal)) throw error;
    const exitCode = SIGNAL_EXIT_CODES[interruption.received() ?? "SIGTERM"];
    interruption.endWithin?.(ABANDON_START_WITHIN_MS, () => undefined, exitCode);
    return exitCode;
  } finally {
    interruption.dispose();
  }
}

async function serve(
  settings: Settings,
  local: boolean,
  interruption: Interruption,
  step: <T>(task: Promise<T>) => Promise<T>,
  flags: ServeFlags,
  world: World,
): Promise<number> {
  const { logFormat, logLevel, metricsToken } = settings;
  const choice = defined({ format: logFormat, level: logLevel });
  const logger = await createLogger(choice, world);
  const metrics = await createMetrics({ clock: world.clock });
  const store = metrics.measure(await createStore(settings.db));
  const over = untilOver(store, interruption.signal);
  const tracing = await loadTracing();
  const hub = await step(createHub({ store, clock: world.clock, logger, tracing }));
  try {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const server = createServer({
      hub,
      auth,
      clock: world.clock,
      logger,
      ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }),
      allowedHosts: settings.allowedHosts,
      trustedProxies: settings.trustedProxies,
      limits: settings.limits,
      version: packageVersion(),
      metrics,
      tracing,
      ...(metricsToken !== undefined && { metricsToken }),
    });
    const { host, port, data } = settings;
    const tokensConfigured = !local && (await hasConfiguredTokens(auth, store.now()));
    const listening = await step(listen(server, { host, port, tokensConfigured }));
    try {
      const { person } = settings;
      const personFile = flags.personFile !== false;
      const access = local
        ? await step(ensureCredentials(auth, data, listening.url, { person, personFile }))
        : undefined;
      logger.event?.("info", "started", {
        version: packageVersion(),
        port: listening.port,
        store: store.name,
      });
      await announce(listening.url, auth, access, settings, flags, world);
      if (flags.demo && access !== undefined) {
        await serveDemo(listening.url, access, settings, flags, world, over.signal);
      }
      await aborted(over.signal);
      if (over.fault !== undefined) {
        logger.error("the store can be written no more, so this server ends; start it again", over.fault);
      }
      announceStop(server, logger, logFormatOf(choice, world), world);
    } finally {
      // Whatever hangs, a client or the store: what was acknowledged is in the store already.
      interruption.endWithin?.(STOP_WITHIN_MS, () =>
        logger.warn("not everything could be ended in time; leaving it"),
      );
      await listening.close();
    }
  } finally {
    await hub.close();
  }
  return over.fault === undefined ? 0 : FAULT_EXIT_CODE;
}

async function announce(
  url: string,
  auth: Auth,
  access: LocalAccess | undefined,
  settings: Settings,
  flags: ServeFlags,
  world: World,
): Promise<void> {
  const shownUrl = settings.publicUrl ?? url;
  const person = access?.person ?? (await configuredPerson(auth, settings.person));
  // A one-time code in a log would open the inbox to everybody who reads the log.
  const mayPrintLink = flags.printLink === true || world.stdout.isTTY === true;
  const inbox = person === undefined || !mayPrintLink ? undefined : await inboxLink(auth, shownUrl, person);
  const report = {
    version: packageVersion(),
    url: shownUrl,
    store: describeDatabase(settings.db),
    ...defined({ inbox, person }),
    dataFolder: settings.data,
    ...(settings.files.length > 0 && { config: settings.files }),
    ...(access !== undefined && {
      credentials: { path: credentialsPath(settings.data), created: access.created },
    }),
  };
  const hints = {
    agentHeaders: headersPath(settings.data, shownUrl, "agent"),
    hint: askHintOf(shownUrl, settings, world),
    ...(settings.db.kind !== "memory" && { inboxHint: inboxHintOf(shownUrl, person, settings, world) }),
  };
  await print(world, flags.json, report, () => `${bannerText({ ...report, ...hints })}\n`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const ABANDON_START_WITHIN_MS = 2_000;

/** After a signal, the process is gone within this. */
export const STOP_WITHIN_MS = 9_500;

/**
 * Says what a server that stops has still to end. In words only to who reads words, and nothing where it is gone
 * at once; a log in JSON has a line of its own for it.
 */
export function announceStop(
  server: AsklineServer,
  logger: Logger,
  format: LogFormat,
  { stderr }: Pick<World, "stderr">,
): void {
  logger.event?.("info", "stopping", { ...server.open() });
  if (format === "json") return;
  const { requests, streams, sockets } = server.open();
  const ending = [
    counted(requests, "request"),
    counted(streams, "stream"),
    counted(sockets, "WebSocket"),
  ].filter((text) => text !== "");
  if (ending.length === 0) return;
  stderr.write(
    `askline: stopping: ${ending.join(", ")}; whoever waits is told to come again. Once more to stop at once.\n`,
  );
}

function counted(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** What ends a server: a signal that asks for it, or a store that can be written no more. */
export interface Over {
  /** Aborts for either. */
  readonly signal: AbortSignal;
  /** Why it cannot go on; undefined where it was asked to end. */
  readonly fault: AsklineError | undefined;
}

/**
 * A server without a store that it can write to is of no use, and does not become so again. So it ends, and whoever
 * watches over it starts a new one: opened anew by a new process, the file is as it was last committed.
 */
export function untilOver(store: Pick<Store, "onBroken">, interrupted: AbortSignal): Over {
  const controller = new AbortController();
  let fault: AsklineError | undefined;
  store.onBroken?.((reason) => {
    fault = reason;
    controller.abort();
  });
  return {
    signal: AbortSignal.any([interrupted, controller.signal]),
    get fault() {
      return fault;
    },
  };
}

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
        ...(access.credentials.person !== undefined && { dataFolder: settings.data }),
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
