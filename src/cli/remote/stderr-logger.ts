import { displayLine, type Logger } from "../../core/index.js";
import type { World } from "../world.js";

/** Trouble in the background, a line each on stderr. */
export function stderrLogger({ stderr }: Pick<World, "stderr">): Logger {
  const write = (message: string, ...details: readonly unknown[]): void => {
    stderr.write(`askline: ${displayLine([message, ...details.map(String)].join(" "))}\n`);
  };
  return { warn: write, error: write };
}
