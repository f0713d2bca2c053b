// When people are notified of an ask. Each step of `notify` is an entry that becomes available at its time; if the ask
// still waits by then, its people get a message on each of their channels.
//
//   ask.created --> one entry per step --due, ask pending--> a message per person and device
//                                      --due, ask ended----> nothing
//   ask ended   --> devices and topics that were notified get the end in the same place

import { durationMs } from "../../../core/kit/duration.js";
import { LIMITS } from "../../../core/kit/limits.js";
import type { Ask } from "../../../core/model/ask.js";
import type { AskEvent } from "../../../core/model/event.js";
import { OUTCOME_KINDS } from "../../../core/model/kinds.js";
import type { NotifyStep } from "../../../core/model/notify.js";
import { addressees, mayAnswer } from "../../../core/model/visibility.js";
import {
  entryKey,
  keyPrefix,
  laneNamespace,
  type NewEntry,
  type Subject,
} from "../../../hub/delivery/outbox/entry.js";
import type { Channel } from "../../../hub/delivery/outbox/lane.js";
import { listSubscriptions, type PushSubscription } from "../../../hub/records/push-subscriptions.js";
import { sha256 } from "../../../hub/seam/sha256.js";
import { type Notice, notifiedDevices, type PeopleContext } from "./context.js";

const NOTIFY_LANE = "notify";
export const NTFY_LANE = "ntfy";
export const PUSH_LANE = "push";

export interface NotifyOptions {
  /** The ntfy topic of each person. */
  readonly topics: ReadonlyMap<string, string>;
  /** Whether devices are notified by push. */
  readonly push: boolean;
  /** For asks that say nothing about it; at once, by default. */
  readonly steps?: readonly Omit<NotifyStep, "id">[] | undefined;
}

export interface NotifyChannel extends Channel {
  plan(event: AskEvent): Promise<readonly NewEntry[]>;
}

const AT_ONCE = [{ after: "0s" }] as const;
const ENDINGS: ReadonlySet<string> = new Set(OUTCOME_KINDS.map((kind) => `ask.${kind}`));

export function notifyChannel(context: PeopleContext, options: NotifyOptions): NotifyChannel {
  const { store, hub, enqueue } = context;
  const { topics, push, steps = AT_ONCE } = options;

  const stepsOf = (ask: Ask): readonly NotifyStep[] =>
    ask.notify ?? steps.map((step, index) => ({ id: `n${index + 1}`, ...step }));

  const subscriptions = (person?: string): Promise<readonly PushSubscription[]> =>
    push ? listSubscriptions(store.records, person) : Promise.resolve([]);

  /** Everybody who can be notified at all. */
  const everyone = async (): Promise<readonly string[]> => [
    ...new Set([...topics.keys(), ...(await subscriptions()).map(({ person }) => person)]),
  ];

  const tell = async (ask: Ask, person: string, step: string, position: number): Promise<void> => {
    const entryFor = (notice: Notice): NewEntry => ({
      key: entryKey(ask, position, `-${step}-${short(notice.person)}${notice.device ?? ""}`),
      ...{ askId: ask.id, type: "ask.created", position, at: ask.createdAt },
      data: { ...notice },
    });
    const devices = (await subscriptions(person)).filter(
      ({ sessions }) => sessions === undefined || sessions.includes(ask.session),
    );
    const messages = devices.length + (topics.has(person) ? 1 : 0);
    if (topics.has(person)) await enqueue(NTFY_LANE, entryFor({ person, step, messages }));
    for (const { device } of devices) {
      await enqueue(PUSH_LANE, entryFor({ person, step, messages, device }));
    }
  };

  return {
    lane: NOTIFY_LANE,
    kind: "notify",
    title: "notifications",
    ordered: false,
    concurrency: 16,
    async plan({ type, askId, position, at, ask }) {
      if (type === "ask.created" && ask !== undefined && ask.outcome === undefined) {
        return stepsOf(ask).map((step) => ({
          key: entryKey(ask, position, `-${step.id}`),
          ...{ askId, type, position, at },
          availableAt: ask.createdAt + Math.min(LIMITS.notifyMs, durationMs(step.after) ?? 0),
          data: { step: step.id, ...(step.to !== undefined && { to: step.to }) },
        }));
      }
      if (!ENDINGS.has(type)) return [];
      const subject = ask ?? { id: askId };
      const waiting = await store.records.list(laneNamespace(NOTIFY_LANE), {
        prefix: keyPrefix(subject),
        limit: 100,
      });
      for (const { key } of waiting) await store.records.delete(laneNamespace(NOTIFY_LANE), key);
      for (const lane of [PUSH_LANE, NTFY_LANE]) {
        for (const notice of await notifiedDevices(context, askId, lane)) {
          await enqueue(lane, settledEntry(subject, position, at, notice));
        }
      }
      return [];
    },
    async deliver({ askId, position, data }) {
      const ask = await store.asks.get(askId);
      if (ask === undefined || ask.outcome !== undefined) return { kind: "delivered" };
      const { step, to } = data as unknown as { readonly step: string; readonly to?: readonly string[] };
      const addressed =
        to === undefined || to.every((person) => mayAnswer(person, ask))
          ? ask
          : await hub.escalate(askId, to);
      if (addressed.outcome !== undefined) return { kind: "delivered" };
      const people = to ?? addressees(addressed) ?? (await everyone());
      for (const person of people) await tell(addressed, person, step, position);
      return { kind: "delivered" };
    },
  };
}

/** The ask was settled while its notification was sent: the planner did not know of this device yet. */
export async function enqueueEndIfSettled(
  { store, hub, enqueue }: PeopleContext,
  lane: string,
  position: number,
  { askId, ends, ...notice }: Notice & { readonly askId: string; readonly ends: boolean },
): Promise<void> {
  const ask = ends ? undefined : await store.asks.get(askId);
  if (ask?.outcome !== undefined) await enqueue(lane, settledEntry(ask, position, hub.now(), notice));
}

function settledEntry(ask: Subject, position: number, at: number, notice: Notice): NewEntry {
  const { person, device = "" } = notice;
  return {
    key: entryKey(ask, position, `-settled-${short(person)}${device}`),
    ...{ askId: ask.id, type: "ask.settled", position, at },
    data: { person, device, step: "settled" },
  };
}

/** A person's id may be long, and contain slashes. */
function short(person: string): string {
  return sha256(person).slice(0, 8);
}
