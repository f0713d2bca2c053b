import type { Json } from "../../../core/kit/json.js";
import type { Logger } from "../../../core/kit/logger.js";
import type { Ask } from "../../../core/model/ask.js";
import type { ChannelContext } from "../../../hub/delivery/context.js";
import type { NewEntry } from "../../../hub/delivery/outbox/entry.js";
import { NOTIFIED_NAMESPACE } from "../../../hub/records/ask-records.js";
import type { SubscriptionCredential } from "../../../hub/records/push-subscriptions.js";
import type { Choice } from "./message.js";

/** Where a notification leads. */
export interface NotificationLinks {
  /** Opens one ask for one person, without signing in. */
  askUrl(askId: string, person: string): Promise<string>;
  /** The ask in the person's inbox; `base` is the path that the browser is signed in at. */
  inboxUrl(askId: string, base: string): string;
  /** Settles an ask once, in the person's name, by a POST without a body. */
  actionUrl(action: NotificationAction): Promise<string>;
}

export interface NotificationAction extends Pick<Choice, "ending"> {
  readonly askId: string;
  readonly person: string;
  readonly surface: string;
}

export interface PeopleContext extends ChannelContext {
  readonly logger: Logger;
  readonly links: NotificationLinks;
  /** Whether a credential still works. */
  isValid(credential: SubscriptionCredential): boolean | Promise<boolean>;
  /** Whether a person was revoked: a link in a notification would let them in again. Nobody is, by default. */
  isRevoked?(person: string): Promise<boolean>;
  /** Adds an entry to another lane and wakes it. */
  enqueue(lane: string, entry: NewEntry): Promise<void>;
}

/** Who is told, and because of which step of `notify`. */
export interface Notice {
  readonly person: string;
  readonly step: string;
  readonly device?: string;
  /** How many messages this step sends to the person, with this one. */
  readonly messages?: number;
}

export function noticeOf(data: Json | undefined): Notice {
  // Safe to cast: only our own channels write these entries.
  return data as unknown as Notice;
}

type Marks = Pick<ChannelContext, "store">;

/** Records that a device was notified because of a step, so that it is not notified again for it. */
export async function markNotified(
  { store }: Marks,
  ask: Ask,
  channel: string,
  notice: Notice,
): Promise<void> {
  const key = markKey(ask.id, channel, notice);
  const steps = await notifiedSteps({ store }, ask.id, channel, notice);
  await store.records.put(NOTIFIED_NAMESPACE, key, {
    ...{ channel, person: notice.person, steps: [...steps, notice.step] },
    ...(notice.device !== undefined && { device: notice.device }),
  });
}

export async function notifiedSteps(
  { store }: Marks,
  askId: string,
  channel: string,
  notice: Notice,
): Promise<readonly string[]> {
  const record = await store.records.get(NOTIFIED_NAMESPACE, markKey(askId, channel, notice));
  return (record?.value as { readonly steps?: readonly string[] } | undefined)?.steps ?? [];
}

/** The devices that were notified of an ask over a channel. */
export async function notifiedDevices(
  { store }: Marks,
  askId: string,
  channel: string,
): Promise<readonly Notice[]> {
  const found = await store.records.list(NOTIFIED_NAMESPACE, {
    prefix: `${askId}/${channel}/`,
    limit: 1_000,
  });
  return found.map(({ value }) => ({ ...(value as unknown as Notice), step: "settled" }));
}

function markKey(askId: string, channel: string, { person, device = "" }: Notice): string {
  return `${askId}/${channel}/${encodeURIComponent(person)}/${device}`;
}
