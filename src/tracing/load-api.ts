/** What we use of `@opentelemetry/api`. */
export type TraceApi = Pick<typeof import("@opentelemetry/api"), "context" | "trace">;

/** Where every copy of the package looks for what was registered: an SDK puts its parts there. */
const REGISTERED: unique symbol = Symbol.for("opentelemetry.js.api.1") as never;

/** The package, where an SDK has registered a tracer with it; otherwise it is not even loaded. */
export async function loadApi(): Promise<TraceApi | undefined> {
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
