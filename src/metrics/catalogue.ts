// Every metric of ours, once. The labels are of a few known values each: ids, sessions, names and paths are as
// many as their senders like, and have no place in here. docs/operating.md lists them; a test compares.

import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { AsklineError, OUTCOME_KINDS } from "../core/index.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** People answer within seconds, after lunch, or on Monday. */
const ANSWER_BUCKETS = [
  ...[1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR],
  ...[12 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY],
];
const STORE_BUCKETS = [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Up to the longest that a request may be held. */
const REQUEST_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const ASK_KINDS = ["questions", "approval"] as const;

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
  readonly placesRefused: Counter<"by">;
}

export function createCatalogue(
  { Counter, Gauge, Histogram }: PrometheusClient,
  registry: Registry,
): Catalogue {
  const registers = [registry];
  const catalogue: Catalogue = {
    created: new Counter({
      ...{ registers, name: "askline_asks_created_total", labelNames: ["kind"] },
      help: "Asks that were stored through this process.",
    }),
    settled: new Counter({
      ...{ registers, name: "askline_asks_settled_total", labelNames: ["kind", "outcome"] },
      help: "Asks that were ended through this process, by how they ended.",
    }),
    answerTime: new Histogram({
      ...{ registers, name: "askline_ask_duration_seconds", labelNames: ["outcome"] },
      help: "From the creation of an ask to its end, for asks ended through this process.",
      buckets: ANSWER_BUCKETS,
    }),
    pending: new Gauge({
      ...{ registers, name: "askline_asks_pending" },
      help: "Asks in the store that wait for an answer. Every process on one store tells the same.",
    }),
    oldestPending: new Gauge({
      ...{ registers, name: "askline_oldest_pending_seconds" },
      help: "How long the oldest pending ask has waited; 0 where none does.",
    }),
    eventsBehind: new Gauge({
      ...{ registers, name: "askline_events_behind" },
      help: "Events that the slowest connected reader has not been sent yet.",
    }),
    connections: new Gauge({
      ...{ registers, name: "askline_connections", labelNames: ["kind"] },
      help: "What is open at this process.",
    }),
    storeReachable: new Gauge({
      ...{ registers, name: "askline_store_reachable" },
      help: "1 where the store answered this scrape in time, otherwise 0.",
    }),
    storeOperation: new Histogram({
      ...{ registers, name: "askline_store_operation_seconds", labelNames: ["operation", "result"] },
      help: "How long the store took, waiting for its turn included.",
      buckets: STORE_BUCKETS,
    }),
    commitWrites: new Histogram({
      ...{ registers, name: "askline_store_commit_writes" },
      help: "Writes that became durable together.",
      buckets: BATCH_BUCKETS,
    }),
    commitTime: new Histogram({
      ...{ registers, name: "askline_store_commit_seconds" },
      help: "How long one commit took.",
      buckets: STORE_BUCKETS,
    }),
    requests: new Counter({
      ...{ registers, name: "askline_http_requests_total", labelNames: ["route", "method", "status"] },
      help: "Requests that were answered, by the pattern of their route and the class of their status.",
    }),
    requestTime: new Histogram({
      ...{ registers, name: "askline_http_request_duration_seconds", labelNames: ["route", "method"] },
      help: "Until the response was made, the time that a request was held included; of a stream, until it began.",
      buckets: REQUEST_BUCKETS,
    }),
    rateLimited: new Counter({
      ...{ registers, name: "askline_rate_limited_requests_total", labelNames: ["by"] },
      help: "Requests that were refused because their token or their address had sent too many.",
    }),
    placesRefused: new Counter({
      ...{ registers, name: "askline_places_refused_total", labelNames: ["by"] },
      help: "What would have stayed open and was refused, because its token, its address or the server had as much open as it may.",
    }),
  };
  beginAtZero(catalogue);
  return catalogue;
}

/** A counter that appears with its first event hides that event from every rate. */
function beginAtZero({ created, settled, rateLimited, placesRefused }: Catalogue): void {
  for (const kind of ASK_KINDS) {
    created.inc({ kind }, 0);
    for (const outcome of OUTCOME_KINDS) settled.inc({ kind, outcome }, 0);
  }
  for (const by of ["token", "address"]) rateLimited.inc({ by }, 0);
  for (const by of ["token", "address", "server"]) placesRefused.inc({ by }, 0);
}

/** `prom-client`, which only those install who want metrics. */
export type PrometheusClient = typeof import("prom-client");

export async function loadClient(): Promise<PrometheusClient> {
  try {
    // Its names stand beside the default only where Node finds them in the source, and not in a bundle.
    const { default: client } = await import("prom-client");
    return client;
  } catch (error) {
    throw new AsklineError(
      "unsupported",
      "metrics need the package prom-client, which is not installed: npm install prom-client",
      { cause: error },
    );
  }
}
