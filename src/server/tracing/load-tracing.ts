import type { HubTracing } from "../../hub/seam/port.js";
import { createSpans, loadApi } from "./spans.js";
import { tracedStore } from "./traced-store.js";

/**
 * OpenTelemetry tracing for `connect`, `createHub` and `createServer`; undefined if no SDK has registered a tracer with
 * `@opentelemetry/api`. Call it after the SDK has started.
 *
 * @example
 * const tracing = await loadTracing();
 * console.log(tracing?.current() ?? "nothing is traced here");
 */
export async function loadTracing(): Promise<HubTracing | undefined> {
  const api = await loadApi();
  if (api === undefined) return undefined;
  const spans = createSpans(api);
  return {
    span: spans.span,
    current: spans.current,
    store: (store) => tracedStore(store, spans),
  };
}
