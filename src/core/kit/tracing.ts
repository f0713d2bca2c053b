/** The attributes of a span. Never contains questions or answers. */
export type SpanFacts = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  /** An internal step by default. */
  readonly kind?: "client" | "server" | undefined;
  /** The parent as a W3C `traceparent`; the current span by default. An invalid one is ignored. */
  readonly parent?: string | undefined;
  readonly facts?: SpanFacts | undefined;
}

export interface Span {
  set(facts: SpanFacts): void;
  /** Marks the span as failed. */
  fail(reason: string): void;
}

/** Traces work across processes. `askline/tracing` has one for OpenTelemetry. */
export interface Tracing {
  /** Runs a task in a span, which is the current one until the task is done. */
  span<T>(name: string, options: SpanOptions, task: (span: Span) => Promise<T>): Promise<T>;
  /** The current span as a W3C `traceparent`, if there is one. */
  current(): string | undefined;
}
