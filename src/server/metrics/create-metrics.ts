import type { Clock } from "../../core/kit/clock.js";
import type { Ask } from "../../core/model/ask.js";
import { DELIVERY_STATES } from "../../hub/delivery/outbox/entry.js";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type DeliveryResult,
  kindOfLane,
} from "../../hub/delivery/outbox/lane.js";
import { machineClock } from "../../hub/seam/machine-clock.js";
import type { HubOptions } from "../../hub/seam/port.js";
import type { Store } from "../../hub/seam/store.js";
import type { ServerLevels, ServerMetrics } from "../instruments/server-metrics.js";
import { type Catalogue, createCatalogue, loadClient } from "./catalogue.js";
import { createStoreLevels, measuredStore, type StoreLevels } from "./measured-store.js";

export interface MetricsOptions {
  readonly clock?: Clock;
  /** Whether to report process metrics as well: memory, CPU, event loop, garbage collection. True by default. */
  readonly process?: boolean;
}

export interface Metrics extends ServerMetrics {
  /** The same store with metrics: pass this one to the hub and to `createAuth`. */
  measure(store: Store): Store;
  /** An attempt to deliver a message ended. Pass it as `onResult` to the delivery. */
  deliveryAttempted(channel: ChannelKind, result: DeliveryResult): void;
  /** For `onQuotaRefused` of `createHub`. */
  quotaRefused(limit: Parameters<NonNullable<HubOptions["onQuotaRefused"]>>[0]): void;
}

/**
 * Metrics of one server, in a registry of their own. Needs the package `prom-client`.
 *
 * @example
 * const metrics = await createMetrics();
 * const measured = metrics.measure(store); // for createHub; the metrics themselves are for createServer
 * console.log(measured.name);
 */
export async function createMetrics(options: MetricsOptions = {}): Promise<Metrics> {
  const { clock = machineClock(), process = true } = options;
  const client = await loadClient();
  const registry = new client.Registry();
  const catalogue = createCatalogue(client, registry);
  if (process) client.collectDefaultMetrics({ register: registry });
  let storeLevels: (() => Promise<StoreLevels | undefined>) | undefined;

  return {
    measure(store) {
      // The unmeasured store: a scrape must not change the metrics that it reports.
      storeLevels = createStoreLevels(store, clock);
      return measuredStore(store, {
        called: (operation, ok, milliseconds) => {
          const result = ok ? "ok" : "error";
          catalogue.storeOperation.observe({ operation, result }, milliseconds / 1_000);
        },
        committed: (writes, milliseconds) => {
          catalogue.commitWrites.observe(writes);
          catalogue.commitTime.observe(milliseconds / 1_000);
        },
        created: (ask) => catalogue.created.inc({ kind: kindOf(ask) }),
        settled: (ask) => countEnd(catalogue, ask),
      });
    },
    requestEnded({ route, method, status, milliseconds }) {
      catalogue.requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` });
      catalogue.requestTime.observe({ route, method }, milliseconds / 1_000);
    },
    rateLimited: (by) => catalogue.rateLimited.inc({ by }),
    connectionRefused: (by) => catalogue.connectionsRefused.inc({ by }),
    deliveryAttempted: (channel, result) => catalogue.deliveries.inc({ channel, result }),
    quotaRefused: (limit) => catalogue.quotaRefused.inc({ limit }),
    gatewayIgnored: () => catalogue.gatewayIgnored.inc(),
    async render(server) {
      setLevels(catalogue, server, await storeLevels?.());
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function kindOf({ approval }: Ask): "approval" | "questions" {
  return approval === undefined ? "questions" : "approval";
}

function countEnd({ settled, answerTime }: Catalogue, ask: Ask): void {
  const { outcome, settledAt, createdAt } = ask;
  if (outcome === undefined) return;
  settled.inc({ kind: kindOf(ask), outcome: outcome.kind });
  if (settledAt === undefined) return;
  answerTime.observe({ outcome: outcome.kind }, Math.max(0, settledAt - createdAt) / 1_000);
}

function setLevels(catalogue: Catalogue, server: ServerLevels, store: StoreLevels | undefined): void {
  const { connections, pending, oldestPending, eventsBehind, storeReachable, openDeliveries } = catalogue;
  for (const [kind, count] of Object.entries(server.connections)) connections.set({ kind }, count);
  storeReachable.set(store === undefined ? 0 : 1);
  if (store === undefined) {
    // No value is better than a stale one.
    for (const gauge of [pending, oldestPending, eventsBehind]) gauge.remove();
    openDeliveries.reset();
    return;
  }
  pending.set(store.pending);
  oldestPending.set(store.oldestPendingMs / 1_000);
  eventsBehind.set(Math.max(0, store.head - (server.slowestPosition ?? store.head)));
  for (const channel of CHANNEL_KINDS) {
    for (const state of DELIVERY_STATES) openDeliveries.set({ channel, state }, 0);
  }
  for (const { lane, state } of store.deliveries) openDeliveries.inc({ channel: kindOfLane(lane), state });
}
