// Every metric. Each label has only a few known values: never ids, sessions, names or paths, because clients choose
// those. docs/operating.md lists the metrics, and a test compares the two.

import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { AsklineError } from "../../core/model/error.js";
import { OUTCOME_KINDS } from "../../core/model/kinds.js";
import { CHANNEL_KINDS, DELIVERY_RESULTS } from "../../hub/delivery/outbox/lane.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** People answer within seconds, after lunch, or on Monday. */
const ANSWER_BUCKETS = [
  ...[1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR],
  ...[12 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY],
];
const STORE_BUCKETS = [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Up to the longest hold of a request. */
const REQUEST_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const ASK_KINDS = ["questions", "approval"] as const;
/** A scrape must not read a whole outbox. */
export const MOST_COUNTED = 1_000;

export interface Catalogue {
  readonly created: Counter<"kind">;
  readonly settled: Counter<"kind" | "outcome">;
  readonly answerTime: Histogram<"outcome">;
  readonly pending: Gauge;
  readonly oldestPending: Gauge;
  readonly eventsBehind: Gauge;
  readonly connections: Gauge<"kind">;
  readonly storeReachable: Gauge;
  readonly storeOperation: Histogram<"operation" | "result">;
  readonly commitWrites: Histogram;
  readonly commitTime: Histogram;
  readonly requests: Counter<"route" | "method" | "status">;
  readonly requestTime: Histogram<"route" | "method">;
  readonly rateLimited: Counter<"by">;
  readonly connectionsRefused: Counter<"by">;
  readonly gatewayIgnored: Counter;
  readonly deliveries: Counter<"channel" | "result">;
  readonly openDeliveries: Gauge<"channel" | "state">;
  readonly quotaRefused: Counter<"limit">;
}

export function createCatalogue(
  { Counter, Gauge, Histogram }: PrometheusClient,
  registry: Registry,
): Catalogue {
  const registers = [registry];
  const catalogue: Catalogue = {
    created: new Counter({
      ...{ registers, name: "askline_asks_created_total", labelNames: ["kind"] },
      help: "Asks stored by this process.",
    }),
    settled: new Counter({
      ...{ registers, name: "askline_asks_settled_total", labelNames: ["kind", "outcome"] },
      help: "Asks settled by this process, by outcome.",
    }),
    answerTime: new Histogram({
      ...{ registers, name: "askline_ask_duration_seconds", labelNames: ["outcome"] },
      help: "Time from the creation of an ask to its end, for asks settled by this process.",
      buckets: ANSWER_BUCKETS,
    }),
    pending: new Gauge({
      ...{ registers, name: "askline_asks_pending" },
      help: "Pending asks in the store. Every process on the same store reports the same value.",
    }),
    oldestPending: new Gauge({
      ...{ registers, name: "askline_oldest_pending_seconds" },
      help: "Age of the oldest pending ask; 0 if none is pending.",
    }),
    eventsBehind: new Gauge({
      ...{ registers, name: "askline_events_behind" },
      help: "Events not yet sent to the slowest connected reader.",
    }),
    connections: new Gauge({
      ...{ registers, name: "askline_connections", labelNames: ["kind"] },
      help: "Open connections of this process, by kind.",
    }),
    storeReachable: new Gauge({
      ...{ registers, name: "askline_store_reachable" },
      help: "1 if the store answered this scrape in time, otherwise 0.",
    }),
    storeOperation: new Histogram({
      ...{ registers, name: "askline_store_operation_seconds", labelNames: ["operation", "result"] },
      help: "Duration of store operations, including time in the queue.",
      buckets: STORE_BUCKETS,
    }),
    commitWrites: new Histogram({
      ...{ registers, name: "askline_store_commit_writes" },
      help: "Writes per commit.",
      buckets: BATCH_BUCKETS,
    }),
    commitTime: new Histogram({
      ...{ registers, name: "askline_store_commit_seconds" },
      help: "Duration of one commit.",
      buckets: STORE_BUCKETS,
    }),
    requests: new Counter({
      ...{ registers, name: "askline_http_requests_total", labelNames: ["route", "method", "status"] },
      help: "HTTP requests, by route pattern, method and status class.",
    }),
    requestTime: new Histogram({
      ...{ registers, name: "askline_http_request_duration_seconds", labelNames: ["route", "method"] },
      help: "Time until the response was ready, including the time a request was held; for a stream, until it started.",
      buckets: REQUEST_BUCKETS,
    }),
    rateLimited: new Counter({
      ...{ registers, name: "askline_rate_limited_requests_total", labelNames: ["by"] },
      help: "Requests refused by the rate limit of their token or address.",
    }),
    connectionsRefused: new Counter({
      ...{ registers, name: "askline_connections_refused_total", labelNames: ["by"] },
      help: "Waiting requests, streams, WebSockets and connections refused by the limit of their token, their address or the server.",
    }),
    deliveries: new Counter({
      ...{ registers, name: "askline_delivery_attempts_total", labelNames: ["channel", "result"] },
      help: "Attempts to deliver a message, by channel and result; dead means given up.",
    }),
    openDeliveries: new Gauge({
      ...{ registers, name: "askline_deliveries", labelNames: ["channel", "state"] },
      help: `Messages in the store that wait, fail or were given up, by channel; at most ${MOST_COUNTED} of each receiver and state are counted. Every process on the same store reports the same value.`,
    }),
    gatewayIgnored: new Counter({
      ...{ registers, name: "askline_gateway_ignored_messages_total" },
      help: "Messages on gateway connections that are not of the gateway protocol, and were ignored.",
    }),
    quotaRefused: new Counter({
      ...{ registers, name: "askline_quota_refusals_total", labelNames: ["limit"] },
      help: "Asks refused by this process because their asker has reached a quota.",
    }),
  };
  beginAtZero(catalogue);
  return catalogue;
}

/** A counter that appears with its first event hides that event from every rate. */
function beginAtZero(catalogue: Catalogue): void {
  const { created, settled, rateLimited, connectionsRefused, deliveries, quotaRefused } = catalogue;
  for (const kind of ASK_KINDS) {
    created.inc({ kind }, 0);
    for (const outcome of OUTCOME_KINDS) settled.inc({ kind, outcome }, 0);
  }
  for (const channel of CHANNEL_KINDS) {
    for (const result of DELIVERY_RESULTS) deliveries.inc({ channel, result }, 0);
  }
  for (const limit of ["pendingAsks", "pendingAsksPerPerson", "storedBytes"]) quotaRefused.inc({ limit }, 0);
  for (const by of ["token", "address"]) rateLimited.inc({ by }, 0);
  for (const by of ["token", "address", "server"]) connectionsRefused.inc({ by }, 0);
}

/** `prom-client` is an optional peer dependency. */
export type PrometheusClient = typeof import("prom-client");

export async function loadClient(): Promise<PrometheusClient> {
  try {
    // Use the default export: a bundle does not keep the named exports of a CommonJS package.
    const { default: client } = await import("prom-client");
    return client;
  } catch (error) {
    throw new AsklineError(
      "unsupported",
      "metrics need the package prom-client, which is not installed; run npm install prom-client",
      { cause: error },
    );
  }
}
