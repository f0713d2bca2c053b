// How a person is notified: the devices, and the settings for all of them.

import { ANY_TEXT, AT, NAME } from "../read/common-fields.js";
import type { ChoiceField, Model, TextField } from "../read/field.js";

export const PRIVACY_CHOICES = ["everything", "title", "minimal"] as const;
/** What a notification may show: the whole question, its title, or only that one waits. */
export type Privacy = (typeof PRIVACY_CHOICES)[number];

const PRIVACY: Omit<ChoiceField<Privacy>, "required" | "known" | "default"> = {
  kind: "choice",
  choices: PRIVACY_CHOICES,
  about: "What a notification may show: everything, its title only, or only that a question waits.",
};
const LANGUAGE: Pick<TextField, "kind" | "max" | "about"> = {
  ...ANY_TEXT,
  about: "The language of notifications, such as en or vi.",
};

/** From `from` to `to` in a time zone, as `22:00` and `07:00`; may pass midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly timeZone?: string;
}

const QUIET_HOURS: Model<QuietHours> = {
  must: "an object with from and to",
  fields: {
    from: { ...ANY_TEXT, required: true, about: "Such as 22:00." },
    to: { ...ANY_TEXT, required: true, about: "Such as 07:00." },
    timeZone: { ...ANY_TEXT, about: "Such as Europe/Berlin; UTC by default." },
  },
};

/** An agent of which a person gets no messages. Without an owner: every agent of that name. */
export interface MutedAgent {
  readonly asker: string;
  readonly owner?: string;
}

const MUTED_AGENT: Model<MutedAgent> = {
  must: "an object with asker",
  fields: {
    asker: { ...ANY_TEXT, required: true, about: "The name of an agent's token." },
    owner: { ...ANY_TEXT, about: "The person it works for; without one, every agent of that name." },
  },
};

export interface NotificationPreferences {
  /** What messages on ntfy may show. */
  readonly privacy: Privacy;
  readonly language: string;
  readonly quietHours?: QuietHours;
  readonly muted?: readonly MutedAgent[];
}

export const NOTIFICATION_PREFERENCES: Model<NotificationPreferences> = {
  name: "NotificationPreferences",
  must: "settings",
  fields: {
    privacy: { ...PRIVACY, required: true },
    language: { ...LANGUAGE, required: true },
    quietHours: { kind: "object", of: QUIET_HOURS },
    muted: {
      kind: "list",
      of: MUTED_AGENT,
      about: "The agents of which the person gets no messages; an inbox shows the asks of each as one row.",
    },
  },
};

/** Null ends the quiet hours. */
export interface PreferenceChanges {
  readonly privacy?: Privacy;
  readonly language?: string;
  readonly quietHours?: QuietHours;
  readonly mute?: MutedAgent;
  readonly unmute?: MutedAgent;
}

export const PREFERENCE_CHANGES: Model<PreferenceChanges> = {
  must: "changes",
  fields: {
    privacy: PRIVACY,
    language: LANGUAGE,
    quietHours: { kind: "object", of: QUIET_HOURS, clears: true },
    mute: { kind: "object", of: MUTED_AGENT },
    unmute: { kind: "object", of: MUTED_AGENT },
  },
};

/** A device that is notified by push. */
export interface PushDevice {
  /** A name for the device, from the address of its push service. */
  readonly device: string;
  readonly privacy: Privacy;
  readonly language: string;
  readonly createdAt: number;
  /** Why its push service refuses messages; such a device does not count as reachable. */
  readonly failing?: string;
}

export const PUSH_DEVICE: Model<PushDevice> = {
  name: "PushDevice",
  must: "a device",
  fields: {
    device: NAME,
    privacy: { ...PRIVACY, required: true },
    language: { ...LANGUAGE, required: true },
    createdAt: AT,
    failing: { kind: "text", max: 1_000, about: "Why its push service refuses messages." },
  },
};

/** What a browser's `subscription.toJSON()` returns. */
export interface PushTarget {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

const KEY: TextField & { readonly required: true } = { kind: "text", max: 200, required: true };

const PUSH_TARGET: Model<PushTarget> = {
  must: "the result of the browser's subscription.toJSON()",
  fields: {
    endpoint: { kind: "text", max: 2_048, required: true },
    keys: {
      kind: "object",
      of: { must: "the keys that the browser gave", fields: { p256dh: KEY, auth: KEY } },
      required: true,
    },
  },
};

export interface PushInput {
  readonly subscription: PushTarget;
  readonly privacy?: Privacy;
  readonly language?: string;
}

export const PUSH_INPUT: Model<PushInput> = {
  must: "a subscription",
  fields: {
    subscription: {
      kind: "object",
      of: PUSH_TARGET,
      required: true,
      about: "The result of the browser's subscription.toJSON().",
    },
    privacy: PRIVACY,
    language: LANGUAGE,
  },
};

/** Whether the inbox is in front of the person. */
export interface FocusInput {
  readonly focused: boolean;
}

export const FOCUS_INPUT: Model<FocusInput> = {
  must: "an object with focused",
  fields: { focused: { kind: "flag", required: true } },
};
