import { AsklineError } from "../../core/index.js";
import type { Call, Route } from "../call.js";
import type { Operation } from "../operation.js";
import { json } from "../respond.js";

export const healthRoutes: readonly Route[] = [
  {
    path: "/healthz",
    methods: {
      GET: { about: about("isAlive", "Is the process up"), handle: async () => json(200, { status: "ok" }) },
    },
  },
  { path: "/readyz", methods: { GET: { about: about("isReady", "Is the store reachable"), handle: ready } } },
];

function about(id: string, summary: string): Operation {
  return { id, summary, responses: { 200: { description: "It is.", schema: "StatusResponse" } } };
}

/** Ready means that the store answers. What is wrong with it is for the log, not for everyone. */
async function ready({ services }: Call): Promise<Response> {
  try {
    await services.hub.position();
  } catch (error) {
    services.logger.warn("the store does not answer", error);
    throw new AsklineError("store_unavailable", "the store does not answer");
  }
  return json(200, { status: "ready" });
}
