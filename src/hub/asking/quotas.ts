// Limits what one asker may have pending and stored, so that one agent cannot fill the store. Usage is read from the
// store once a second and counted here in between; a refusal is always based on a fresh read.

import { AsklineError } from "../../core/index.js";
import { askBytes, askSize } from "../seam/ask-size.js";
import type { HubLimits, HubOptions } from "../seam/port.js";
import type { AskerUsage, NewAsk, Store } from "../seam/store.js";

export const QUOTAS: Required<Pick<HubLimits, "pendingAsks" | "storedBytes">> = {
  pendingAsks: 10_000,
  storedBytes: 1024 ** 3,
};

const READ_MS = 1_000;
const MAX_KNOWN = 10_000;
/** No ask takes more bytes for each unit of its `askSize`: a character can be `\u0000`, a number has 25 characters. */
const MOST_BYTES = 12;

/**
 * Rejects with `quota_exceeded` if the asker may not store another ask. An ask with a known key is a retry and passes.
 * Returns undefined, not a promise, if no read was needed.
 */
export type RequireQuota = (ask: NewAsk["ask"]) => Promise<void> | undefined;

export function createQuotas(
  store: Store,
  limits: HubLimits,
  onRefused: HubOptions["onQuotaRefused"] = () => undefined,
): RequireQuota {
  const { pendingAsks = QUOTAS.pendingAsks, storedBytes = QUOTAS.storedBytes } = limits;
  const known = new Map<string, AskerUsage & { readonly readAt: number }>();

  const count = (asker: string, { pending, bytes }: AskerUsage, size: number, readAt: number): void => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(asker, { pending: pending + 1, bytes: bytes + size, readAt });
  };
  const fits = ({ pending, bytes }: AskerUsage, size: number): boolean =>
    pending < pendingAsks && bytes + size <= storedBytes;
  const requireFresh = async (asker: string, ask: NewAsk["ask"]): Promise<void> => {
    const { session, key } = ask;
    const size = askBytes(ask);
    const usage = await store.asks.usage(asker);
    if (fits(usage, size)) return count(asker, usage, size, store.now());
    if (key !== undefined && (await store.asks.getByKey({ asker, session, key })) !== undefined) return;
    const [name, what, fix] =
      usage.pending >= pendingAsks
        ? ([
            "pendingAsks",
            `${usage.pending} pending asks, and may have ${pendingAsks}`,
            "wait for answers or withdraw some",
          ] as const)
        : ([
            "storedBytes",
            `${usage.bytes} bytes of asks stored, this ask has ${size}, and it may have ${storedBytes}`,
            "prune old asks",
          ] as const);
    onRefused(name);
    throw new AsklineError(
      "quota_exceeded",
      `the agent ${JSON.stringify(asker)} has ${what}: ${fix}, or raise the limit ${name}`,
    );
  };

  return (ask) => {
    const { asker } = ask;
    if (asker === undefined) return undefined;
    const size = askSize(ask) * MOST_BYTES;
    const usage = known.get(asker);
    if (usage === undefined || !fits(usage, size) || store.now() - usage.readAt >= READ_MS) {
      return requireFresh(asker, ask);
    }
    count(asker, usage, size, usage.readAt);
    return undefined;
  };
}
