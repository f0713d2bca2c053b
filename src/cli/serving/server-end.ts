// What ends a server, and what it says then.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { AsklineError } from "../../core/model/error.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Store } from "../../hub/seam/store.js";
import type { AsklineServer } from "../../server/server.js";
import type { LogFormat } from "../output/logger.js";
import type { World } from "../world/world.js";

/** What ends a server: an interruption, or a store that can no longer be written. */
export interface ServerEnd {
  /** Aborts for either. */
  readonly signal: AbortSignal;
  /** Why the server cannot continue; undefined if it was interrupted. */
  readonly fault: AsklineError | undefined;
  /** Ends a server that nobody has used for a while, unless an ask is pending. */
  stopWhenIdle(server: AsklineServer, hub: Hub, idleMs: number, clock: Clock): void;
}

/**
 * A server whose store broke cannot recover, so it ends and its supervisor starts a new one. A new process opens the
 * file as it was last committed.
 */
export function endOf(store: Pick<Store, "onBroken">, interrupted: AbortSignal): ServerEnd {
  const controller = new AbortController();
  let fault: AsklineError | undefined;
  store.onBroken?.((reason) => {
    fault = reason;
    controller.abort();
  });
  const ended = AbortSignal.any([interrupted, controller.signal]);
  return {
    signal: ended,
    get fault() {
      return fault;
    },
    stopWhenIdle(server, hub, idleMs, clock) {
      let handled = server.handled;
      let usedAt = clock.monotonic();
      let cancel = (): void => undefined;
      const look = async (): Promise<void> => {
        const { requests, streams, sockets } = server.open();
        const isUsed = server.handled !== handled || requests + streams + sockets > 0;
        const { browserSeenAt = Number.NEGATIVE_INFINITY } = server;
        handled = server.handled;
        if (isUsed) usedAt = clock.monotonic();
        const now = clock.monotonic();
        const idle = now - usedAt >= idleMs && now - browserSeenAt >= BROWSER_MS;
        if (idle && (await hub.list({ status: "pending" }, { limit: 1 })).asks.length === 0) {
          return controller.abort();
        }
        cancel = clock.schedule(Math.min(idleMs, LOOK_FOR_IDLE_MS), () => void look().catch(ignore));
        if (ended.aborted) cancel();
      };
      ended.addEventListener("abort", () => cancel());
      void look().catch(ignore);
    },
  };
}

const LOOK_FOR_IDLE_MS = 30_000;
/** A tab that sleeps would come back to a port that anybody may have taken. */
const BROWSER_MS = 24 * 60 * 60_000;

/** The store is broken or closed; the server ends for that reason. */
function ignore(): void {}

/**
 * Reports the open requests of a server that stops: as an event in a JSON log, otherwise in words, and not at all if
 * there are none.
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
  const open = [
    counted(requests, "request"),
    counted(streams, "stream"),
    counted(sockets, "WebSocket"),
  ].filter((text) => text !== "");
  if (open.length === 0) return;
  stderr.write(
    `askline: stopping: ${open.join(", ")}; waiting clients are asked to retry. Press Ctrl-C again to stop immediately.\n`,
  );
}

function counted(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}
