import type { HubTracing } from "../hub/hub-port.js";

import { createSpans } from "./spans.js";
import { tracedStore } from "./traced-store.js";

/**
 * Traces by OpenTelemetry, for `connect`, `createHub` and `createServer`; undefined where no SDK has registered a
 * tracer with `@opentelemetry/api` yet. Call it after the SDK has started.
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

/** What we use of `@opentelemetry/api`. */
export type TraceApi = Pick<typeof import("@opentelemetry/api"), "context" | "trace">;

/** Where every copy of the package looks for what was registered: an SDK puts its parts there. */
const REGISTERED: unique symbol = Symbol.for("opentelemetry.js.api.1") as never;

/** The package, where an SDK has registered a tracer with it; otherwise it is not even loaded. */
async function loadApi(): Promise<TraceApi | undefined> {
  const registered = (globalThis as { readonly [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED];
  if (registered?.trace === undefined) return undefined;
  try {
    const loaded: { readonly default?: TraceApi } & TraceApi = await import("@opentelemetry/api");
    // Its names stand beside the default only where Node finds them in the source, and not in a bundle.
    return loaded.default ?? loaded;
  } catch {
    return undefined;
  }
}
