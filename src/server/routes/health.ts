import type { Call, Route } from "../call.js";
import type { Operation } from "../operation.js";
import { json, problem, type Reply } from "../reply.js";

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
