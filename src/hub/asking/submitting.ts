// The agent's side: stores asks, or finds them by their keys, and starts to wait for their end.

import type { Logger } from "../../core/kit/logger.js";
import type { Ask, AskRequest, DeliveredAsk } from "../../core/model/ask.js";
import type { Callback } from "../../core/model/callback.js";
import { deliverAsk } from "../../core/model/delivery.js";
import { AsklineError, unlessSettled } from "../../core/model/error.js";
import type { DeliveredOutcome } from "../../core/model/outcome.js";
import { reachable } from "../../core/model/visibility.js";
import { untilAborted } from "../../core/rules/abort.js";
import { deleteCallback, putCallback } from "../records/callbacks.js";
import type { Deliveries } from "../records/deliveries.js";
import type { Rules } from "../records/rules.js";
import type { Touches } from "../records/touches.js";
import { beginEntries } from "../records/transcripts.js";
import type { AskerOption, AttendedAsk, CallbackPolicy, HubOptions, Submitted } from "../seam/port.js";
import type { Inserted, Store } from "../seam/store.js";
import { newAsk, newAskId, sameContent } from "./new-ask.js";
import type { Quotas } from "./quotas.js";
import type { Settling } from "./settling.js";
import { hasEnded, type Waiters } from "./waiters.js";

export interface SubmittingParts {
  readonly store: Store;
  readonly logger: Logger;
  readonly waiters: Waiters;
  readonly settling: Settling;
  readonly deliveries: Deliveries;
  readonly touches: Touches;
  readonly quotas: Quotas;
  /** The ids of asks that may already be awaited but are not stored yet. */
  readonly inserting: Set<string>;
  readonly callbacks: CallbackPolicy | undefined;
  readonly checkRecipients: HubOptions["checkRecipients"];
  canReach(ask: Ask): Promise<boolean>;
  /** What remembered rules say about an approval. */
  readonly rules: Rules;
  onStored(ask: Ask): void;
}

export interface Submitting {
  submit(request: AskRequest, options: AskerOption): Promise<Submitted>;
  /** Starts to wait for an ask that is stored. */
  attend(id: string): Promise<AttendedAsk>;
}

export function createSubmitting(parts: SubmittingParts): Submitting {
  const { store, logger, waiters, settling, deliveries, touches, quotas, inserting } = parts;
  const { callbacks, checkRecipients, canReach, rules, onStored } = parts;

  let warned = false;
  const warnOfReuse = (): void => {
    if (warned) return;
    warned = true;
    logger.warn(
      "a key was used again without a session: the outcome of its first ask was delivered, so it is asked anew; give a session to keep a key (said once)",
    );
  };

  const find = async (id: string): Promise<DeliveredAsk> => deliverAsk(await settling.find(id));

  /** The ask that this agent stored with the same key before its credential had an owner. */
  const findWithoutOwner = async ({ owner: _, key, ...ask }: Ask): Promise<Inserted | undefined> => {
    const found = key === undefined ? undefined : await store.asks.getByKey({ ...ask, key });
    return found && { kind: "known", ask: found };
  };

  /** Stores a request under `id`, or returns the ask that its key already identifies. */
  const insert = async (id: string, request: AskRequest, options: AskerOption): Promise<DeliveredAsk> => {
    const ask = newAsk(id, request, store.now(), options);
    // If the ask was settled meanwhile, it is returned as it is.
    const endOrFind = async (end: Promise<DeliveredAsk>): Promise<DeliveredAsk> =>
      (await unlessSettled(end)) ?? find(id);
    const named = reachable(ask);
    if (checkRecipients !== undefined && named !== undefined) {
      await checkRecipients(named).catch(async (error: unknown) => {
        // Who has left since then does not take an ask away from the agent that comes back for it.
        if (ask.key === undefined || (await store.asks.getByKey({ ...ask, key: ask.key })) === undefined)
          throw error;
      });
    }
    const { callback } = request;
    if (callback !== undefined) requireCallback(callback, callbacks);
    const checking = quotas.require(ask);
    if (checking !== undefined) await checking;
    inserting.add(id);
    let inserted: Inserted | undefined;
    try {
      if (callback !== undefined) await putCallback(store, id, callback);
      const earlier = ask.owner === undefined ? undefined : await findWithoutOwner(ask);
      inserted = earlier ?? (await store.asks.insert({ ask }, beginEntries(ask)));
    } finally {
      inserting.delete(id);
      quotas.done(ask, inserted?.kind === "created");
    }
    if (inserted.kind === "known") {
      if (callback !== undefined) await deleteCallback(store, id);
      const same = sameContent(request, inserted.ask);
      if (await deliveries.isOver(inserted.ask, same)) {
        warnOfReuse();
        await store.asks.releaseKey(inserted.ask.id);
        return insert(id, request, options);
      }
      if (same) {
        // An agent that started again waits at a new address. An ended ask is in the response.
        if (callback !== undefined && inserted.ask.outcome === undefined) {
          await putCallback(store, inserted.ask.id, callback);
        }
        return deliverAsk(inserted.ask);
      }
      throw new AsklineError(
        "key_conflict",
        `the key "${request.key}" was used in this session for another ask; use a new key`,
      );
    }
    settling.expect(ask);
    onStored(ask);
    const ruled = ask.approval === undefined ? undefined : await rules.decide(ask);
    if (ruled !== undefined) {
      return endOrFind(settling.settle(id, ruled.ending, ruled.by));
    }
    if (request.requireSurface && !(await canReach(ask))) {
      const reason = "nobody who may answer has a surface connected";
      return endOrFind(settling.close(id, { type: "unreachable", reason }));
    }
    return deliverAsk(inserted.ask);
  };

  /** Registers a waiter before it gets the ask, so an end is either visible in the ask or wakes the waiter. */
  const attend = async (id: string, get: () => Promise<DeliveredAsk>): Promise<AttendedAsk> => {
    const waiting = waiters.add(id);
    try {
      const ask = await get();
      if (ask.id === id && !hasEnded(ask)) return { ask, waiting };
      waiting.stop();
      return hasEnded(ask) ? { ask } : await attendStored(ask.id);
    } catch (error) {
      waiting.stop();
      throw error;
    }
  };
  const attendStored = async (id: string): Promise<AttendedAsk> => {
    const attended = await attend(id, () => find(id));
    touches.touch(attended.ask);
    return attended;
  };

  const submit = async (request: AskRequest, options: AskerOption): Promise<Submitted> => {
    const id = newAskId();
    const attended = await attend(id, () => insert(id, request, options));
    return { ...attended, created: attended.ask.id === id };
  };

  return { submit, attend: attendStored };
}

/** Waits for the end of an ask, and marks its outcome as delivered. */
export async function outcomeOf(
  { ask, waiting }: AttendedAsk,
  signal: AbortSignal | undefined,
  deliver: (ask: Ask) => void,
): Promise<DeliveredOutcome> {
  if (waiting === undefined) {
    deliver(ask);
    return ask.outcome;
  }
  try {
    const ended = await untilAborted(signal, waiting.ended);
    deliver(ended);
    return ended.outcome;
  } finally {
    waiting.stop();
  }
}

function requireCallback({ url }: Callback, policy: CallbackPolicy | undefined): void {
  if (policy === undefined) {
    throw new AsklineError("unsupported", "callbacks are not delivered here; ask without one, and wait");
  }
  const message = policy.refuses(new URL(url));
  if (message === undefined) return;
  throw new AsklineError("invalid_ask", `invalid ask:\ncallback.url ${message}`, {
    issues: [{ code: "invalid_value", path: ["callback", "url"], message }],
  });
}
