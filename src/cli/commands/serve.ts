// Starts in an order that leaves nothing behind when a step fails: the store, then the port, then the credentials, so
// that a port in use creates no tokens. Stops in the opposite order.

import { Option } from "commander";
import type { McpHttp } from "../../adapters/mcp/index.js";
import { connect } from "../../client/index.js";
import { type AsklineError, abortReason, type Clock, type Logger, untilAborted } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import {
  callbackPolicy,
  type Deliveries,
  notificationSettings,
  startDelivery,
} from "../../delivery/index.js";
import { createHub, type Hub, type Store, startRetention } from "../../hub/index.js";
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
import { backgroundLog, clearBackground, writeBackground } from "../connect/background-state.js";
import { readCardFile } from "../connect/card-file.js";
import { credentialsPath, headersPath } from "../connect/credentials.js";
import { askHintOf, hintOf, linkHintOf } from "../connect/hint.js";
import { writeLastServer } from "../connect/last-server.js";
import {
  configuredPerson,
  ensureCredentials,
  hasConfiguredTokens,
  inboxLink,
  type LocalAccess,
} from "../connect/local-access.js";
import { checkWith, notificationLinks } from "../connect/notification-links.js";
import { jsonReporter, textReporter } from "../demo/reporter.js";
import { DEMO_AGENT, runDemo } from "../demo/run-demo.js";
import { collect, type Define, examples, withDatabase } from "../input/command.js";
import { requireDuration } from "../input/time-flags.js";
import { askLogLine } from "../output/ask-log.js";
import { bannerText } from "../output/banner.js";
import { lanAddress, PLAIN_HTTP } from "../output/lan.js";
import { createLogger, type LogFormat, logFormatOf, stderrLogger } from "../output/logger.js";
import { hasDisplay, openBrowser } from "../output/open-browser.js";
import { columnsOf, print } from "../output/print.js";
import { drawCode } from "../output/qr-code.js";
import { shortDuration } from "../output/units.js";
import { DATABASE_FORMS, describeDatabase } from "../settings/database.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { createDataFolder, createStore } from "../settings/store.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { Interruption, World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command, DATABASE_FORMS)
    .option("--host <host>", "the address to listen on (ASKLINE_HOST; 127.0.0.1)")
    .option("--lan", "listen on this machine's address in its network, and print a QR code for a phone")
    .option("--port <port>", "the port; 0 takes any free one (ASKLINE_PORT; 4780)")
    .option(
      "--person <id>",
      "the person whose token the first start creates (ASKLINE_PERSON; your user name)",
    )
    .option("--public-url <url>", "the server's address from outside (ASKLINE_PUBLIC_URL)")
    .option(
      "--allowed-host <name>",
      "another host name to accept; repeatable (ASKLINE_ALLOWED_HOSTS)",
      collect,
    )
    .option(
      "--allow-origin <origin>",
      "an origin whose pages may use the API with a token, or *; repeatable (ASKLINE_ALLOWED_ORIGINS)",
      collect,
    )
    .option(
      "--trusted-proxy <address>",
      "a proxy, or a range, whose x-forwarded-for is trusted; repeatable (ASKLINE_TRUSTED_PROXIES)",
      collect,
    )
    .option(
      "--gateway-path <path>",
      "another path of the gateway beside /v1/gateway; repeatable (ASKLINE_GATEWAY_PATHS)",
      collect,
    )
    .option(
      "--open-sessions <who>",
      "agents, or people to let a person's first message open a session (ASKLINE_OPEN_SESSIONS; agents)",
    )
    .option(
      "--agent-links",
      "let agents create signed links to their own asks, and so open them (ASKLINE_AGENT_LINKS)",
    )
    .option(
      "--limit <name=number>",
      "change a limit, such as tokenRate=100; repeatable (ASKLINE_LIMITS)",
      collect,
    )
    .option(
      "--retain <duration>",
      "remove asks and transcripts that ended longer ago, such as 90d (ASKLINE_RETAIN; off)",
    )
    .option("--log-format <format>", "json or text (ASKLINE_LOG_FORMAT; text at a terminal, otherwise json)")
    .option(
      "--log-level <level>",
      "debug, info, warn, error or silent (ASKLINE_LOG_LEVEL; warn at a terminal, otherwise info)",
    )
    .option("--metrics-token <token>", "a token for /metrics; an admin's works too (ASKLINE_METRICS_TOKEN)")
    .option(
      "--webhook <url>",
      "an address that gets the events of asks; repeatable (ASKLINE_WEBHOOKS)",
      collect,
    )
    .option(
      "--webhook-events <types>",
      "only these events, such as ask.created,ask.settled (ASKLINE_WEBHOOK_EVENTS; all)",
    )
    .option(
      "--webhook-secret <secret>",
      "signs webhooks, as whsec_… (ASKLINE_WEBHOOK_SECRET; otherwise one is made and kept)",
    )
    .option(
      "--notify <step>",
      "when people are notified, such as 0s, or 10m=oncall; repeatable (ASKLINE_NOTIFY; 0s)",
      collect,
    )
    .option(
      "--ntfy <person=url>",
      "a person's ntfy topic, such as ana=https://ntfy.sh/topic; repeatable (ASKLINE_NTFY)",
      collect,
    )
    .option(
      "--push-contact <address>",
      "your mailto: or https: address, which push services require; turns push on (ASKLINE_PUSH_CONTACT)",
    )
    .option(
      "--push-host <host>",
      "a push service beside the known ones; repeatable (ASKLINE_PUSH_HOSTS)",
      collect,
    )
    .option(
      "--allow-private-callbacks",
      "let callbacks of asks reach private and loopback addresses (ASKLINE_ALLOW_PRIVATE_CALLBACKS)",
    )
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
    .action(async () => {
      // A repeatable flag has a singular name, its setting a plural one.
      const { allowedHost, allowOrigin, trustedProxy, gatewayPath, limit, webhook, pushHost, ...flags } =
        command.optsWithGlobals();
      const lists = {
        allowedHosts: allowedHost,
        allowedOrigins: allowOrigin,
        trustedProxies: trustedProxy,
        gatewayPaths: gatewayPath,
        webhooks: webhook,
        pushHosts: pushHost,
      };
      const given = { ...flags, ...defined({ ...lists, limits: limit }) };
      end(await runServe(given as ServeFlags, world));
    });
};

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

