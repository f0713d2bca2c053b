// Starts in an order that leaves nothing behind when a step fails: the store first, then the port, and only
// then the credentials, so that a port in use makes no tokens. Ends the other way round.

import { createHub } from "../../hub/index.js";
import { createMetrics } from "../../metrics/index.js";
import { type Auth, createAuth, createServer, isLoopback, listen } from "../../server/index.js";
import { loadTracing } from "../../tracing/index.js";
import { CommandError } from "../command-error.js";
import { FAULT_EXIT_CODE } from "../exit-codes.js";
import { createLogger, logFormatOf } from "../logging/create-logger.js";
import { packageVersion } from "../package-version.js";
import { print } from "../print.js";
import { credentialsPath } from "../remote/credentials.js";
import { askHintOf, inboxHintOf } from "../remote/hint.js";
import {
  configuredPerson,
  ensureCredentials,
  hasConfiguredTokens,
  type LocalAccess,
} from "../serve/access.js";
import { announceStop, STOP_WITHIN_MS } from "../serve/announce-stop.js";
import { bannerText } from "../serve/banner.js";
import { inboxLink } from "../serve/inbox-link.js";
import { serveDemo } from "../serve/serve-demo.js";
import { untilOver } from "../serve/until-over.js";
import { createStore } from "../settings/create-store.js";
import { createDataFolder } from "../settings/data-folder.js";
import { describeDatabase } from "../settings/database.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import type { World } from "../world.js";

export interface ServeFlags extends SettingFlags {
  readonly demo?: boolean;
  readonly json?: boolean;
}

/** `askline serve`: serves asks until a signal ends it, or until it cannot any more. */
export async function runServe(flags: ServeFlags, world: World): Promise<number> {
  const settings = await readSettings(flags, world);
  const local = isLoopback(settings.host);
  if (flags.demo && !local) {
    throw new CommandError("--demo is for a server of this machine alone; leave --host away");
  }
  createDataFolder(settings.data);
  const interruption = world.interruption();
  const { logFormat, logLevel, metricsToken } = settings;
  const choice = {
    ...(logFormat !== undefined && { format: logFormat }),
    ...(logLevel !== undefined && { level: logLevel }),
  };
  const logger = await createLogger(choice, world);
  const metrics = await createMetrics({ clock: world.clock });
  const store = metrics.measure(await createStore(settings.db));
  const over = untilOver(store, interruption.signal);
  const tracing = await loadTracing();
  const hub = await createHub({ store, clock: world.clock, logger, tracing });
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
    const listening = await listen(server, { host, port, tokensConfigured });
    try {
      const access = local ? await ensureCredentials(auth, data, listening.url, settings.person) : undefined;
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
    interruption.dispose();
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
  const inbox = person === undefined ? undefined : await inboxLink(auth, shownUrl, person);
  const facts = {
    version: packageVersion(),
    url: shownUrl,
    store: describeDatabase(settings.db),
    ...(inbox !== undefined && { inbox }),
    dataFolder: settings.data,
    ...(access !== undefined && {
      credentials: { path: credentialsPath(settings.data), created: access.created },
    }),
    hint: askHintOf(shownUrl, settings, world),
    ...(settings.db.kind !== "memory" && { inboxHint: inboxHintOf(shownUrl, person, settings, world) }),
  };
  const { hint: _hint, inboxHint: _inboxHint, ...told } = facts;
  await print(world, flags.json, told, () => `${bannerText(facts)}\n`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
