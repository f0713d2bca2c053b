// Which asks an agent waits for at other nodes: one leased record for each node, so that a crash leaves nothing behind.
//
//   alone --another process commits--> sharing, until closed
//
// A node that is alone neither reads nor writes. A node that shares looks every second at what is awaited, and writes
// if that has changed or the lease is old: starting and ending a wait costs nothing.

import type { Clock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Store } from "../seam/store.js";

const NAMESPACE = "awaiting";
const LOOK_MS = 1_000;
const RENEW_MS = 10_000;
const LEASE_MS = 30_000;
/** The newest waits of a node that the others know of. */
const MOST_SHARED = 2_000;
const MOST_NODES = 100;

export interface Awaiting {
  /** The asks that are awaited at other nodes; a second old at the most. */
  elsewhere(): Promise<ReadonlySet<string>>;
  committedElsewhere(): void;
  close(): Promise<void>;
}

export function createAwaiting(
  store: Store,
  clock: Clock,
  logger: Logger,
  node: string,
  awaited: () => readonly string[],
): Awaiting {
  let cancel: (() => void) | undefined;
  let closed = false;
  let writing: Promise<unknown> = Promise.resolve();
  let shared = { ids: "", at: 0 };
  let known: { readonly at: number; readonly ids: Promise<ReadonlySet<string>> } | undefined;

  const share = async (): Promise<void> => {
    const ids = awaited().slice(-MOST_SHARED);
    const [text, now] = [ids.join(), store.now()];
    if (text === shared.ids && (text === "" || now - shared.at < RENEW_MS)) return;
    shared = { ids: text, at: now };
    if (text === "") await store.records.delete(NAMESPACE, node);
    else await store.records.put(NAMESPACE, node, { ids }, { expiresAt: now + LEASE_MS });
  };
  const look = (): void => {
    cancel = clock.schedule(LOOK_MS, () => {
      writing = share()
        .catch((error: unknown) => {
          // Written again at the next look.
          shared = { ids: "?", at: 0 };
          logger.warn(`could not share which asks are awaited: ${String(error)}`);
        })
        .finally(() => !closed && look());
    });
  };
  const read = async (): Promise<ReadonlySet<string>> => {
    const records = await store.records.list(NAMESPACE, { limit: MOST_NODES });
    const others = records.filter(({ key }) => key !== node).map(({ value }) => value);
    return new Set(
      others.flatMap((value) => (isRecord(value) && Array.isArray(value.ids) ? value.ids.map(String) : [])),
    );
  };

  return {
    elsewhere() {
      const now = store.now();
      if (cancel === undefined) return Promise.resolve(new Set<string>());
      if (known === undefined || now - known.at >= LOOK_MS) known = { at: now, ids: read() };
      return known.ids;
    },
    committedElsewhere() {
      if (cancel === undefined && !closed) look();
    },
    async close() {
      closed = true;
      cancel?.();
      await writing;
      if (shared.ids !== "") await store.records.delete(NAMESPACE, node).catch(() => undefined);
    },
  };
}
