// The seam between a server and the notifications of people, which `askline/delivery` implements.

import type { PreferenceChanges } from "../../core/model/notifications.js";
import type { SubscriptionCredential } from "../../hub/records/push-subscriptions.js";

export interface Notifications {
  /** The key that browsers subscribe with; undefined if this server sends no push. */
  publicKey(): Promise<string | undefined>;
  devices(person: string): Promise<readonly object[]>;
  /** Stores a device. Throws `invalid_request` if the input is not a subscription of a known push service. */
  subscribe(
    subscriber: {
      readonly person: string;
      readonly sessions?: readonly string[];
      readonly credential: SubscriptionCredential;
      readonly base: string;
    },
    input: { readonly subscription?: unknown; readonly privacy?: unknown; readonly language?: unknown },
  ): Promise<object>;
  /** Returns how many devices were subscribed. */
  unsubscribe(
    person: string,
    which: { readonly device: string } | { readonly credential: SubscriptionCredential },
  ): Promise<number>;
  preferences(person: string): Promise<object>;
  changePreferences(
    person: string,
    changes: Readonly<Partial<Record<keyof PreferenceChanges, unknown>>>,
  ): Promise<object>;
  focus(person: string, holder: string, focused: boolean): Promise<void>;
}
