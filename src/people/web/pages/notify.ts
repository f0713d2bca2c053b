// Push notifications of this browser, for the inbox: the browser's permission and subscription, and what the server
// knows of them. Also reports whether the page is in front of the person, who then needs no notification.

import { isRecord } from "../../../core/kit/json.js";
import { PRIVACY_CHOICES } from "../../../core/model/notifications.js";
import type { InboxNotifications, NotifySettings } from "../types.js";
import { closeNotifications, deviceOf } from "./notify-worker.js";

const FOCUS_AGAIN_MS = 30_000;
export function notificationsAt(base: string, fetch: typeof globalThis.fetch): InboxNotifications {
  const send = senderOf(fetch);
  const isSupported =
    "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

  const manager = async (): Promise<PushManager | undefined> =>
    isSupported ? (await navigator.serviceWorker.ready).pushManager : undefined;

  const subscribed = async (): Promise<PushSubscription | undefined> => {
    if (!isSupported) return undefined;
    // Not `ready`, which never comes if the worker could not be registered.
    const registration = await navigator.serviceWorker.getRegistration(`${base}/`);
    return (await registration?.pushManager.getSubscription()) ?? undefined;
  };

  const put = async (subscription: PushSubscription, choice: object): Promise<void> => {
    await send("PUT", `${base}/v1/push`, { subscription: subscription.toJSON(), ...choice });
  };

  return {
    async read() {
      const [push, preferences] = await Promise.all([
        send("GET", `${base}/v1/push`),
        send("GET", `${base}/v1/notifications`),
      ]);
      // This server notifies nobody.
      if (push === undefined || preferences === undefined) return undefined;
      const own = await subscribed();
      const id = own === undefined ? undefined : await deviceOf(own.endpoint);
      const devices = Array.isArray(push.devices) ? push.devices.filter(isRecord) : [];
      const device = devices.find((one) => one.device === id);
      const quiet = isRecord(preferences.quietHours) ? preferences.quietHours : undefined;
      return {
        state: stateOf(typeof push.publicKey === "string", isSupported, device !== undefined),
        privacy: PRIVACY_CHOICES.find((choice) => choice === device?.privacy) ?? "everything",
        ...(quiet !== undefined && { quietHours: { from: String(quiet.from), to: String(quiet.to) } }),
      };
    },
    async turnOn({ privacy, language }) {
      // Asked first: browsers ask a person only during a click.
      if ((await Notification.requestPermission()) !== "granted") return;
      const push = await send("GET", `${base}/v1/push`);
      const publicKey = typeof push?.publicKey === "string" ? push.publicKey : "";
      const known = await subscribed();
      // With another key, such as that of a server before this one, a browser refuses to subscribe.
      if (known !== undefined && keyOf(known) !== publicKey) await known.unsubscribe();
      const subscription = await (await manager())?.subscribe({
        userVisibleOnly: true,
        applicationServerKey: publicKey,
      });
      if (subscription !== undefined) await put(subscription, { privacy, language });
    },
    async choose(privacy) {
      const own = await subscribed();
      if (own !== undefined) await put(own, { privacy });
    },
    async turnOff() {
      const own = await subscribed();
      if (own === undefined) return;
      try {
        await send("DELETE", `${base}/v1/push?device=${await deviceOf(own.endpoint)}`);
      } finally {
        await own.unsubscribe();
      }
    },
    async setQuietHours(hours) {
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      await send("PUT", `${base}/v1/notifications`, {
        quietHours: hours === undefined ? null : { ...hours, timeZone },
      });
    },
  };
}

function stateOf(sends: boolean, isSupported: boolean, isOn: boolean): NotifySettings["state"] {
  if (!sends) return "not-sent";
  if (!isSupported) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return isOn && Notification.permission === "granted" ? "on" : "off";
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

type Send = (
  method: string,
  url: string,
  body?: object,
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** Resolves with the fields of the response; undefined if this server does not offer the route. */
function senderOf(fetch: typeof globalThis.fetch): Send {
  return async (method, url, body) => {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        keepalive: true,
      }),
    });
    const text = await response.text();
    const reply: unknown = text === "" ? {} : JSON.parse(text);
    const fields = isRecord(reply) ? reply : {};
    if (response.ok) return fields;
    if (response.status === 501) return undefined;
    const { message } = isRecord(fields.error) ? fields.error : {};
    throw new Error(typeof message === "string" ? message : `HTTP ${response.status}`);
  };
}

/** Reports that the page is in front of the person, again and again while it is, and that it no longer is. */
export function reportFocus(base: string, fetch: typeof globalThis.fetch): void {
  const send = senderOf(fetch);
  let reported = false;
  let isOffered = true;
  let last: Promise<void> = Promise.resolve();
  const report = (event?: Event): void => {
    const isLeaving = event?.type === "pagehide";
    const focused = !isLeaving && document.visibilityState === "visible" && document.hasFocus();
    if (!isOffered || (!focused && !reported)) return;
    reported = focused;
    // One after the other, so that the last state is the one that counts.
    last = last.then(async () => {
      try {
        isOffered = (await send("PUT", `${base}/v1/focus`, { focused })) !== undefined;
      } catch {
        // Signed out, or the server is away: it forgets within a minute.
      }
    });
  };
  for (const name of ["focus", "blur", "pageshow", "pagehide"]) window.addEventListener(name, report);
  document.addEventListener("visibilitychange", report);
  setInterval(() => report(), FOCUS_AGAIN_MS);
  report();
}

/** Closes the notification of an ask that has ended. */
export async function closeNotification(base: string, askId: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(`${base}/`);
  if (registration !== undefined) await closeNotifications(registration, `askline-${askId}`);
}

/** Calls back when a notification of an ask was tapped while this page is open. */
export function onNotificationTap(open: (askId: string) => void): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (isRecord(data) && data.type === "askline.open" && typeof data.ask === "string") open(data.ask);
  });
}
