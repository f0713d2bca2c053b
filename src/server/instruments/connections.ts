import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Principal } from "../access/principal.js";
import { CONNECTION_KINDS, type ConnectionKind } from "./server-metrics.js";

/** The open connections of this server, by kind. Held requests are counted by `Waits`. */
export interface Connections {
  /** Counts and logs a new connection; the result counts and logs its end. */
  open(kind: ConnectionKind, principal: Principal): () => void;
  counts(): Record<ConnectionKind, number>;
}

export function createConnections(clock: Clock, logger: Logger): Connections {
  const counts = Object.fromEntries(CONNECTION_KINDS.map((kind) => [kind, 0])) as Record<
    ConnectionKind,
    number
  >;
  return {
    open(kind, { role, name }) {
      counts[kind] += 1;
      const since = clock.monotonic();
      logger.event?.("info", "connection opened", { kind, role, name });
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        counts[kind] -= 1;
        const ms = Math.round(clock.monotonic() - since);
        logger.event?.("info", "connection closed", { kind, role, name, ms });
      };
    },
    counts: () => ({ ...counts }),
  };
}
