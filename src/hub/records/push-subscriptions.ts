// The devices that a person wants to be notified on. A subscription ends with the credential it was made with: signing
// out and revoking remove it, and it is checked again before each push.

import type { Json } from "../../core/index.js";
import type { RecordStore, StoredRecord } from "../seam/store.js";

const PUSH_NAMESPACE = "push";

export const PRIVACY_CHOICES = ["everything", "title", "minimal"] as const;
/** What a notification may show: the whole question, its title, or only that one waits. */
export type Privacy = (typeof PRIVACY_CHOICES)[number];

export type SubscriptionCredential =
  | { readonly kind: "token"; readonly id: string }
  | { readonly kind: "cookie"; readonly hash: string }
  /** Of a host's own sign-in, which cannot be checked later. */
  | { readonly kind: "host" };

export interface PushSubscription {
  readonly person: string;
  /** A name for the device, from the address of its push service. */
  readonly device: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly privacy: Privacy;
  readonly language: string;
  readonly credential: SubscriptionCredential;
  /** The path before `/asks/ID` that this person's browser is signed in at. */
  readonly base: string;
  readonly createdAt: number;
  /** Only asks of these sessions, as its credential. */
  readonly sessions?: readonly string[];
  /** Why its push service refuses messages; such a device does not count as reachable. */
  readonly failing?: string;
}

const PAGE = 200;

export async function putSubscription(records: RecordStore, subscription: PushSubscription): Promise<void> {
  await records.put(PUSH_NAMESPACE, keyOf(subscription), subscription as unknown as Json);
}

export async function getSubscription(
  records: RecordStore,
  person: string,
  device: string,
): Promise<PushSubscription | undefined> {
  const record = await records.get(PUSH_NAMESPACE, keyOf({ person, device }));
  return record && toSubscription(record);
}

/** The subscriptions of a person, or of everybody. */
export async function listSubscriptions(
  records: RecordStore,
  person?: string,
): Promise<readonly PushSubscription[]> {
  const found: PushSubscription[] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list(PUSH_NAMESPACE, {
      ...{ limit: PAGE, prefix: person === undefined ? "" : prefixOf(person) },
      ...(after !== undefined && { after }),
    });
    found.push(...page.map(toSubscription));
    after = page.at(-1)?.key;
    if (page.length < PAGE) return found;
  }
}

/** Removes the subscriptions that match and returns how many there were. */
export async function endSubscriptions(
  records: RecordStore,
  person: string | undefined,
  matches: (subscription: PushSubscription) => boolean,
): Promise<number> {
  let ended = 0;
  for (const subscription of await listSubscriptions(records, person)) {
    if (matches(subscription) && (await records.delete(PUSH_NAMESPACE, keyOf(subscription)))) ended += 1;
  }
  return ended;
}

/** Encoded, because a person's id may contain slashes. */
function prefixOf(person: string): string {
  return `${encodeURIComponent(person)}/`;
}

function keyOf({ person, device }: Pick<PushSubscription, "person" | "device">): string {
  return prefixOf(person) + device;
}

/** Only this file writes these records. */
function toSubscription({ value }: StoredRecord): PushSubscription {
  return value as unknown as PushSubscription;
}
