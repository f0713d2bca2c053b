/** What an event of a log is about: short facts, never what somebody has asked or answered, and no secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Where warnings and errors go. `console` is one. */
export interface Logger {
  warn(message: string, ...details: readonly unknown[]): void;
  error(message: string, ...details: readonly unknown[]): void;
  /**
   * What happens in the ordinary course: a request was answered, a connection opened. Not told where this is
   * missing, so that `console` stays for trouble.
   */
  event?(level: "debug" | "info", name: string, fields: LogFields): void;
}
