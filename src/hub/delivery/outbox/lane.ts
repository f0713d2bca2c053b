// Delivers the entries of one lane. A claim is a short lease, so that one of several nodes makes the attempt; it is
// renewed during a slow attempt, and ends soon after its process has died. Entries of one ask are delivered in order:
// one that has an earlier entry of the same ask before it is put back until that one is due.
//
// Askers are served in turns, and each has a few attempts in progress at most, and so a few hosts: however much one of
// them has to deliver, and however long its receivers take, the next free place goes to another.
//
// After a receiver took long to fail, or asked for a pause, its other entries wait as well: one attempt in a while shows
// whether it is back, and a receiver that hangs cannot occupy the lane. Entries that were never attempted come first
// then: one that fails by itself, such as a wrong path of a host, must not hold up the others for ever. A failure that
// comes fast occupies nothing, and only its own entry waits.

import type { Clock } from "../../../core/kit/clock.js";
import type { Logger } from "../../../core/kit/logger.js";
import { holdLease, keepNewest, messageOf, within } from "../../../core/kit/tools.js";
import type { KeyRange, Store } from "../../seam/store.js";
import { type Entry, type Outbox, type StoredEntry, turnOf } from "./entry.js";
import { afterFailure } from "./retry.js";

export type Attempt =
  | { readonly kind: "delivered" }
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number | undefined }
  /** A retry cannot succeed. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Not now, and not counted as an attempt. `reason` says what it waits for. */
  | { readonly kind: "later"; readonly until: number; readonly reason: string };

export interface Channel {
  /** Unique, and stable across restarts. */
  readonly lane: string;
  /** The kind of channel, for metrics. */
  readonly kind: ChannelKind;
  /** Who receives, without secrets. */
  readonly title: string;
  /** Whether the lane can hold several entries of one ask that must arrive in order. */
  readonly ordered: boolean;
  /** How many attempts are made at once, of all askers. */
  readonly concurrency: number;
  /** What fails together, such as a host for one asker. Undefined if nothing does. */
  receiver?(entry: Entry): Promise<string | undefined>;
  /** Must end within {@link ATTEMPT_MS}. A rejection is a failed attempt. */
  deliver(entry: Entry): Promise<Attempt>;
}

