/** What is told of a span: short facts, never what somebody has asked or answered. */
export type SpanFacts = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  /** Whose work it is: an internal step where it is not said. */
  readonly kind?: "client" | "server";
  /** The span before it, as a W3C `traceparent`; the one at hand where it is not given. One that is none is ignored. */
  readonly parent?: string | undefined;
  readonly facts?: SpanFacts;
}

export interface Span {
  set(facts: SpanFacts): void;
  /** It did not go well. */
  fail(reason: string): void;
}

/** Follows work through programs. `askline/tracing` has one for OpenTelemetry. */
export interface Tracing {
  /** Runs a task as a span, which is at hand until the task is done. */
  span<T>(name: string, options: SpanOptions, task: (span: Span) => Promise<T>): Promise<T>;
  /** The span at hand, as a W3C `traceparent`; undefined where there is none. */
  current(): string | undefined;
}