export interface ServeFlags extends SettingFlags {
  readonly demo?: boolean;
  readonly lan?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
  /** False with `--no-person-file`. */
  readonly personFile?: boolean;
  readonly printLink?: boolean;
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
  /** A step of the start. The first signal ends it, even if the step hangs. */
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
  const ending = endOf(store, interruption.signal);
  const tracing = await loadTracing();
  const { pendingAsks, storedBytes, ...limits } = settings.limits;
  const quotas = defined({ pendingAsks, storedBytes });
  const callbacks = { allowPrivate: settings.allowPrivateCallbacks };
  const hub = await step(
    createHub({
      ...{ store, clock: world.clock, logger, tracing, limits: quotas },
      callbacks: callbackPolicy(callbacks),
      onQuotaRefused: metrics.quotaRefused,
    }),
  );
  let deliveries: Deliveries | undefined;
  const { retainMs } = settings;
  const stopRetention =
    retainMs === undefined ? undefined : startRetention(hub, { retainMs, clock: world.clock, logger });
  const { pushContact: contact, pushHosts: hosts } = settings;
  const push = contact === undefined ? undefined : { contact, hosts };
  // Where people reach the server; the port is known when it listens.
  let address = settings.publicUrl ?? `http://${settings.host}:${settings.port}`;
  try {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    deliveries = await step(
      startDelivery({
        ...{ hub, store, clock: world.clock, logger, callbacks },
        webhooks: settings.webhooks,
        people: {
          ...{ ntfy: settings.ntfy, links: notificationLinks(auth, () => address), isValid: checkWith(auth) },
          ...defined({ push, steps: settings.notify }),
        },
        onResult: metrics.deliveryAttempted,
      }),
    );
    const mcp = lazyMcp(() => server, settings.publicUrl);
    const server: AsklineServer = createServer({
      hub,
      auth,
      clock: world.clock,
      logger,
      ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }),
      allowedHosts: settings.allowedHosts,
      allowedOrigins: settings.allowedOrigins,
      trustedProxies: settings.trustedProxies,
      gatewayPaths: settings.gatewayPaths,
      ...defined({ openSessions: settings.openSessions }),
      agentLinks: settings.agentLinks,
      limits,
      version: packageVersion(),
      mcp: (request, token) => mcp().then((http) => http.fetch(request, token)),
      metrics,
      tracing,
      deliveries,
      notifications: notificationSettings(store, push),
      ...(metricsToken !== undefined && { metricsToken }),
    });
    const { host, port, data } = settings;
    const tokensConfigured = flags.lan === true || (!local && (await hasConfiguredTokens(auth, store.now())));
    const listening = await step(
      listen(server, { host, port, tokensConfigured }).catch((error: unknown) => {
        // Nobody chose the port of a background server, and another program may have it.
        if (!flags.background) throw error;
        return listen(server, { host, port: 0, tokensConfigured });
      }),
    );
    address = settings.publicUrl ?? listening.url;
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
      const { pid } = process;
      const { url } = listening;
      if (local) writeLastServer(data, { url, pid, ...defined({ publicUrl: settings.publicUrl }) });
      await announce(listening.url, auth, access, settings, flags, world);
      if (world.stdout.isTTY === true && !flags.json && logFormatOf(choice, world) === "text") {
        void logAsks(hub, ending.signal, world);
      }
      if (flags.background) {
        ending.stopWhenIdle(server, hub, idleOf(flags), world.clock);
        const version = packageVersion();
        const log = backgroundLog(data);
        writeBackground(data, { pid, url: listening.url, version, startedAt: world.clock.now(), log });
      }
      if (flags.demo && access !== undefined) {
        await serveDemo(listening.url, access, settings, flags, world, ending.signal);
      }
      await aborted(ending.signal);
      if (ending.fault !== undefined) {
        logger.error(
          "the store can no longer be written, so this server stops; start it again",
          ending.fault,
        );
      }
      announceStop(server, logger, logFormatOf(choice, world), world);
    } finally {
      // Bounded, even if a client or the store hangs: everything acknowledged is stored already.
      interruption.endWithin?.(STOP_WITHIN_MS, () =>
        logger.warn("some requests did not end in time; exiting anyway"),
      );
      if (flags.background) clearBackground(data, process.pid);
      await listening.close();
    }
  } finally {
    await stopRetention?.();
    await deliveries?.close();
    await hub.close();
  }
  return ending.fault === undefined ? 0 : FAULT_EXIT_CODE;
}

