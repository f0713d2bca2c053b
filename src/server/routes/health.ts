import type { Call, Route } from "../call.js";
import { json, problem } from "../respond.js";

export const healthRoutes: readonly Route[] = [
  { path: "/healthz", methods: { GET: async () => json(200, { status: "ok" }) } },
  { path: "/readyz", methods: { GET: ready } },
];

async function ready({ services, requestId }: Call): Promise<Response> {
  const failed = await services.readiness.failed();
  if (failed === undefined) return json(200, { status: "ready" });
  return problem(failed, { "askline-request-id": requestId });
}
