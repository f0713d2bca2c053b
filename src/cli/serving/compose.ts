// The parts of a server, from the settings: the store, the hub, what is delivered, and HTTP with MCP.

import type { McpHttp } from "../../agents/mcp/http.js";
import { connect } from "../../client/local-server.js";
import type { Json } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import { defined } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import { callbackPolicy } from "../../hub/delivery/callbacks.js";
import { createHub } from "../../hub/hub.js";
import { startRetention } from "../../hub/records/retention.js";
import { systemEntry } from "../../hub/records/system-log.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Store } from "../../hub/seam/store.js";
import { type Deliveries, startDelivery } from "../../people/channels/delivery.js";
import { notificationSettings } from "../../people/channels/settings.js";
import { type Auth, createAuth } from "../../server/access/auth.js";
import { unknownText } from "../../server/access/people.js";
import { createMetrics } from "../../server/metrics/create-metrics.js";
import { type AsklineServer, createServer } from "../../server/server.js";
import { loadTracing } from "../../server/tracing/load-tracing.js";
import { readCardFile } from "../connect/card-file.js";
import { checkWith, notificationLinks } from "../connect/notification-links.js";
import type { Settings } from "../settings/settings.js";
import { createStore } from "../settings/store.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";
import { endOf, type ServerEnd } from "./server-end.js";

export interface ComposeOptions {
  readonly logger: Logger;
  readonly world: World;
  readonly interrupted: AbortSignal;
  /** Runs a step of the start, which an interruption ends even if the step hangs. */
  readonly step: <T>(task: Promise<T>) => Promise<T>;
}

export interface ServerParts {
  readonly store: Store;
  readonly hub: Hub;
  readonly auth: Auth;
  readonly server: AsklineServer;
  readonly ending: ServerEnd;
  /** Where the server listens: the port is known when it does. */
  listensAt(url: string): void;
  close(): Promise<void>;
}

export async function composeServer(
  settings: Settings,
  { logger, world, interrupted, step }: ComposeOptions,
): Promise<ServerParts> {
  const { clock } = world;
  const { publicUrl, retainMs, metricsToken, openSessions } = settings;
  const metrics = await createMetrics({ clock });
  const store = metrics.measure(await createStore(settings.db));
  const ending = endOf(store, interrupted);
  const tracing = await loadTracing();
  const { pendingAsks, pendingAsksPerPerson, storedBytes, ...limits } = settings.limits;
  const callbacks = { allowPrivate: settings.allowPrivateCallbacks };
  const auth = createAuth({ records: store.records, now: () => store.now() });
  const hub = await step(
    createHub({
      ...{
        store,
        clock,
        logger,
        tracing,
        limits: defined({ pendingAsks, pendingAsksPerPerson, storedBytes }),
      },
      callbacks: callbackPolicy(callbacks),
      onQuotaRefused: metrics.quotaRefused,
      async checkRecipients(recipients) {
        const unknown = await auth.people.unknown(recipients);
        if (unknown.length === 0) return;
        const message = `the recipients of an ask are ${unknownText(unknown)}`;
        if (settings.knownPeople) throw new AsklineError("invalid_ask", `invalid ask:\n${message}`);
        logger.warn(message);
      },
    }),
  );
  const stopRetention = retainMs === undefined ? undefined : startRetention(hub, { retainMs, clock, logger });
  let deliveries: Deliveries | undefined;
  const close = async (): Promise<void> => {
    await stopRetention?.();
    await deliveries?.close();
    await hub.close();
  };
  const { pushContact: contact, pushHosts: hosts } = settings;
  const push = contact === undefined ? undefined : { contact, hosts };
  let address = publicUrl ?? `http://${settings.host}:${settings.port}`;
  try {
    await step(hub.logs.append([systemEntry("server.started", undefined, auditedSettings(settings))]));
    deliveries = await step(
      startDelivery({
        ...{ hub, store, clock, logger, callbacks },
        webhooks: settings.webhooks,
        people: {
          ...{ ntfy: settings.ntfy, links: notificationLinks(auth, () => address), isValid: checkWith(auth) },
          isRevoked: auth.isRevoked,
          ...defined({ push, steps: settings.notify }),
        },
        onResult: metrics.deliveryAttempted,
      }),
    );
    const mcp = lazyMcp(() => server, publicUrl);
    const server: AsklineServer = createServer({
      ...{ hub, auth, clock, logger, limits, metrics, tracing, deliveries, version: packageVersion() },
      ...defined({ publicUrl, openSessions, metricsToken }),
      allowedHosts: settings.allowedHosts,
      allowedOrigins: settings.allowedOrigins,
      trustedProxies: settings.trustedProxies,
      gatewayPaths: settings.gatewayPaths,
      agentLinks: settings.agentLinks,
      mcp: (request, token) => mcp().then((http) => http.fetch(request, token)),
      notifications: notificationSettings(store, push),
    });
    return {
      ...{ store, hub, auth, server, ending },
      listensAt(url) {
        address = publicUrl ?? url;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What decides who may reach the server and what it keeps. None of it is a secret. */
function auditedSettings(settings: Settings): Readonly<Record<string, Json>> {
  const { host, publicUrl, openSessions, retainMs, agentLinks, knownPeople, webhooks } = settings;
  const { allowedHosts, allowedOrigins, trustedProxies, gatewayPaths } = settings;
  return {
    ...{ version: packageVersion(), host, agentLinks, knownPeople, webhooks: webhooks.length },
    ...{ allowedHosts, allowedOrigins, trustedProxies, gatewayPaths },
    ...defined({ publicUrl, openSessions, retainMs }),
  };
}

/** MCP for this server, loaded at its first request. Its tools use the API of the server itself, with the caller's token. */
function lazyMcp(server: () => AsklineServer, publicUrl: string | undefined): () => Promise<McpHttp> {
  let loading: Promise<McpHttp> | undefined;
  const load = async (): Promise<McpHttp> => {
    const { createMcpHttp } = await import("../../agents/mcp/http.js");
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
