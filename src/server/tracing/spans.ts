import type { Span as ApiSpan, Context, SpanContext } from "@opentelemetry/api";
import type { Span, SpanOptions, Tracing } from "../../core/kit/tracing.js";
import { AsklineError } from "../../core/model/error.js";

/** {@link Tracing}, with what the traced store needs. */
export interface Spans extends Tracing {
  /** Links the active span to another, by its traceparent. */
  link(traceparent: string | undefined): void;
  /** Records a span without duration, linked to its cause if there is one. */
  point(name: string, options: SpanOptions, cause: string | undefined): void;
}

// The values of the API's enums, which not every build of the package exports.
const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

export function createSpans({ context, trace }: TraceApi): Spans {
  const tracer = trace.getTracer("askline");

  /** The context of a new span: below the given parent, or else below the active span. */
  const contextOf = ({ parent }: SpanOptions): Context => {
    const active = context.active();
    const remote = parseTraceparent(parent);
    return remote === undefined ? active : trace.setSpanContext(active, remote);
  };
  const start = (name: string, options: SpanOptions, at: Context, cause?: string): ApiSpan => {
    const link = parseTraceparent(cause);
    return tracer.startSpan(
      name,
      {
        kind: KINDS[options.kind ?? "internal"],
        ...(options.facts !== undefined && { attributes: options.facts }),
        links: link ? [{ context: link }] : [],
      },
      at,
    );
  };

  return {
    async span(name, options, task) {
      const at = contextOf(options);
      const span = start(name, options, at);
      try {
        return await context.with(trace.setSpan(at, span), () => task(spanOf(span)));
      } catch (error) {
        // Record only the code: the message may contain questions or answers.
        spanOf(span).fail(error instanceof AsklineError ? error.code : "internal");
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
    point(name, options, cause) {
      start(name, options, contextOf(options), cause).end();
    },
  };
}

function spanOf(span: ApiSpan): Span {
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

/** Undefined for a malformed or all-zero traceparent. */
function parseTraceparent(text: string | undefined): SpanContext | undefined {
  if (text === undefined || text.length > 256 || text.startsWith("ff")) return undefined;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** The part of `@opentelemetry/api` that is used. */
type TraceApi = Pick<typeof import("@opentelemetry/api"), "context" | "trace">;

/** The global under which SDKs register, shared by all copies of the package. */
const REGISTERED: unique symbol = Symbol.for("opentelemetry.js.api.1") as never;

/** The package, loaded only if an SDK has registered a tracer. */
export async function loadApi(): Promise<TraceApi | undefined> {
  const registered = (globalThis as { readonly [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED];
  if (registered?.trace === undefined) return undefined;
  try {
    const loaded: { readonly default?: TraceApi } & TraceApi = await import("@opentelemetry/api");
    // A bundle keeps only the default export of a CommonJS package.
    return loaded.default ?? loaded;
  } catch {
    return undefined;
  }
}
