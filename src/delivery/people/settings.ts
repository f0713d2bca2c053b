// What a server offers people about their notifications: the seam between its routes and this folder.

import type { Store } from "../../hub/index.js";
import {
  endSubscriptions,
  listSubscriptions,
  type Privacy,
  type SubscriptionCredential,
} from "../../hub/records/push-subscriptions.js";
import { changePreferences, type Preferences, readPreferences, reportFocus } from "./preferences.js";
import { type PushOptions, pushKeys, type Subscriber, type SubscriptionInput, subscribe } from "./push.js";

export interface NotificationSettings {
  /** The key that browsers subscribe with; undefined if this server sends no push. */
  publicKey(): Promise<string | undefined>;
  devices(person: string): Promise<readonly Device[]>;
  /** `input` is unparsed. */
  subscribe(subscriber: Subscriber, input: SubscriptionInput): Promise<Device>;
  /** Ends one device, or what was subscribed with a credential. Returns how many there were. */
  unsubscribe(
    person: string,
    which: { readonly device: string } | { readonly credential: SubscriptionCredential },
  ): Promise<number>;
  preferences(person: string): Promise<Preferences>;
  changePreferences(person: string, changes: Parameters<typeof changePreferences>[2]): Promise<Preferences>;
  /** Reports that a page of the person is in front of them, or no longer. */
  focus(person: string, holder: string, focused: boolean): Promise<void>;
}

/** A device that is notified by push. */
export interface Device {
  readonly device: string;
  readonly privacy: Privacy;
  readonly language: string;
  readonly createdAt: number;
  readonly failing?: string;
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

function toDevice({ device, privacy, language, createdAt, failing }: Device): Device {
  return { device, privacy, language, createdAt, ...(failing !== undefined && { failing }) };
}
