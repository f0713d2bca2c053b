// Routes for operators: health, version, metrics and the OpenAPI document.

import { timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../core/kit/json.js";
import { AsklineError } from "../../core/model/error.js";
import { sha256 } from "../../hub/seam/sha256.js";
import { json, problem, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

export const healthRoutes: readonly Route[] = [
  {
    path: "/healthz",
    methods: {
      GET: { about: about("isAlive", "Liveness check"), handle: async () => json(200, { status: "ok" }) },
    },
  },
  {
    path: "/readyz",
    methods: { GET: { about: about("isReady", "Readiness check"), handle: ready } },
  },
];

function about(id: string, summary: string): Operation {
  return { id, summary, responses: { 200: { description: "Yes.", schema: "StatusResponse" } } };
}

async function ready({ services }: Call): Promise<Reply> {
  const failed = await services.readiness.failed();
  if (failed === undefined) return json(200, { status: "ready" });
  return problem(failed);
}

const INFO: Operation = {
  id: "getServer",
  summary: "Get the server's version, and what your own token may do",
  responses: { 200: { description: "The server's version, and the caller.", schema: "ServerInfo" } },
};

/** Needs a token: the version would help an attacker. */
export const serverInfoRoutes: readonly Route[] = [
  {
    path: "/v1/server",
    methods: {
      GET: authorized(
        { roles: ["agent", "person"], sessions: true },
        INFO,
        async ({ services: { version } }, principal) => {
          const { role, name, owner, sessions, reports } = principal;
          return json(200, {
            version,
            caller: { role, name, owner, sessions, reports },
          });
        },
      ),
    },
  },
];

const METRICS: Operation = {
  id: "getMetrics",
  summary: "Metrics for Prometheus",
  description: "Needs an admin token, or the metrics token that the server was started with.",
  responses: { 200: { description: "Metrics in the Prometheus text format.", type: "text/plain" } },
  errors: ["not_found"],
};

const forAdmins = authorized({ roles: ["admin"] }, METRICS, (call) => render(call));

export const metricsRoutes: readonly Route[] = [
  { path: "/metrics", methods: { GET: { ...forAdmins, handle: scrape } } },
];

/** Accepts an admin, or the metrics token, which gives access to nothing else. */
async function scrape(call: Call): Promise<Reply> {
  const { metricsToken } = call.services;
  const [, sent] = /^bearer +(\S+)$/i.exec(call.request.headers.get("authorization") ?? "") ?? [];
  const isScraper = metricsToken !== undefined && sent !== undefined && isSame(sent, metricsToken);
  return isScraper ? render(call) : forAdmins.handle(call);
}

async function render({ services }: Call): Promise<Reply> {
  const { metrics, connections, waits, slowestPosition } = services;
  if (metrics === undefined) {
    throw new AsklineError("not_found", "this server has no metrics; pass `metrics` to createServer");
  }
  const position = slowestPosition();
  const { contentType, text } = await metrics.render({
    connections: { ...connections.counts(), held_request: waits.size },
    slowestPosition: position,
  });
  return {
    status: 200,
    headers: { "content-type": contentType, "cache-control": "no-store" },
    body: text,
  };
}

/** Compares hashes of equal length, so that the time reveals nothing. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}

const DOCUMENT: Operation = {
  id: "apiDocument",
  summary: "This document",
  responses: { 200: { description: "OpenAPI 3.1.", schema: "ApiDocument" } },
};

/** Needs no credential: only the base path differs between servers. */
export function documentRoutes(document: () => JsonObject): readonly Route[] {
  let json: string | undefined;
  const handle = async ({ base }: Call): Promise<Reply> => {
    json ??= JSON.stringify(document());
    return {
      status: 200,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
      },
      body: base === "" ? json : JSON.stringify({ ...document(), servers: [{ url: base }] }),
    };
  };
  return [{ path: "/openapi.json", methods: { GET: { about: DOCUMENT, handle } } }];
}
