/** Where warnings and errors go. `console` is one. */
export interface Logger {
  warn(message: string, ...details: readonly unknown[]): void;
  error(message: string, ...details: readonly unknown[]): void;
}