export const CHANNEL_KINDS = ["webhook", "callback", "notify", "ntfy", "push"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Lanes are named after their kind: `callbacks`, `webhook-…`, `push`. */
export function kindOfLane(lane: string): ChannelKind {
  return CHANNEL_KINDS.find((kind) => lane.startsWith(kind)) ?? "notify";
}

/** The result of an attempt; dead means given up. */
export const DELIVERY_RESULTS = ["delivered", "failed", "dead"] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

export interface LaneContext {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the planner can no longer plan this position again. */
  isPlanned(position: number): Promise<boolean>;
  onResult?(kind: ChannelKind, result: DeliveryResult): void;
}

export interface Lane {
  /** Something may have been added, that is due at this time; now by default. */
  poke(at?: number): void;
  close(): Promise<void>;
}

/** An attempt that takes longer has failed. */
const ATTEMPT_MS = 20_000;
const LEASE_MS = 8_000;
const RENEW_MS = 3_000;
/** How long a close waits for attempts in progress. They are made again after the next start. */
const CLOSE_MS = 3_000;
const LOOK_EVERY_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_RECEIVER_PAUSE_MS = 60_000;
const IN_FLIGHT_PAUSE_MS = 500;
/** How many attempts for one asker are made at once. */
const MOST_OF_ASKER = 8;
const MOST_FAILED_RECEIVERS = 10_000;
/** A failure that takes this long makes the other entries of its receiver wait. */
const SLOW_MS = 1_000;
/** Entries that come due within this time are claimed together. */
const WAKE_STEP_MS = 100;

interface FailedReceiver {
  failures: number;
  /** When the next attempt may be made. */
  until: number;
  /** Whether that attempt is in progress. */
  probing: boolean;
  /** When the last of the entries that wait without any attempt comes back. */
  newUntil: number;
}

/** When an entry for a receiver that failed comes back; 0 if it may be attempted now. */
function comesBack({ attempts }: Entry, health: FailedReceiver, now: number): number {
  const isNew = attempts === 0;
  const before = Math.max(health.until, isNew ? 0 : health.newUntil);
  if (before <= now && !health.probing) return 0;
  const back = Math.max(before, now + IN_FLIGHT_PAUSE_MS) + Math.random() * FIRST_PAUSE_MS;
  if (isNew) health.newUntil = Math.max(health.newUntil, back);
  return back;
}

/**
 * All keys but those of askers without a free place, beginning after the asker whose turn was last. Keys of an asker
 * begin with its name and a slash, and `0` is the character after the slash.
 */
function openRanges(last: string, full: readonly string[]): readonly KeyRange[] {
  const ranges: { readonly from: string; readonly before?: string }[] = [];
  let from = "";
  for (const turn of [...new Set([...full, ...(last === "" ? [] : [last])])].sort()) {
    ranges.push({ from, before: full.includes(turn) ? `${turn}/` : `${turn}0` });
    from = `${turn}0`;
  }
  ranges.push({ from });
  const next = Math.max(
    0,
    ranges.findIndex((range) => range.from === `${last}0`),
  );
  return [...ranges.slice(next), ...ranges.slice(0, next)];
}

export function openLane(channel: Channel, context: LaneContext): Lane {
  const { store, outbox, clock, logger, isPlanned, onResult } = context;
  const { lane } = channel;
  const working = new Set<Promise<void>>();
  /** Attempts in progress, by asker. */
  const busy = new Map<string, number>();
  /** Whose turn was last; empty if nothing was left for others. */
  let last = "";
  const receivers = new Map<string, FailedReceiver>();
  /** When entries that this process put back come due, in the near future. Looking now and then finds the others. */
  const wakes = new Set<number>();
  let closed = false;
  let claiming = false;
  let again = false;
  let lookAt = store.now();
  let cancel = (): void => undefined;

  const look = async (): Promise<void> => {
    if (claiming) {
      again = true;
      return;
    }
    claiming = true;
    lookAt = store.now() + LOOK_EVERY_MS;
    try {
      do {
        again = false;
        if (await takeTurn()) again = true;
      } while (again);
    } catch (error) {
      if (!closed) logger.warn(`could not read what is to be delivered: ${messageOf(error)}`);
      lookAt = store.now() + FIRST_PAUSE_MS;
    } finally {
      claiming = false;
      arm();
    }
  };

  /** Starts what is due for the next askers. Returns whether more may be due and has a free place. */
  const takeTurn = async (): Promise<boolean> => {
    const full = [...busy].filter(([, count]) => count >= MOST_OF_ASKER).map(([turn]) => turn);
    const most = Math.max(0, ...[...busy.values()].filter((count) => count < MOST_OF_ASKER));
    for (const range of openRanges(last, full)) {
      const limit = Math.min(channel.concurrency - working.size, MOST_OF_ASKER - most);
      if (closed || limit <= 0) return false;
      const entries = await outbox.claim(lane, limit, LEASE_MS, range);
      for (const entry of entries) start(entry);
      const end = entries.at(-1);
      if (end === undefined || entries.length < limit) continue;
      last = turnOf(end);
      return true;
    }
    if (full.length === 0) last = "";
    return false;
  };

  const arm = (): void => {
    cancel();
    if (closed) return;
    cancel = clock.schedule(Math.max(0, Math.min(lookAt, ...wakes) - store.now()), () => {
      // A timer may come a moment early: a time that has not come yet stays.
      for (const at of wakes) if (at <= store.now()) wakes.delete(at);
      void look();
    });
  };

  const wakeAt = (at: number): void => {
    if (at > store.now() + LONGEST_RECEIVER_PAUSE_MS) return;
    wakes.add(Math.ceil(at / WAKE_STEP_MS) * WAKE_STEP_MS);
    arm();
  };

  const start = (entry: StoredEntry): void => {
    const turn = turnOf(entry);
    busy.set(turn, (busy.get(turn) ?? 0) + 1);
    const work = attempt(entry)
      .catch((error: unknown) => {
        // The lease ends by itself, and the entry is attempted again.
        if (!closed) logger.warn(`could not record a delivery: ${messageOf(error)}`);
      })
      .finally(() => {
        working.delete(work);
        const left = (busy.get(turn) ?? 1) - 1;
        if (left === 0) busy.delete(turn);
        else busy.set(turn, left);
        if (!closed) void look();
      });
    working.add(work);
  };

  const postpone = async (entry: StoredEntry, until: number): Promise<void> => {
    const at = Math.ceil(until);
    await outbox.postpone(entry, at);
    wakeAt(at);
  };

  const attempt = async (entry: StoredEntry): Promise<void> => {
    if (channel.ordered) {
      const first = await outbox.first(entry);
      if (first !== undefined && first.key < entry.key) {
        const soon = store.now() + IN_FLIGHT_PAUSE_MS;
        return postpone(entry, Math.max(soon, first.nextAt ?? 0));
      }
    }
    const receiver = await channel.receiver?.(entry);
    const health = receiver === undefined ? undefined : receivers.get(receiver);
    const back = health === undefined ? 0 : comesBack(entry, health, store.now());
    if (back > 0) return postpone(entry, back);
    if (health !== undefined) health.probing = true;
    const lease = hold(entry);
    const began = store.now();
    const result = await run(entry);
    const held = await lease.release();
    if (receiver !== undefined && result.kind !== "later") note(receiver, result, store.now() - began);
    if (health !== undefined) health.probing = false;
    // Lost after a long pause of this process: another node attempts it.
    if (held === undefined) return;
    if (result.kind === "later") return postpone({ ...held, waitsFor: result.reason }, result.until);
    await record(held, result);
  };

  /** Renews the lease until it is released, which returns the entry as it then stands. */
  const hold = (entry: StoredEntry): { release(): Promise<StoredEntry | undefined> } => {
    let held: Promise<StoredEntry | undefined> = Promise.resolve(entry);
    const stop = holdLease(clock, RENEW_MS, () => {
      held = held.then((current) => current && outbox.postpone(current, store.now() + LEASE_MS));
      return held;
    });
    return {
      release() {
        stop();
        return held;
      },
    };
  };

  const run = async (entry: StoredEntry): Promise<Attempt> => {
    const late = (): Attempt => ({ kind: "failed", reason: "no response in time" });
    try {
      return await within(clock, ATTEMPT_MS + 1_000, channel.deliver(entry), late);
    } catch (error) {
      logger.warn(`a delivery to ${channel.title} failed unexpectedly: ${messageOf(error)}`);
      return { kind: "failed", reason: "internal error" };
    }
  };

  const note = (receiver: string, result: Attempt, tookMs: number): void => {
    if (result.kind !== "failed") receivers.delete(receiver);
    else if (tookMs >= SLOW_MS || result.retryAfterMs !== undefined) {
      const { failures: before = 0, newUntil = 0 } = receivers.get(receiver) ?? {};
      const failures = before + 1;
      const pause = Math.min(LONGEST_RECEIVER_PAUSE_MS, (FIRST_PAUSE_MS / 2) * 2 ** Math.min(failures, 10));
      receivers.set(receiver, { failures, until: store.now() + pause, probing: false, newUntil });
      keepNewest(receivers, MOST_FAILED_RECEIVERS);
    }
  };

  const record = async (entry: StoredEntry, result: Exclude<Attempt, { kind: "later" }>): Promise<void> => {
    if (result.kind === "delivered") {
      await outbox.done(entry, !(await isPlanned(entry.position)));
      onResult?.(channel.kind, "delivered");
      return;
    }
    const { reason } = result;
    const failure = { ...result, final: result.kind === "refused" };
    const failed = afterFailure(entry, failure, store.now(), Math.random());
    if (failed.nextAt === undefined) {
      logger.warn(
        `gave up a delivery to ${channel.title} (${entry.type} of ${entry.askId}): ${reason}; see "askline deliveries"`,
      );
      await outbox.bury(failed, channel.title);
      onResult?.(channel.kind, "dead");
      return;
    }
    if (failed.attempts === 1) {
      logger.warn(`a delivery to ${channel.title} failed (${reason}) and is attempted again for three days`);
    }
    onResult?.(channel.kind, "failed");
    await postpone(failed, failed.nextAt);
  };

  arm();
  return {
    poke: (at = 0) => {
      if (closed) return;
      if (at > store.now()) wakeAt(at);
      else void look();
    },
    async close() {
      closed = true;
      cancel();
      await within(
        clock,
        CLOSE_MS,
        Promise.all(working).then(() => undefined),
        () => undefined,
      );
    },
  };
}
