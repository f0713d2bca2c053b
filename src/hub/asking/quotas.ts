// Limits what one asker may have pending and stored, so that one agent cannot fill the store. Usage is read from the
// store once a second and counted here in between; a refusal is always based on a fresh read.

import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { askerIdentity } from "../../core/model/visibility.js";
import { type Deferred, deferred } from "../events/feed.js";
import type { TranscriptBytes } from "../records/transcript-bytes.js";
import { askBytes, askSize } from "../seam/ask-size.js";
import type { HubLimits, HubOptions } from "../seam/port.js";
import type { AskerUsage, Store } from "../seam/store.js";
import { createPendingByPerson, type Follow } from "./pending-by-person.js";

/** The limits of one asker. */
export type QuotaName = "pendingAsks" | "pendingAsksPerPerson" | "storedBytes";

export const QUOTAS: Required<Pick<HubLimits, QuotaName>> = {
  pendingAsks: 10_000,
  pendingAsksPerPerson: 200,
  storedBytes: 1024 ** 3,
};

const READ_MS = 1_000;
const MAX_KNOWN = 10_000;
/** No ask takes more bytes for each unit of its `askSize`: a character can be `\u0000`, a number has 25 characters. */
const MOST_BYTES = 12;

export interface Quotas {
  /**
   * Rejects with `quota_exceeded` if the asker may not store another ask. An ask with a known key is a retry and passes.
   * Returns undefined, not a promise, if no read was needed.
   */
  require(ask: Ask): Promise<void> | undefined;
  /** An ask that was let in is stored now, or was not stored. */
  done(ask: Ask, stored: boolean): void;
}

export function createQuotas(
  store: Store,
  transcripts: Pick<TranscriptBytes, "known">,
  follow: Follow,
  limits: HubLimits,
  onRefused: HubOptions["onQuotaRefused"] = () => undefined,
): Quotas {
  const { pendingAsks, pendingAsksPerPerson: perPerson, storedBytes } = { ...QUOTAS, ...limits };
  const known = new Map<string, AskerUsage & { readonly readAt: number }>();
  const readings = new Map<string, Promise<AskerUsage>>();
  /** Asks that were let in and are not stored yet. */
  const letIn = new Map<string, Set<Ask>>();
  const byPerson = createPendingByPerson(store, follow, perPerson);

  const count = (asker: string, { pending, bytes }: AskerUsage, size: number, readAt: number): void => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(asker, { pending: pending + 1, bytes: bytes + size, readAt });
  };
  const fits = ({ pending, bytes }: AskerUsage, size: number): boolean =>
    pending < pendingAsks && bytes + size <= storedBytes;
  const refuse = (ask: Ask, name: QuotaName, what: string, fix: string, how = ""): never => {
    onRefused(name);
    throw new AsklineError(
      "quota_exceeded",
      `the agent ${JSON.stringify(ask.asker)} has ${what}: ${fix}, or raise the limit ${name}${how}`,
    );
  };
  const isRetry = async ({ key, ...ask }: Ask): Promise<boolean> =>
    key !== undefined && (await store.asks.getByKey({ ...ask, key })) !== undefined;
  const requireFresh = async (asker: string, ask: Ask): Promise<void> => {
    const size = askBytes(ask);
    // Asks that come together share one read, so that each counts those before it.
    await readings.get(asker)?.catch(() => undefined);
    const shared = known.get(asker);
    if (shared !== undefined && fits(shared, size) && store.now() - shared.readAt < READ_MS) {
      return count(asker, shared, size, shared.readAt);
    }
    const reading = store.asks.usage(asker).then(({ pending, bytes }) => {
      const usage = { pending, bytes: bytes + transcripts.known(asker) };
      known.set(asker, { ...usage, readAt: store.now() });
      return usage;
    });
    readings.set(asker, reading);
    const usage = await reading.finally(() => readings.delete(asker));
    if (fits(usage, size)) return count(asker, known.get(asker) ?? usage, size, store.now());
    if (await isRetry(ask)) return;
    if (usage.pending >= pendingAsks) {
      const what = `${usage.pending} pending asks, and may have ${pendingAsks}`;
      refuse(ask, "pendingAsks", what, "wait for answers or withdraw some");
    }
    const what = `${usage.bytes} bytes of asks and transcripts stored, this ask has ${size}, and it may have ${storedBytes}`;
    refuse(ask, "storedBytes", what, "prune old asks");
  };
  /** Resolves when the asks of an asker that are let in now are stored, or known not to be. */
  const entering = new Map<string, Deferred>();
  const requireRoom = async (asker: string, ask: Ask): Promise<void> => {
    let crowded = await byPerson.add(asker, ask, letIn.get(asker) ?? []);
    if (crowded === undefined || (await isRetry(ask))) return;
    // Any of those that were let in may be a retry, which takes no room.
    for (const other of [...(letIn.get(asker) ?? [])]) {
      while (letIn.get(asker)?.has(other)) {
        const left = entering.get(asker) ?? deferred();
        entering.set(asker, left);
        await left.promise;
      }
    }
    crowded = await byPerson.add(asker, ask, letIn.get(asker) ?? []);
    if (crowded === undefined || (await isRetry(ask))) return;
    const whom = crowded.person === undefined ? "everyone" : JSON.stringify(crowded.person);
    const what = `${crowded.count} pending asks for ${whom}, and may have ${perPerson} for one person`;
    const how = ` (askline serve --limit pendingAsksPerPerson=${2 * perPerson})`;
    refuse(ask, "pendingAsksPerPerson", what, "wait for answers or withdraw some", how);
  };
  const enter = (asker: string, ask: Ask): Promise<void> | undefined => {
    // The set as it is when the ask passes: another may be there by then.
    const pass = (): void => void letIn.set(asker, (letIn.get(asker) ?? new Set<Ask>()).add(ask));
    // Below this number, nobody can have too many.
    const entered = letIn.get(asker)?.size ?? 0;
    if ((known.get(asker)?.pending ?? 0) + entered < perPerson) return void pass();
    return requireRoom(asker, ask).then(pass);
  };
  const leave = (asker: string, ask: Ask): void => {
    const entered = letIn.get(asker);
    entered?.delete(ask);
    if (entered?.size === 0) letIn.delete(asker);
    entering.get(asker)?.resolve();
    entering.delete(asker);
  };

  return {
    require(ask) {
      const asker = askerIdentity(ask);
      if (asker === undefined) return undefined;
      const size = askSize(ask) * MOST_BYTES;
      const usage = known.get(asker);
      if (usage === undefined || !fits(usage, size) || store.now() - usage.readAt >= READ_MS) {
        return requireFresh(asker, ask).then(() => enter(asker, ask));
      }
      count(asker, usage, size, usage.readAt);
      return enter(asker, ask);
    },
    done(ask, stored) {
      const asker = askerIdentity(ask);
      if (asker === undefined) return;
      leave(asker, ask);
      if (!stored) void byPerson.remove(asker, ask);
    },
  };
}
