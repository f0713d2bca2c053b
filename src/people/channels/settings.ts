// What a server offers people about their notifications: the seam between its routes and this folder.

import type { NotificationPreferences, PushDevice } from "../../core/model/notifications.js";
import {
  endSubscriptions,
  listSubscriptions,
  type SubscriptionCredential,
} from "../../hub/records/push-subscriptions.js";
import type { Store } from "../../hub/seam/store.js";
import { changePreferences, readPreferences, reportFocus } from "./notify/preferences.js";
import {
  type PushOptions,
  pushKeys,
  type Subscriber,
  type SubscriptionInput,
  subscribe,
} from "./push/push.js";

export interface NotificationSettings {
  /** The key that browsers subscribe with; undefined if this server sends no push. */
  publicKey(): Promise<string | undefined>;
  devices(person: string): Promise<readonly PushDevice[]>;
  /** `input` is unparsed. */
  subscribe(subscriber: Subscriber, input: SubscriptionInput): Promise<PushDevice>;
  /** Ends one device, or what was subscribed with a credential. Returns how many there were. */
  unsubscribe(
    person: string,
    which: { readonly device: string } | { readonly credential: SubscriptionCredential },
  ): Promise<number>;
  preferences(person: string): Promise<NotificationPreferences>;
  changePreferences(
    person: string,
    changes: Parameters<typeof changePreferences>[2],
  ): Promise<NotificationPreferences>;
  /** Reports that a page of the person is in front of them, or no longer. */
  focus(person: string, holder: string, focused: boolean): Promise<void>;
}

export function notificationSettings(
  store: Pick<Store, "records" | "now">,
  push: PushOptions | undefined,
): NotificationSettings {
  const { records } = store;
  return {
    publicKey: async () => (push === undefined ? undefined : (await pushKeys(records)).publicKey),
    devices: async (person) => (await listSubscriptions(records, person)).map(toDevice),
    subscribe: async (subscriber, input) =>
      toDevice(await subscribe({ store }, push ?? {}, subscriber, input)),
    unsubscribe: (person, which) =>
      endSubscriptions(records, person, (one) =>
        "device" in which
          ? one.device === which.device
          : JSON.stringify(one.credential) === JSON.stringify(which.credential),
      ),
    preferences: (person) => readPreferences(store, person),
    changePreferences: (person, changes) => changePreferences(store, person, changes),
    focus: (person, holder, focused) => reportFocus(store, person, holder, focused),
  };
}

function toDevice({ device, privacy, language, createdAt, failing }: PushDevice): PushDevice {
  return { device, privacy, language, createdAt, ...(failing !== undefined && { failing }) };
}
