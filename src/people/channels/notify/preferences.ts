// What a person wants to be notified of, and when: muted agents, quiet hours, what a message on ntfy may show, and
// whether an inbox is in front of them now.

import { isRecord, type Json } from "../../../core/kit/json.js";
import { AsklineError } from "../../../core/model/error.js";
import {
  type MutedAgent,
  type NotificationPreferences,
  PRIVACY_CHOICES,
  type PreferenceChanges,
  type Privacy,
  type QuietHours,
} from "../../../core/model/notifications.js";
import { type Asker, isAskedBy } from "../../../core/model/visibility.js";
import { ENGLISH } from "../../../core/words/languages.js";
import type { Store } from "../../../hub/seam/store.js";

const PREFERENCES = "notification-preferences";
const FOCUS = "focus";
/** A page that is in front reports this again before the time is over. */
const FOCUS_MS = 60_000;

/** Not parsed yet. */
type UnparsedChanges = { readonly [Name in keyof PreferenceChanges]?: unknown };

const MOST_MUTED = 200;
const USUAL: NotificationPreferences = { privacy: "everything", language: ENGLISH };

type Context = Pick<Store, "records" | "now">;

export async function readPreferences(
  { records }: Context,
  person: string,
): Promise<NotificationPreferences> {
  return preferencesIn((await records.get(PREFERENCES, person))?.value);
}

function preferencesIn(value: Json | undefined): NotificationPreferences {
  return isRecord(value) ? (value as unknown as NotificationPreferences) : USUAL;
}

/** Fields that are missing stay as they are; null clears the quiet hours. */
export async function changePreferences(
  { records }: Context,
  person: string,
  changes: UnparsedChanges,
): Promise<NotificationPreferences> {
  for (;;) {
    const record = await records.get(PREFERENCES, person);
    const preferences = changed(preferencesIn(record?.value), changes);
    const put = await records.put(PREFERENCES, person, preferences as unknown as Json, {
      expect: record?.version ?? null,
    });
    if (put.ok) return preferences;
  }
}

function changed(before: NotificationPreferences, changes: UnparsedChanges): NotificationPreferences {
  const { privacy, language, mute, unmute } = changes;
  const quietHours =
    changes.quietHours === undefined
      ? before.quietHours
      : changes.quietHours === null
        ? undefined
        : requireQuiet(changes.quietHours);
  const ended = unmute === undefined ? undefined : requireAsker(unmute, "unmute");
  const added = mute === undefined ? undefined : requireAsker(mute, "mute");
  const muted = [
    ...(before.muted ?? []).filter(
      (one) =>
        !(ended !== undefined && isAskedBy(one, ended)) && !(added !== undefined && isAskedBy(added, one)),
    ),
    ...(added === undefined ? [] : [added]),
  ];
  if (muted.length > MOST_MUTED)
    throw new AsklineError("invalid_request", `at most ${MOST_MUTED} agents can be muted`);
  return {
    privacy: privacy === undefined ? before.privacy : requirePrivacy(privacy),
    language: language === undefined ? before.language : requireLanguage(language),
    ...(quietHours !== undefined && { quietHours }),
    ...(muted.length > 0 && { muted }),
  };
}

export function isMuted({ muted = [] }: Pick<NotificationPreferences, "muted">, ask: Asker): boolean {
  return muted.some((one) => isAskedBy(one, ask));
}

const LONGEST_NAME = 256;

function requireAsker(value: unknown, field: string): MutedAgent {
  const { asker, owner } = isRecord(value) ? value : {};
  const isName = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && name.length <= LONGEST_NAME;
  if (isName(asker) && (owner === undefined || isName(owner)))
    return { asker, ...(owner !== undefined && { owner }) };
  throw new AsklineError(
    "invalid_request",
    `${field} needs asker, the name of an agent, and optionally owner`,
  );
}

export function requirePrivacy(value: unknown): Privacy {
  const found = PRIVACY_CHOICES.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new AsklineError("invalid_request", `privacy must be one of ${PRIVACY_CHOICES.join(", ")}`);
}

export function requireLanguage(value: unknown): string {
  if (typeof value === "string" && /^[A-Za-z]{2,3}([-_][\w-]{1,32})?$/.test(value)) return value;
  throw new AsklineError("invalid_request", "language must be a language such as en or vi-VN");
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

function requireQuiet(value: unknown): QuietHours {
  const { from, to, timeZone = "UTC" } = isRecord(value) ? value : {};
  const valid = typeof from === "string" && typeof to === "string" && TIME.test(from) && TIME.test(to);
  if (!valid || from === to) {
    throw new AsklineError("invalid_request", "quietHours needs from and to, such as 22:00 and 07:00");
  }
  if (typeof timeZone !== "string" || !isTimeZone(timeZone)) {
    throw new AsklineError(
      "invalid_request",
      "quietHours.timeZone must be a time zone such as Europe/Berlin",
    );
  }
  return { from, to, timeZone };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name.length <= 64;
  } catch {
    return false;
  }
}

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;

/** For how many milliseconds the person is not to be disturbed, by the wall clock; 0 outside of quiet hours. */
export function quietFor(
  { quietHours }: Pick<NotificationPreferences, "quietHours">,
  wallNow: number,
): number {
  if (quietHours === undefined) return 0;
  const { from, to, timeZone = "UTC" } = quietHours;
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  });
  const now = minutesOf(format.format(wallNow));
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const since = (now - start + DAY_MINUTES) % DAY_MINUTES;
  const length = (end - start + DAY_MINUTES) % DAY_MINUTES;
  return since < length ? (length - since) * MINUTE - (wallNow % MINUTE) : 0;
}

function minutesOf(text: string): number {
  const [hours = "0", minutes = "0"] = text.split(":");
  return Number(hours) * 60 + Number(minutes);
}

/** `holder` is one page or device of the person. Reported again while the page stays in front. */
export async function reportFocus(
  { records, now }: Context,
  person: string,
  holder: string,
  focused: boolean,
): Promise<void> {
  const key = `${encodeURIComponent(person)}/${holder}`;
  if (focused) await records.put(FOCUS, key, true, { expiresAt: now() + FOCUS_MS });
  else await records.delete(FOCUS, key);
}

export async function isFocused({ records }: Context, person: string): Promise<boolean> {
  return (await records.list(FOCUS, { prefix: `${encodeURIComponent(person)}/`, limit: 1 })).length > 0;
}