/** MCP for this server, loaded at its first request. Its tools use the API of the server itself, with the caller's token. */
function lazyMcp(server: () => AsklineServer, publicUrl: string | undefined): () => Promise<McpHttp> {
  let loading: Promise<McpHttp> | undefined;
  const load = async (): Promise<McpHttp> => {
    const { createMcpHttp } = await import("../../adapters/mcp/index.js");
    return createMcpHttp({
      version: packageVersion(),
      card: readCardFile,
      ...(publicUrl !== undefined && { where: `at ${publicUrl}` }),
      portOf: (token) =>
        connect({
          ...{ url: publicUrl ?? "http://127.0.0.1", token, surface: "mcp" },
          fetch: (input, init) => server().fetch(new Request(input, init)),
        }),
    });
  };
  return () => {
    loading ??= load();
    return loading;
  };
}

async function announce(
  url: string,
  auth: Auth,
  access: LocalAccess | undefined,
  settings: Settings,
  flags: ServeFlags,
  world: World,
): Promise<void> {
  const { config } = flags;
  const shownUrl = settings.publicUrl ?? url;
  const person = access?.person ?? (await configuredPerson(auth, settings.person));
  // A one-time code in a log would let every reader of the log into the inbox.
  const mayPrintLink = flags.printLink === true || world.stdout.isTTY === true;
  const inbox = person === undefined || !mayPrintLink ? undefined : await inboxLink(auth, shownUrl, person);
  const report = {
    version: packageVersion(),
    url: shownUrl,
    store: describeDatabase(settings.db),
    retention: settings.retainMs === undefined ? "off" : shortDuration(settings.retainMs),
    ...defined({ inbox, person }),
    dataFolder: settings.data,
    ...(settings.files.length > 0 && { config: settings.files }),
    ...(access !== undefined && {
      credentials: { path: credentialsPath(settings.data), created: access.created },
    }),
  };
  const hints = {
    // The tokens of this machine are filed under the address on this machine.
    localUrl: url,
    agentHeaders: headersPath(settings.data, url, "agent"),
    hint: askHintOf(url, settings, world),
    ...(settings.db.kind !== "memory" && {
      linkHint: linkHintOf(
        shownUrl,
        person,
        settings,
        world,
        typeof config === "string" ? config : undefined,
      ),
    }),
    ...(access?.credentials.person !== undefined && { inboxHint: hintOf(url, settings, world) }),
  };
  await print(world, flags.json, report, () => `${bannerText({ ...report, ...hints })}\n`);
  if (flags.lan === true && inbox !== undefined) {
    await drawCode(inbox, world);
    if (!flags.json) world.stderr.write(`${PLAIN_HTTP}\n`);
  }
  if (flags.open === true && inbox !== undefined && hasDisplay(world))
    await openBrowser(`${inbox}#open`, world);
}

