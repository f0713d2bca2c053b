// The devices that a person wants to be notified on. A subscription ends with the credential it was made with: signing
// out and revoking remove it, and it is checked again before each push.

import type { Json } from "../../core/kit/json.js";
import { collect } from "../../core/kit/pages.js";
import type { PushDevice } from "../../core/model/notifications.js";
import type { RecordStore, StoredRecord } from "../seam/store.js";
import { allRecords } from "../seam/store-kit.js";

const PUSH_NAMESPACE = "push";

export type SubscriptionCredential =
  | { readonly kind: "token"; readonly id: string }
  | { readonly kind: "cookie"; readonly hash: string }
  /** Of a host's own sign-in, which cannot be checked later. */
  | { readonly kind: "host" };

export interface PushSubscription extends PushDevice {
  readonly person: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly credential: SubscriptionCredential;
  /** The path before `/asks/ID` that this person's browser is signed in at. */
  readonly base: string;
  /** Only asks of these sessions, as its credential. */
  readonly sessions?: readonly string[];
}

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
  const found = allRecords(records, PUSH_NAMESPACE, person === undefined ? "" : prefixOf(person));
  return (await collect(found)).map(toSubscription);
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
