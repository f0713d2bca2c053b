import type { Logger } from "../../core/index.js";
import type { AsklineServer } from "../../server/index.js";
import type { LogFormat } from "../logging/log-options.js";
import type { World } from "../world.js";

/** After a signal, the process is gone within this. */
export const STOP_WITHIN_MS = 9_500;

/**
 * Says what a server that stops has still to end. In words only to who reads words, and nothing where it is gone
 * at once; a log in JSON has a line of its own for it.
 */
export function announceStop(
  server: AsklineServer,
  logger: Logger,
  format: LogFormat,
  { stderr }: Pick<World, "stderr">,
): void {
  logger.event?.("info", "stopping", { ...server.open() });
  if (format === "json") return;
  const { requests, streams, sockets } = server.open();
  const ending = [
    counted(requests, "request"),
    counted(streams, "stream"),
    counted(sockets, "WebSocket"),
  ].filter((text) => text !== "");
  if (ending.length === 0) return;
  stderr.write(
    `askline: stopping: ${ending.join(", ")}; whoever waits is told to come again. Once more to stop at once.\n`,
  );
}

function counted(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}
