import type { Span as ApiSpan, Context, SpanContext } from "@opentelemetry/api";
import { AsklineError, type Span, type SpanOptions, type Tracing } from "../core/index.js";

/** What the store needs beside {@link Tracing}. */
export interface Spans extends Tracing {
  /** Links the span at hand with another, by its traceparent. */
  link(traceparent: string | undefined): void;
  /** A span without length: that something happened, perhaps because of another span. */
  point(name: string, options: SpanOptions, because: string | undefined): void;
}

// The numbers of the API's enums, which not every build of it has beside `trace` and `context`.
const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

export function createSpans({ context, trace }: TraceApi): Spans {
  const tracer = trace.getTracer("askline");

  /** Where a span begins: below the one that is named, or else the one at hand. */
  const contextOf = ({ parent }: SpanOptions): Context => {
    const active = context.active();
    const remote = parseTraceparent(parent);
    return remote === undefined ? active : trace.setSpanContext(active, remote);
  };
  const start = (name: string, options: SpanOptions, at: Context, because?: string): ApiSpan => {
    const link = parseTraceparent(because);
    return tracer.startSpan(
      name,
      {
        kind: KINDS[options.kind ?? "internal"],
        ...(options.facts !== undefined && { attributes: options.facts }),
        ...(link !== undefined && { links: [{ context: link }] }),
      },
      at,
    );
  };

  return {
    async span(name, options, task) {
      const at = contextOf(options);
      const span = start(name, options, at);
      try {
        return await context.with(trace.setSpan(at, span), () => task(ours(span)));
      } catch (error) {
        // The message may hold what was asked or answered.
        ours(span).fail(error instanceof AsklineError ? error.code : "internal");
        throw error;
      } finally {
        span.end();
      }
    },
    current() {
      const active = trace.getActiveSpan()?.spanContext();
      return active !== undefined && trace.isSpanContextValid(active) ? formatTraceparent(active) : undefined;
    },
    link(traceparent) {
      const other = parseTraceparent(traceparent);
      if (other !== undefined) trace.getActiveSpan()?.addLink({ context: other });
    },
    point(name, options, because) {
      start(name, options, contextOf(options), because).end();
    },
  };
}

function ours(span: ApiSpan): Span {
  return {
    set: (facts) => void span.setAttributes(facts),
    fail(reason) {
      span.setAttribute("error.type", reason);
      span.setStatus({ code: ERROR, message: reason });
    },
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Undefined where the text is no traceparent, or one of nothing. */
function parseTraceparent(text: string | undefined): SpanContext | undefined {
  if (text === undefined || text.length > 256 || text.startsWith("ff")) return undefined;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** What we use of `@opentelemetry/api`. */
type TraceApi = Pick<typeof import("@opentelemetry/api"), "context" | "trace">;

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
