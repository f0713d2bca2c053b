import type { Clock, Logger } from "../../core/index.js";
import type { Principal } from "../access/principal.js";
import { CONNECTION_KINDS, type ConnectionKind } from "./server-metrics.js";

/** What is open at this server, by kind. Requests that are held are counted where they are held. */
export interface Connections {
  /** Counts a connection, and tells the log; the result does both again when it is over. */
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
