// Reports every answered request to the log and the metrics. Paths are never reported: the path of a signed link
// gives access to an ask, and senders can make up any number of paths.

import type { Logger } from "../../core/kit/logger.js";
import type { Principal } from "../access/principal.js";
import type { ServerMetrics } from "./server-metrics.js";

export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path of its route; `none` without one. */
  readonly route: string;
  readonly principal: Principal | undefined;
  readonly status: number;
  readonly milliseconds: number;
}

export type ObserveRequest = (answered: AnsweredRequest) => void;

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Called by machines every few seconds; only failures are interesting. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

/** Undefined without a log and metrics: a request then costs nothing extra. */
export function createRequestObserver(
  logger: Logger,
  metrics: ServerMetrics | undefined,
): ObserveRequest | undefined {
  if (logger.event === undefined && metrics === undefined) return undefined;

  return ({ requestId, method: sent, route, principal, status, milliseconds }) => {
    const method = METHODS.has(sent) ? sent : "other";
    metrics?.requestEnded({ route, method, status, milliseconds });
    if (logger.event === undefined) return;
    const level = PROBES.has(route) && status < 400 ? "debug" : "info";
    logger.event(level, "request", {
      requestId,
      method,
      route,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      ...(principal !== undefined && {
        role: principal.role,
        name: principal.name,
        via: principal.credential.kind,
      }),
    });
  };
}