/** Prints a line for each ask and each end. What the demo asks, it prints itself. */
async function logAsks(hub: Hub, signal: AbortSignal, { stdout }: World): Promise<void> {
  try {
    for await (const event of hub.events({ signal })) {
      const line = event.ask?.agentId === DEMO_AGENT ? undefined : askLogLine(event);
      if (line !== undefined) stdout.write(`${line}\n`);
    }
  } catch {
    // The hub was closed.
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const ABANDON_START_WITHIN_MS = 2_000;

/** The process exits within this time after a signal. */
export const STOP_WITHIN_MS = 9_500;

/**
 * Reports the open requests of a server that stops: as an event in a JSON log, otherwise in words, and not at all if
 * there are none.
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
  const open = [
    counted(requests, "request"),
    counted(streams, "stream"),
    counted(sockets, "WebSocket"),
  ].filter((text) => text !== "");
  if (open.length === 0) return;
  stderr.write(
    `askline: stopping: ${open.join(", ")}; waiting clients are asked to retry. Press Ctrl-C again to stop immediately.\n`,
  );
}

function counted(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** What ends a server: an interruption, or a store that can no longer be written. */
export interface ServerEnd {
  /** Aborts for either. */
  readonly signal: AbortSignal;
  /** Why the server cannot continue; undefined if it was interrupted. */
  readonly fault: AsklineError | undefined;
  /** Ends a server that nobody has used for a while, unless an ask is pending. */
  stopWhenIdle(server: AsklineServer, hub: Hub, idleMs: number, clock: Clock): void;
}

/**
 * A server whose store broke cannot recover, so it ends and its supervisor starts a new one. A new process opens the
 * file as it was last committed.
 */
export function endOf(store: Pick<Store, "onBroken">, interrupted: AbortSignal): ServerEnd {
  const controller = new AbortController();
  let fault: AsklineError | undefined;
  store.onBroken?.((reason) => {
    fault = reason;
    controller.abort();
  });
  const ended = AbortSignal.any([interrupted, controller.signal]);
  return {
    signal: ended,
    get fault() {
      return fault;
    },
    stopWhenIdle(server, hub, idleMs, clock) {
      let handled = server.handled;
      let usedAt = clock.monotonic();
      let cancel = (): void => undefined;
      const look = async (): Promise<void> => {
        const { requests, streams, sockets } = server.open();
        const isUsed = server.handled !== handled || requests + streams + sockets > 0;
        handled = server.handled;
        if (isUsed) usedAt = clock.monotonic();
        const idle = clock.monotonic() - usedAt >= idleMs;
        if (idle && (await hub.list({ status: "pending" }, { limit: 1 })).asks.length === 0) {
          return controller.abort();
        }
        cancel = clock.schedule(Math.min(idleMs, LOOK_FOR_IDLE_MS), () => void look().catch(ignore));
        if (ended.aborted) cancel();
      };
      ended.addEventListener("abort", () => cancel());
      void look().catch(ignore);
    },
  };
}

const LOOK_FOR_IDLE_MS = 30_000;
const USUAL_IDLE_MS = 30 * 60_000;

function idleOf({ idle }: ServeFlags): number {
  return idle === undefined ? USUAL_IDLE_MS : requireDuration("--idle", idle);
}

/** The store is broken or closed; the server ends for that reason. */
function ignore(): void {}

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
        ...(access.credentials.person !== undefined && { dataFolder: settings.data }),
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
