import type { Logger } from "../../core/index.js";
import { redactingLogger } from "../../server/redact.js";
import type { World } from "../world.js";
import type { LogFormat, LogLevel } from "./log-options.js";
import { textLogger } from "./text-logger.js";

export interface LogChoice {
  readonly format?: LogFormat;
  readonly level?: LogLevel;
}

/**
 * The log of a server. Where nobody looks, JSON with a line for each request; at a terminal, in words and only
 * trouble, so that the banner stays in sight. Secrets are left out of either.
 */
export async function createLogger(choice: LogChoice, world: Pick<World, "stderr">): Promise<Logger> {
  const format = logFormatOf(choice, world);
  const { level = format === "text" && isTerminal(world) ? "warn" : "info" } = choice;
  if (format === "text") return redactingLogger(textLogger(world, level));
  const { jsonLogger } = await import("./json-logger.js");
  return redactingLogger(jsonLogger(world, level));
}

/** The format that was chosen, or the one that fits whoever reads it. */
export function logFormatOf({ format }: LogChoice, world: Pick<World, "stderr">): LogFormat {
  return format ?? (isTerminal(world) ? "text" : "json");
}

function isTerminal({ stderr }: Pick<World, "stderr">): boolean {
  return "isTTY" in stderr && stderr.isTTY === true;
}
