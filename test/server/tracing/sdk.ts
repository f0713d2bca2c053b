import { type Span as ApiSpan, context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach } from "vitest";

export interface Sdk {
  /** The finished spans of this name, in the order of their end. */
  named(name: string): readonly ReadableSpan[];
  /** The only finished span of this name. */
  only(name: string): ReadableSpan;
  all(): readonly ReadableSpan[];
  /** Runs a task as somebody else's own span, which is the root of its trace. */
  as<T>(name: string, task: (span: ApiSpan) => Promise<T>): Promise<T>;
}

/** The real SDK, registered for the tests of this file, with what it would send kept here. */
export function registeredSdk(): Sdk {
  const exporter = new InMemorySpanExporter();
  const manager = new AsyncLocalStorageContextManager();
  beforeAll(() => {
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(manager.enable());
  });
  beforeEach(() => exporter.reset());
  afterAll(() => {
    trace.disable();
    context.disable();
  });
  const named: Sdk["named"] = (name) => exporter.getFinishedSpans().filter((span) => span.name === name);
  return {
    named,
    only(name) {
      const [span, ...others] = named(name);
      if (span !== undefined && others.length === 0) return span;
      const names = exporter.getFinishedSpans().map((one) => one.name);
      throw new Error(`${others.length + (span ? 1 : 0)} spans are called ${name}, of ${names.join(", ")}`);
    },
    all: () => exporter.getFinishedSpans(),
    as: (name, task) =>
      trace.getTracer("test").startActiveSpan(name, { root: true }, async (span) => {
        try {
          return await task(span);
        } finally {
          span.end();
        }
      }),
  };
}

export const traceOf = (span: ReadableSpan): string => span.spanContext().traceId;
export const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
export const linksOf = (span: ReadableSpan): readonly string[] =>
  span.links.map(({ context: { traceId } }) => traceId);
