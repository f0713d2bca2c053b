import type { LogFields, Logger } from "../../core/kit/logger.js";
import { displayLine } from "../../core/text/display.js";
import { redactingLogger } from "../../server/access/redact.js";
import type { World } from "../world/world.js";

export interface LogChoice {
  readonly format?: LogFormat;
  readonly level?: LogLevel;
}

/**
 * The log of a server: JSON with a line for each request, or at a terminal text with warnings and errors only, so that
 * the banner stays visible. Secrets are removed from both.
 */
export async function createLogger(choice: LogChoice, world: Pick<World, "stderr">): Promise<Logger> {
  const format = logFormatOf(choice, world);
  const { level = format === "text" && isTerminal(world) ? "warn" : "info" } = choice;
  if (format === "text") return redactingLogger(textLogger(world, level));
  return redactingLogger(await jsonLogger(world, level));
}

/** The chosen format; by default text at a terminal, otherwise JSON. */
export function logFormatOf({ format }: LogChoice, world: Pick<World, "stderr">): LogFormat {
  return format ?? (isTerminal(world) ? "text" : "json");
}

function isTerminal({ stderr }: Pick<World, "stderr">): boolean {
  return "isTTY" in stderr && stderr.isTTY === true;
}

export const LOG_FORMATS = ["json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** From the most to the least verbose; a level includes the ones after it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

function isLogged(level: Exclude<LogLevel, "silent">, from: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(from);
}

/** Text lines on stderr, for a person. */
function textLogger({ stderr }: Pick<World, "stderr">, from: LogLevel): Logger {
  const writeAt =
    (level: "warn" | "error"): Logger["warn"] =>
    (message, ...details) => {
      if (isLogged(level, from)) write([message, ...details.map(String)].join(" "));
    };
  const write = (text: string): void => {
    stderr.write(`askline: ${displayLine(text)}\n`);
  };
  return {
    warn: writeAt("warn"),
    error: writeAt("error"),
    event(level, name, fields) {
      if (isLogged(level, from)) write(`${name} ${inWords(fields)}`);
    },
  };
}

function inWords(fields: LogFields): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${name}=${typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : value}`,
    )
    .join(" ");
}

/** Warnings and errors as lines on stderr. */
export function stderrLogger({ stderr }: Pick<World, "stderr">): Logger {
  const write = (message: string, ...details: readonly unknown[]): void => {
    stderr.write(`askline: ${displayLine([message, ...details.map(String)].join(" "))}\n`);
  };
  return { warn: write, error: write };
}

/** For a screen that shows what goes wrong itself: a line between would spoil it. */
export const SILENT: Logger = { warn: () => undefined, error: () => undefined };

/** JSON lines on stderr, for log collectors. */
async function jsonLogger({ stderr }: Pick<World, "stderr">, level: LogLevel): Promise<Logger> {
  const { default: pino } = await import("pino");
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
