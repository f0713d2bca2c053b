// Every request that was answered, told to the log and to whoever counts. The path is never told: that of a signed
// link opens an ask, and paths are as many as their senders like.

import type { Logger } from "../../core/index.js";
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
/** Asked for by machines, every few seconds: of interest only where something is wrong. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

/** Undefined where nobody wants to know: then a request costs nothing more. */
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
