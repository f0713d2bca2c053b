import { pino } from "pino";
import type { Logger } from "../../core/index.js";
import type { World } from "../world/world.js";
import type { LogLevel } from "./logger.js";

/** One line of JSON each on stderr, for whatever collects logs. */
export function jsonLogger({ stderr }: Pick<World, "stderr">, level: LogLevel): Logger {
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => void stderr.write(line) },
  );
  const fields = (details: readonly unknown[]): object =>
    details.length === 0 ? {} : { details: details.map(String) };
  return {
    warn: (message, ...details) => log.warn(fields(details), message),
    error: (message, ...details) => log.error(fields(details), message),
    event: (at, name, facts) => log[at](facts, name),
  };
}
