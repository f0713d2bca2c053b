import { createHash, timingSafeEqual } from "node:crypto";
import { AsklineError } from "../../core/index.js";
import type { Call, Route } from "../call.js";
import { authorized } from "../identify.js";
import type { Operation } from "../operation.js";
import type { Reply } from "../reply.js";

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
