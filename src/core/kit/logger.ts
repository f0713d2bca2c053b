/** The facts of a log event. Never contains questions, answers or secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Where warnings and errors go. `console` is one. */
export interface Logger {
  warn(message: string, ...details: readonly unknown[]): void;
  error(message: string, ...details: readonly unknown[]): void;
  /**
   * An ordinary event: a request was answered, a connection opened. Not called if it is missing, so that a plain
   * `console` shows only warnings and errors.
   */
  event?(level: "debug" | "info", name: string, fields: LogFields): void;
}
