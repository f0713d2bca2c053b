// Limits what one asker may have pending and stored, so that one agent cannot fill the store. Usage is read from the
// store once a second and counted here in between; a refusal is always based on a fresh read.

import { AsklineError } from "../../core/index.js";
import { askSize } from "../seam/ask-size.js";
import type { HubLimits, HubOptions } from "../seam/port.js";
import type { AskerUsage, NewAsk, Store } from "../seam/store.js";

export const QUOTAS: Required<Pick<HubLimits, "pendingAsks" | "storedBytes">> = {
  pendingAsks: 10_000,
  storedBytes: 1024 ** 3,
};

const READ_MS = 1_000;
const MAX_KNOWN = 10_000;

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

  const count = (asker: string, usage: AskerUsage, ask: NewAsk["ask"], readAt: number): void => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(asker, { pending: usage.pending + 1, bytes: usage.bytes + askSize(ask), readAt });
  };
  const fits = ({ pending, bytes }: AskerUsage): boolean => pending < pendingAsks && bytes < storedBytes;
  const requireFresh = async (asker: string, ask: NewAsk["ask"]): Promise<void> => {
    const { session, key } = ask;
    const usage = await store.asks.usage(asker);
    if (fits(usage)) return count(asker, usage, ask, store.now());
    if (key !== undefined && (await store.asks.getByKey({ asker, session, key })) !== undefined) return;
    const [what, fix] =
      usage.pending >= pendingAsks
        ? [`${usage.pending} pending asks, and may have ${pendingAsks}`, "wait for answers or withdraw some"]
        : [`${usage.bytes} bytes of asks stored, and may have ${storedBytes}`, "prune old asks"];
    const name = usage.pending >= pendingAsks ? "pendingAsks" : "storedBytes";
    onRefused(name);
    throw new AsklineError(
      "quota_exceeded",
      `the agent ${JSON.stringify(asker)} has ${what}: ${fix}, or raise the limit ${name}`,
    );
  };

  return (ask) => {
    const { asker } = ask;
    if (asker === undefined) return undefined;
    const usage = known.get(asker);
    if (usage === undefined || !fits(usage) || store.now() - usage.readAt >= READ_MS) {
      return requireFresh(asker, ask);
    }
    count(asker, usage, ask, usage.readAt);
    return undefined;
  };
}
