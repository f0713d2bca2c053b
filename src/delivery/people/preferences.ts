// What a person wants to be notified of, and when: quiet hours, what a message on ntfy may show, and whether an inbox
// is in front of them now.

import { AsklineError, isRecord, type Json } from "../../core/index.js";
import type { Store } from "../../hub/index.js";
import { PRIVACY_CHOICES, type Privacy } from "../../hub/records/push-subscriptions.js";

const PREFERENCES = "notification-preferences";
const FOCUS = "focus";
/** A page that is in front reports this again before the time is over. */
const FOCUS_MS = 60_000;

/** From `from` to `to` in a time zone, as `22:00` and `07:00`; may pass midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

export interface Preferences {
  readonly quietHours?: QuietHours;
  /** What messages on ntfy may show. */
  readonly privacy: Privacy;
  readonly language: string;
}

const USUAL: Preferences = { privacy: "everything", language: "en" };

type Context = Pick<Store, "records" | "now">;

export async function readPreferences({ records }: Context, person: string): Promise<Preferences> {
  const value = (await records.get(PREFERENCES, person))?.value;
  return isRecord(value) ? (value as unknown as Preferences) : USUAL;
}

/** `changes` is unparsed. Fields that are missing stay as they are; null clears the quiet hours. */
export async function changePreferences(
  context: Context,
  person: string,
  changes: { readonly quietHours?: unknown; readonly privacy?: unknown; readonly language?: unknown },
): Promise<Preferences> {
  const { quietHours: before, ...rest } = await readPreferences(context, person);
  const quietHours =
    changes.quietHours === undefined
      ? before
      : changes.quietHours === null
        ? undefined
        : requireQuiet(changes.quietHours);
  const preferences: Preferences = {
    privacy: changes.privacy === undefined ? rest.privacy : requirePrivacy(changes.privacy),
    language: changes.language === undefined ? rest.language : requireLanguage(changes.language),
    ...(quietHours !== undefined && { quietHours }),
  };
  await context.records.put(PREFERENCES, person, preferences as unknown as Json);
  return preferences;
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
export function quietFor({ quietHours }: Pick<Preferences, "quietHours">, wallNow: number): number {
  if (quietHours === undefined) return 0;
  const { from, to, timeZone } = quietHours;
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
