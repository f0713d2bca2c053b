import type { Tracing } from "../../core/index.js";
import type { Route } from "../call.js";
import { patternOf } from "./route-pattern.js";

/** Answers a request as a span of the trace that its sender is in. */
export function traceRequest(
  tracing: Tracing,
  requestId: string,
  request: Request,
  route: Route | undefined,
  answer: () => Promise<Response>,
): Promise<Response> {
  const pattern = route === undefined ? "none" : patternOf(route);
  const options = {
    kind: "server",
    parent: request.headers.get("traceparent") ?? undefined,
    facts: {
      "http.request.method": request.method,
      "http.route": pattern,
      "askline.request.id": requestId,
    },
  } as const;
  return tracing.span(`${request.method} ${pattern}`, options, async (span) => {
    const response = await answer();
    span.set({ "http.response.status_code": response.status });
    if (response.status >= 500) span.fail(String(response.status));
    return response;
  });
}
