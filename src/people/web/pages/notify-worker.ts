// Notifications, in the service worker: shows what is pushed, opens the ask at a tap, and answers by the button of a
// notification. One notification per ask: a later message has the same tag and takes its place.
//
// Paths are taken from this worker's own place: the server may know itself by another name than this browser does.

import { isRecord } from "../../../core/kit/json.js";
import { rootOf } from "./server-proof.js";

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends WorkerEvent {
  readonly data: { json(): unknown } | null;
}

interface ClickEvent extends WorkerEvent {
  readonly notification: Notification;
  readonly action: string;
}

interface ChangeEvent extends WorkerEvent {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}

interface WindowClient {
  readonly url: string;
  readonly visibilityState: string;
  focus(): Promise<WindowClient>;
  postMessage(message: unknown): void;
}

interface Worker extends EventTarget {
  readonly FILES: readonly string[];
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: object): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<WindowClient | null>;
  };
}

export interface NotificationData {
  readonly askId: string;
  readonly settled: boolean;
  /** The last part of the path that an action posts to, by its name. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** `base` ends with a slash. `opened` resolves with a `fetch` that sends nothing before the server has proved itself. */
export function handleNotifications(
  worker: Worker,
  base: string,
  opened: () => Promise<typeof globalThis.fetch>,
): void {
  const on = <Kind extends WorkerEvent>(name: string, handle: (event: Kind) => Promise<unknown>): void =>
    worker.addEventListener(name, (event) => {
      (event as Kind).waitUntil(handle(event as Kind));
    });

  const windows = async (): Promise<readonly WindowClient[]> => {
    const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    return all.filter(({ url }) => url.startsWith(base));
  };

  const push = async (data: PushEvent["data"]): Promise<void> => {
    const { title, tag, options } = readPush(data);
    const icon = worker.FILES.find((name) => /^icon-192-.*\.png$/.test(name));
    const show = (): Promise<void> =>
      worker.registration.showNotification(title, {
        ...options,
        tag,
        ...(icon !== undefined && { icon: `${rootOf(base)}/assets/${icon}` }),
      });
    if (!options.data.settled) return show();
    // The ask has ended. A page in front of the person says so by itself.
    if ((await windows()).some(({ visibilityState }) => visibilityState === "visible")) {
      return close(worker.registration, tag);
    }
    const wasShown = (await worker.registration.getNotifications({ tag })).length > 0;
    // Replaces it by its tag. Closed before, it would sometimes take this one with it: Chromium closes by the tag, later.
    await show();
    // A push must show something. Where nothing was left to replace, it does not stay.
    if (!wasShown) await close(worker.registration, tag);
  };

  on<PushEvent>("push", ({ data }) => oneAtATime(() => push(data)));

  on<ClickEvent>("notificationclick", async ({ notification, action }) => {
    notification.close();
    const { askId, tokens } = notification.data as NotificationData;
    const token = tokens[action];
    // If it cannot be answered from here, the person sees why in the inbox.
    if (token !== undefined && (await act(await opened(), `${rootOf(base)}/actions/${token}`))) return;
    const [open] = await windows();
    if (open === undefined) {
      await worker.clients.openWindow(askId === "" ? base : `${base}asks/${encodeURIComponent(askId)}`);
      return;
    }
    // Refused if the tap was too long ago; the page shows the ask all the same.
    await open.focus().catch(() => undefined);
    if (askId !== "") open.postMessage({ type: "askline.open", ask: askId });
  });

  /** The browser has replaced its subscription: the server gets the new one, with the same choice of privacy. */
  on<ChangeEvent>("pushsubscriptionchange", async ({ oldSubscription: old, newSubscription }) => {
    const path = `${base}v1/push`;
    const fetch = await opened();
    const state: unknown = await (await fetch(path)).json();
    const { publicKey, devices } = isRecord(state) ? state : {};
    if (typeof publicKey !== "string") return;
    const id = old === null ? undefined : await deviceOf(old.endpoint);
    const known = Array.isArray(devices)
      ? devices.find((one) => isRecord(one) && one.device === id)
      : undefined;
    const subscription =
      newSubscription ??
      (await worker.registration.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: publicKey,
      }));
    const { privacy = "minimal", language } = isRecord(known) ? known : {};
    await fetch(path, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ subscription, privacy, language }),
    });
    if (known !== undefined) await fetch(`${path}?device=${id}`, { method: "DELETE" });
  });
}

/** Closes the notifications with a tag. */
export function closeNotifications(registration: ServiceWorkerRegistration, tag: string): Promise<void> {
  return oneAtATime(() => close(registration, tag));
}

/**
 * Chromium forgets a notification that is being shown while somebody reads the list of notifications, so the worker and
 * the pages show and read one at a time.
 */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request("askline.notifications", work) as Promise<T>;
}

async function close(registration: ServiceWorkerRegistration, tag: string): Promise<void> {
  for (const notification of await registration.getNotifications({ tag })) notification.close();
}

async function act(fetch: typeof globalThis.fetch, url: string): Promise<boolean> {
  try {
    // The token in the path is enough.
    return (await fetch(url, { method: "POST", credentials: "omit" })).ok;
  } catch {
    return false;
  }
}

interface ReadPush {
  readonly title: string;
  readonly tag: string;
  readonly options: NotificationOptions & { readonly data: NotificationData };
}

/** What our server sent. A push must show something, so anything else is shown as the name of the product. */
function readPush(data: PushEvent["data"]): ReadPush {
  let payload: unknown;
  try {
    payload = data?.json();
  } catch {
    // Not JSON.
  }
  const given = isRecord(payload) && isRecord(payload.notification) ? payload.notification : {};
  const about = isRecord(given.data) ? given.data : {};
  const actions = (Array.isArray(given.actions) ? given.actions : []).filter(isRecord);
  const tokens = actions.map(({ action, url }) => [String(action), String(url).split("/").at(-1) ?? ""]);
  return {
    title: textOf(given.title) || "Askline",
    tag: textOf(given.tag) || "askline",
    options: {
      body: textOf(given.body),
      silent: given.silent === true,
      ...(actions.length > 0 && {
        actions: actions.map(({ action, title }) => ({ action: String(action), title: String(title) })),
      }),
      data: {
        askId: textOf(about.askId),
        settled: about.settled === true,
        tokens: Object.fromEntries(tokens) as Readonly<Record<string, string>>,
      },
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The id by which the server lists a device. */
export async function deviceOf(endpoint: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
