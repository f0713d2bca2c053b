// The streams and sockets of one kind that are open: their heartbeat, their credentials, and the count of each.

import type { Clock } from "../../core/kit/clock.js";
import type { Principal } from "../access/principal.js";
import type { ServerLimits } from "../http/limits.js";
import type { Connections } from "../instruments/connections.js";
import type { ConnectionKind } from "../instruments/server-metrics.js";
import type { CredentialWatch } from "./credential-watch.js";
import { every } from "./every.js";

export interface OpenItem {
  /** Sends a heartbeat. */
  beat(): void;
  /** Ends it because the server closes. */
  end(): void;
  /** Ends it because its credential is no longer valid; `end` if omitted. */
  endUnauthorized?(): void;
  /** Resolves when it is over, for any reason. */
  readonly over: Promise<void>;
}

export interface OpenSet<Item extends OpenItem> extends Iterable<Item> {
  readonly size: number;
  readonly isClosed: boolean;
  /** Calls `left` when the item is over. */
  add(item: Item, kind: ConnectionKind, principal: Principal, left?: () => void): void;
  /** Ends all, those that are added later too, and waits until they are over. */
  close(): Promise<void>;
}

export interface OpenSetParts {
  readonly clock: Clock;
  readonly limits: Pick<Required<ServerLimits>, "heartbeatMs">;
  readonly credentials: CredentialWatch;
  readonly connections: Connections;
}

export function createOpenSet<Item extends OpenItem>(parts: OpenSetParts): OpenSet<Item> {
  const { clock, limits, credentials, connections } = parts;
  const open = new Set<Item>();
  let stopBeat: (() => void) | undefined;
  let closed = false;
  const beat = (): void => {
    for (const item of open) item.beat();
  };
  return {
    add(item, kind, principal, left) {
      open.add(item);
      const unwatch = credentials.add(principal.credential, item.endUnauthorized ?? item.end);
      const counted = connections.open(kind, principal);
      stopBeat ??= every(clock, limits.heartbeatMs, beat);
      void item.over.then(() => {
        open.delete(item);
        unwatch();
        counted();
        left?.();
        if (open.size > 0) return;
        stopBeat?.();
        stopBeat = undefined;
      });
      if (closed) item.end();
    },
    get size() {
      return open.size;
    },
    get isClosed() {
      return closed;
    },
    [Symbol.iterator]: () => open.values(),
    async close() {
      closed = true;
      const items = [...open];
      for (const item of items) item.end();
      await Promise.all(items.map(({ over }) => over));
    },
  };
}
