import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { AskEvent } from "../../core/model/event.js";
import { type CallbackOptions, callbackChannel } from "../../hub/delivery/callbacks.js";
import type { ChannelContext } from "../../hub/delivery/context.js";
import {
  createOutbox,
  type Delivery,
  listDeliveries,
  type NewEntry,
} from "../../hub/delivery/outbox/entry.js";
import {
  type Channel,
  type ChannelKind,
  type DeliveryResult,
  type Lane,
  openLane,
} from "../../hub/delivery/outbox/lane.js";
import { startPlanner } from "../../hub/delivery/outbox/planner.js";
import { type Webhook, webhookChannel } from "../../hub/delivery/webhooks.js";
import { machineClock } from "../../hub/seam/machine-clock.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Store } from "../../hub/seam/store.js";
import type { PeopleContext } from "./notify/context.js";
import { type NotifyOptions, notifyChannel } from "./notify/notify.js";
import { ntfyChannel } from "./ntfy/ntfy.js";
import { type PushOptions, pushChannel } from "./push/push.js";

export interface DeliveryOptions {
  /** The hub whose events are delivered. Create it with `callbacks: callbackPolicy(…)` to accept callbacks. */
  readonly hub: Hub;
  /** The open store of that hub. */
  readonly store: Store;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly webhooks?: readonly Webhook[];
  readonly callbacks?: CallbackOptions;
  /** How people are notified; not at all by default. */
  readonly people?: PeopleOptions;
  /** How long a receiver may take to respond, in milliseconds; 15,000 by default. */
  readonly timeoutMs?: number;
  /** Counts attempts, for metrics. */
  readonly onResult?: (kind: ChannelKind, result: DeliveryResult) => void;
}

export interface PeopleOptions
  extends Pick<PeopleContext, "links" | "isValid" | "isRevoked">,
    Pick<NotifyOptions, "steps"> {
  /** The ntfy topic of each person, as a URL. */
  readonly ntfy?: ReadonlyMap<string, string>;
  readonly push?: PushOptions;
}

export interface Deliveries {
  /** What waits, fails or was given up for an ask. */
  ofAsk(askId: string): Promise<readonly Delivery[]>;
  /** Stops. Attempts in progress end first; everything else is delivered after the next start. */
  close(): Promise<void>;
}

/** How many deliveries of one ask are shown. */
const MOST_SHOWN = 50;

type PlanningChannel = Channel & {
  plan?(event: AskEvent): readonly NewEntry[] | Promise<readonly NewEntry[]>;
};

/**
 * Delivers events and outcomes of a hub until it is closed, together with other nodes on the same store.
 *
 * @example
 * const deliveries = await startDelivery({ hub, store, webhooks: [{ url: "https://example.com/hook" }] });
 * await deliveries.close();
 */
export async function startDelivery(options: DeliveryOptions): Promise<Deliveries> {
  const { hub, store, clock = machineClock(), logger = console, onResult } = options;
  const outbox = createOutbox(store);
  const lanes = new Map<string, Lane>();
  const context: ChannelContext = { hub, store, clock, timeoutMs: options.timeoutMs ?? 15_000 };
  const enqueue = async (lane: string, entry: NewEntry): Promise<void> => {
    if (await outbox.add(lane, entry, true)) lanes.get(lane)?.poke(entry.availableAt);
  };
  const channels: readonly PlanningChannel[] = [
    ...(options.webhooks ?? []).map((webhook) => webhookChannel(webhook, context)),
    callbackChannel(context, options.callbacks ?? {}),
    ...(options.people === undefined
      ? []
      : peopleChannels({ ...context, ...options.people, logger, enqueue }, options.people)),
  ];
  for (const { lane, title } of channels) await outbox.openLane(lane, title);

  const planEvent = async (event: AskEvent, again: boolean, pokes: (() => void)[]): Promise<void> => {
    for (const { lane, plan } of channels) {
      for (const entry of (await plan?.(event)) ?? []) {
        if (await outbox.add(lane, entry, again)) pokes.push(() => lanes.get(lane)?.poke(entry.availableAt));
      }
    }
  };
  const planner = await startPlanner({ hub, store, clock, logger }, async (events, again) => {
    const pokes: (() => void)[] = [];
    await Promise.all(events.map((event) => planEvent(event, again, pokes)));
    if (pokes.length === 0) return undefined;
    return () => {
      for (const poke of pokes) poke();
    };
  });
  const laneContext = {
    ...{ store, outbox, clock, logger, isPlanned: planner.isPlanned },
    ...(onResult !== undefined && { onResult }),
  };
  for (const channel of channels) lanes.set(channel.lane, openLane(channel, laneContext));

  return {
    async ofAsk(askId) {
      const ask = (await store.asks.get(askId)) ?? { id: askId };
      return listDeliveries(store.records, { ask, limit: MOST_SHOWN });
    },
    async close() {
      await planner.close();
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };
}

function peopleChannels(
  context: PeopleContext,
  { ntfy = new Map(), push, steps }: PeopleOptions,
): readonly PlanningChannel[] {
  if (ntfy.size === 0 && push === undefined) return [];
  const notifying = { topics: ntfy, push: push !== undefined, steps };
  return [
    notifyChannel(context, notifying),
    ...(ntfy.size === 0 ? [] : [ntfyChannel(context, ntfy)]),
    ...(push === undefined ? [] : [pushChannel(context, push)]),
  ];
}
