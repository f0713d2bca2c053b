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
  const isTerminal = "isTTY" in world.stderr && world.stderr.isTTY === true;
  const { format = isTerminal ? "text" : "json", level = format === "text" && isTerminal ? "warn" : "info" } =
    choice;
  if (format === "text") return redactingLogger(textLogger(world, level));
  const { jsonLogger } = await import("./json-logger.js");
  return redactingLogger(jsonLogger(world, level));
}
