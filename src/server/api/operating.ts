// Routes for operating a server: its health, its version, its metrics, and the document of its API.

import { createHash, timingSafeEqual } from "node:crypto";
import { AsklineError, type JsonObject } from "../../core/index.js";
import { json, problem, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

export const healthRoutes: readonly Route[] = [
  {
    path: "/healthz",
    methods: {
      GET: { about: about("isAlive", "Is the process up"), handle: async () => json(200, { status: "ok" }) },
    },
  },
  {
    path: "/readyz",
    methods: { GET: { about: about("isReady", "Is it to be sent requests"), handle: ready } },
  },
];

function about(id: string, summary: string): Operation {
  return { id, summary, responses: { 200: { description: "It is.", schema: "StatusResponse" } } };
}

async function ready({ services }: Call): Promise<Reply> {
  const failed = await services.readiness.failed();
  if (failed === undefined) return json(200, { status: "ready" });
  return problem(failed);
}

const INFO: Operation = {
  id: "getServer",
  summary: "Which version answers",
  responses: { 200: { description: "What this server is.", schema: "ServerInfo" } },
};

/** What a server is, for those with a token: its version is nobody else's business. */
export const serverInfoRoutes: readonly Route[] = [
  {
    path: "/v1/server",
    methods: {
      GET: authorized({ roles: ["agent", "person"] }, INFO, async ({ services: { version } }) =>
        json(200, version === undefined ? {} : { version }),
      ),
    },
  },
];

const METRICS: Operation = {
  id: "getMetrics",
  summary: "Metrics for Prometheus",
  description: "For an admin's token, or for the scrape token that the server was started with.",
  responses: { 200: { description: "In the text format.", type: "text/plain" } },
  errors: ["not_found"],
};

const forAdmins = authorized({ roles: ["admin"] }, METRICS, (call) => render(call));

export const metricsRoutes: readonly Route[] = [
  { path: "/metrics", methods: { GET: { ...forAdmins, handle: scrape } } },
];

/** For an admin, or for who has the one secret that opens this and nothing else. */
async function scrape(call: Call): Promise<Reply> {
  const { metricsToken } = call.services;
  const [, sent] = /^bearer +(\S+)$/i.exec(call.request.headers.get("authorization") ?? "") ?? [];
  const isScraper = metricsToken !== undefined && sent !== undefined && isSame(sent, metricsToken);
  return isScraper ? render(call) : forAdmins.handle(call);
}

async function render({ services }: Call): Promise<Reply> {
  const { metrics, connections, waits, slowestPosition } = services;
  if (metrics === undefined) {
    throw new AsklineError("not_found", "this server keeps no metrics; give createServer some to have them");
  }
  const position = slowestPosition();
  const { contentType, text } = await metrics.render({
    connections: { ...connections.counts(), held_request: waits.size },
    ...(position !== undefined && { slowestPosition: position }),
  });
  return {
    status: 200,
    headers: { "content-type": contentType, "cache-control": "no-store" },
    body: text,
  };
}

/** As hashes, which are of one length: a comparison tells nothing by its time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

const DOCUMENT: Operation = {
  id: "apiDocument",
  summary: "This document",
  responses: { 200: { description: "OpenAPI 3.1.", schema: "ApiDocument" } },
};

/** Needs no credential: the document is the same for every server. */
export function documentRoutes(document: () => JsonObject): readonly Route[] {
  let json: string | undefined;
  const handle = async (): Promise<Reply> => {
    json ??= JSON.stringify(document());
    return {
      status: 200,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
      },
      body: json,
    };
  };
  return [{ path: "/openapi.json", methods: { GET: { about: DOCUMENT, handle } } }];
}
