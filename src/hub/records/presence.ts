// The persons who have a surface connected now. Kept in memory, and shared with other processes as records that expire,
// so a crash leaves nothing behind.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import { holdLease } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { addressees } from "../../core/model/visibility.js";
import type { HubPresence } from "../seam/port.js";
import type { Store } from "../seam/store.js";
import { listSubscriptions } from "./push-subscriptions.js";

const NAMESPACE = "presence";
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

export interface Presence extends HubPresence {
  /** Whether a person who may answer this ask has a surface connected to any process, or a device that gets push. */
  canReach(ask: Ask): Promise<boolean>;
  close(): Promise<void>;
}

export function createPresence(store: Store, clock: Clock, logger: Logger, hubId: string): Presence {
  const surfaces = new Map<string, string[]>();
  let cancel: (() => void) | undefined;
  let closed = false;
  let pending: Promise<unknown> = Promise.resolve();

  // Encoded, because a person's id may contain slashes.
  const prefix = (person: string): string => `${encodeURIComponent(person)}/`;
  const key = (person: string): string => prefix(person) + hubId;
  /** Writes run one at a time, so a disconnect never overtakes the connect before it. */
  const queue = (write: () => Promise<unknown>): void => {
    pending = pending.then(write).catch((error: unknown) => {
      logger.warn(`could not publish who is connected: ${String(error)}`);
    });
  };
  const publish = (person: string): void =>
    queue(() => store.records.put(NAMESPACE, key(person), true, { expiresAt: store.now() + LEASE_MS }));
  const renew = async (): Promise<void> => {
    for (const person of surfaces.keys()) publish(person);
  };

  return {
    connect(person, surface) {
      if (closed) return () => undefined;
      const connectedSurfaces = surfaces.get(person);
      if (connectedSurfaces === undefined) {
        surfaces.set(person, [surface]);
        publish(person);
        cancel ??= holdLease(clock, RENEW_MS, renew);
      } else connectedSurfaces.push(surface);
      let connected = true;
      return () => {
        if (!connected || closed) return;
        connected = false;
        const remaining = surfaces.get(person) ?? [];
        remaining.splice(remaining.indexOf(surface), 1);
        if (remaining.length > 0) return;
        surfaces.delete(person);
        queue(() => store.records.delete(NAMESPACE, key(person)));
        if (surfaces.size === 0) {
          cancel?.();
          cancel = undefined;
        }
      };
    },
    connected: () => [...surfaces].map(([person, list]) => ({ person, surfaces: [...list] })),
    async canReach(ask) {
      const persons = addressees(ask);
      if (persons === undefined ? surfaces.size > 0 : persons.some((person) => surfaces.has(person)))
        return true;
      const prefixes = persons?.map(prefix) ?? [""];
      const found = await Promise.all(
        prefixes.map((wanted) => store.records.list(NAMESPACE, { prefix: wanted, limit: 1 })),
      );
      return found.some((records) => records.length > 0) || hasDevice(store, persons);
    },
    async close() {
      closed = true;
      cancel?.();
      for (const person of surfaces.keys()) queue(() => store.records.delete(NAMESPACE, key(person)));
      surfaces.clear();
      await pending;
    },
  };
}

/** A device whose push service refuses messages does not count. */
async function hasDevice(store: Store, persons: readonly string[] | undefined): Promise<boolean> {
  const lists = await Promise.all(
    (persons ?? [undefined]).map((one) => listSubscriptions(store.records, one)),
  );
  return lists.flat().some(({ failing }) => failing === undefined);
}
