// Push from `askline serve` to a real browser and back, without a network. Only the push service between the two is
// ours: it decrypts what the server sent, as a browser would, and the protocol of the developer tools hands it over.

import type { Browser, BrowserContext, CDPSession, Page, Worker } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { connect } from "../../../src/client/index.ts";
import type { Ask } from "../../../src/index.ts";
import { runHere } from "../../cli/in-process.ts";
import { endProcesses } from "../../cli/processes.ts";
import { post, removeFolders, type ServeProcess, serve } from "../../cli/servers.ts";
import { closeThieves, HARMLESS, steal } from "../../cli/thief.ts";
import { until } from "../../server/open-server.ts";
import { startFullChromium } from "../../support/chromium.ts";
import { openPushService, type PushMessage, type PushService } from "../channels/push-service.ts";

let chromium: Browser;
let service: PushService | undefined;
beforeAll(async () => {
  chromium = await startFullChromium();
});
afterEach(async () => {
  closeThieves();
  endProcesses();
  removeFolders();
  await service?.close();
});
afterAll(async () => {
  await chromium.close();
});

interface Phone {
  readonly page: Page;
  readonly base: string;
  /** Turns to something else, and waits until the server knows. */
  leave(): Promise<void>;
  /** Hands the newest message about an ask to the service worker, once it has arrived. */
  receive(ask: Ask, settled?: boolean): Promise<PushMessage["payload"]["notification"]>;
  /** What the browser shows now. */
  shown(): Promise<readonly ShownNotification[]>;
  /** Taps the notification of an ask, or a button of it. Returns the addresses of windows that it opens. */
  tap(ask: Ask, action?: string): Promise<readonly string[]>;
}

interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly actions: readonly string[];
}

/** A browser without a push service of its own: it subscribes at ours, and remembers that. */
function stubPush(subscription: object): void {
  const key = "test.subscription";
  const made = {
    ...subscription,
    options: { applicationServerKey: null },
    toJSON: () => subscription,
    unsubscribe: async () => {
      localStorage.removeItem(key);
      return true;
    },
  };
  Object.assign(PushManager.prototype, {
    async subscribe(options: { readonly applicationServerKey: string }) {
      if (!/^[\w-]{87}$/.test(options.applicationServerKey)) throw new Error("no key of the server");
      localStorage.setItem(key, "made");
      return made;
    },
    async getSubscription() {
      return localStorage.getItem(key) === null ? null : made;
    },
  });
}

async function openPhone(server: ServeProcess, pushes: PushService): Promise<Phone> {
  const context = await chromium.newContext({ permissions: ["notifications"] });
  await context.addInitScript(stubPush, pushes.subscribe());
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const registration = registrationOf(session);
  await session.send("ServiceWorker.enable");
  await page.goto(server.inbox);
  await page.getByRole("button", { name: "Open your inbox" }).click();
  await page.getByRole("button", { name: "Notify me on this device" }).click();
  await page.getByRole("button", { name: "Notifications on this device: on" }).waitFor();
  const registrationId = await registration;
  const base = page.url().replace(/\/$/, "");
  return {
    page,
    base,
    async leave() {
      const reported = page.waitForResponse(/\/v1\/focus$/);
      await page.evaluate(() => {
        document.hasFocus = () => false;
        window.dispatchEvent(new Event("blur"));
      });
      await reported;
      await page.goto("about:blank");
    },
    async receive(ask, settled = false) {
      const { payload } = await until(() =>
        pushes.messages().findLast(({ payload: { notification } }) => {
          const { askId, settled: isEnd } = notification.data;
          return askId === ask.id && isEnd === settled;
        }),
      );
      const { origin } = new URL(base);
      const data = JSON.stringify(payload);
      await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
      return payload.notification;
    },
    shown: async () => (await workerOf(context)).evaluate(readShown),
    tap: async (ask, action = "") =>
      (await workerOf(context)).evaluate(tapNotification, { tag: `askline-${ask.id}`, action }),
  };
}

async function arrives(phone: Phone, ask: Ask): Promise<void> {
  const { tag } = await phone.receive(ask);
  await expect.poll(async () => (await phone.shown()).map((one) => one.tag)).toContain(tag);
}

function registrationOf(session: CDPSession): Promise<string> {
  return new Promise((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.includes("/i/"));
      if (own !== undefined) resolve(own.registrationId);
    });
  });
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker");
}

// These run in the service worker.
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  clients: { openWindow(url: string): Promise<null> };
  dispatchEvent(event: Event): boolean;
}

async function readShown(): Promise<readonly ShownNotification[]> {
  const { registration } = globalThis as unknown as WorkerScope;
  // Reading while one is being shown would lose it: see the worker.
  const read = () => registration.getNotifications();
  const all = (await navigator.locks.request("askline.notifications", read)) as readonly (Notification & {
    readonly actions?: readonly { readonly title: string }[];
  })[];
  return all.map(({ title, body, tag, actions = [] }) => ({
    ...{ title, body, tag },
    actions: actions.map((action) => action.title),
  }));
}

/** As the browser does it, except that only a real finger may open a window: the address is returned instead. */
async function tapNotification({ tag, action }: { readonly tag: string; readonly action: string }) {
  const scope = globalThis as unknown as WorkerScope;
  const [notification] = await scope.registration.getNotifications({ tag });
  if (notification === undefined) throw new Error(`there is no notification ${tag}`);
  const opened: string[] = [];
  scope.clients.openWindow = async (url) => {
    opened.push(url);
    return null;
  };
  const event = new Event("notificationclick");
  let work: Promise<unknown> | undefined;
  const waitUntil = (given: Promise<unknown>): void => {
    work = given;
  };
  scope.dispatchEvent(Object.assign(event, { notification, action, waitUntil }));
  await work;
  return opened;
}

const METRICS = "a-token-for-metrics";

/** Whether the server has dealt with a push, by sending it or by finding that nobody needs it. */
async function hasDecidedOnPush({ url }: ServeProcess): Promise<boolean> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } });
  const count = /askline_delivery_attempts_total\{channel="push",result="delivered"\} (\d+)/;
  return Number(count.exec(await response.text())?.[1]) > 0;
}

const SHIP = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }], agentId: "builder" };

it("notifies a browser, opens and answers from there, follows what others answer, and ends with signing out", async () => {
  const pushes = await openPushService();
  service = pushes;
  const args = ["--person", "ana", "--push-contact", "mailto:ops@example.com", "--push-host", pushes.url];
  const server = await serve(undefined, { args, env: { ASKLINE_METRICS_TOKEN: METRICS } });
  const ana = connect({ url: server.url, token: readCredentials(server.data, server.url)?.person ?? "" });
  const answer = (ask: Ask): Promise<Ask> =>
    ana.answer(
      ask.id,
      { answers: [{ question: "q1", selected: ["o2"] }] },
      { by: { kind: "person", id: "ana", surface: "laptop" } },
    );
  const phone = await openPhone(server, pushes);
  const { page, base } = phone;

  // The inbox is in front of the person: it shows the question, and nothing is pushed.
  const seen = await post(server, { questions: [{ question: "Seen at once?", options: ["Yes"] }] });
  await page.getByRole("heading", { name: "Seen at once?" }).waitFor();
  await until(() => hasDecidedOnPush(server));
  await phone.leave();

  // Shown, with buttons; a tap opens it.
  const tapped = await post(server, SHIP);
  const { tag } = await phone.receive(tapped);
  await expect
    .poll(phone.shown)
    .toEqual([{ title: "Question from local", body: "Ship it?", tag, actions: ["Yes", "No"] }]);
  const opened = await phone.tap(tapped);
  expect(opened).toEqual([`${base}/asks/${tapped.id}`]);
  expect(await phone.shown()).toEqual([]);
  expect(pushes.messages().map(({ payload }) => payload.notification.data.askId)).not.toContain(seen.id);

  // The sender is the agent's token, and what a button approves is beside the name, however many lines that has.
  const action = { name: `list${"\n".repeat(60)}files`, args: { command: "rm\u2800x" } };
  const posing = await post(server, { approval: { actions: [action] }, agentId: "Your bank" });
  const message = {
    ...{ title: "Local needs your approval", body: 'list files {"command":"rm\\u2800x"}' },
    ...{ tag: (await phone.receive(posing)).tag, actions: ["Approve", "Reject"] },
  };
  await expect.poll(phone.shown).toEqual([message]);
  await phone.tap(posing);

  // A button answers.
  const pressed = await post(server, SHIP);
  await arrives(phone, pressed);
  expect(await phone.shown()).toHaveLength(1);
  expect(await phone.tap(pressed, "choice-1")).toEqual([]);
  expect(await ana.wait(pressed.id)).toMatchObject({
    kind: "answered",
    choices: [{ labels: ["Yes"] }],
    by: { kind: "person", id: "ana", surface: "push" },
  });
  await phone.receive(pressed, true);
  await expect.poll(phone.shown).toEqual([]);

  // Answered elsewhere: replaced in the same place, without buttons.
  const elsewhere = await post(server, SHIP);
  await arrives(phone, elsewhere);
  expect(await phone.shown()).toHaveLength(1);
  await answer(elsewhere);
  const replacement = await phone.receive(elsewhere, true);
  await expect
    .poll(phone.shown)
    .toEqual([{ title: "Answered by ana", body: "", tag: replacement.tag, actions: [] }]);

  // A button that comes too late opens the ask, which says so; an open page shows the ask of a tap by itself.
  // Ends of other asks that come at the same moment do not take it away.
  const late = await post(server, SHIP);
  await phone.receive(late);
  await Promise.all(Array.from({ length: 10 }, () => phone.receive(elsewhere, true)));
  await expect.poll(phone.shown).toHaveLength(2);
  await page.goto(`${base}/asks/${tapped.id}`);
  await page.getByRole("heading", { name: "Ship it?" }).waitFor();
  expect(await phone.tap(late)).toEqual([]);
  await expect.poll(() => page.url()).toBe(`${base}/asks/${late.id}`);

  // An open page closes the notification of what is answered elsewhere.
  await phone.leave();
  const closed = await post(server, SHIP);
  await phone.receive(closed);
  await page.goto(`${base}/asks/${closed.id}`);
  await page.getByRole("heading", { name: "Ship it?" }).waitFor();
  const hasNotification = async (): Promise<boolean> =>
    (await phone.shown()).some((one) => one.tag === `askline-${closed.id}`);
  expect(await hasNotification()).toBe(true);
  await answer(closed);
  await expect.poll(hasNotification).toBe(false);

  // The person decides what a notification shows.
  await page.getByRole("button", { name: "Notifications on this device: on" }).click();
  await page.getByRole("radio", { name: "A question waits" }).check();
  const devices = async (): Promise<unknown> => {
    const headers = { authorization: `Bearer ${readCredentials(server.data, server.url)?.person}` };
    return ((await (await fetch(`${server.url}/v1/push`, { headers })).json()) as { devices: unknown })
      .devices;
  };
  await expect.poll(devices).toMatchObject([{ privacy: "minimal" }]);
  await phone.leave();
  // Of another agent: the first has used up its messages of this minute.
  const made = await runHere(["token", "create", "--role", "agent", "--data", server.data]);
  const other = connect({ url: server.url, token: made.stdout.trim() });
  const secret = await other.post(SHIP);
  await other.close();
  expect(await phone.receive(secret)).toMatchObject({ title: "A question waits for you", body: "" });

  // Signing out ends the subscription, at the server and in the browser.
  await page.goto(`${base}/devices`);
  await page.getByRole("button", { name: /^Sign out / }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/devices"));
  expect(await devices()).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem("test.subscription"))).toBe(null);
  await ana.close();
});

it("a button gave its token to the program that took the port, and believed that it had decided", async () => {
  const pushes = await openPushService();
  service = pushes;
  const args = ["--person", "ana", "--push-contact", "mailto:ops@example.com", "--push-host", pushes.url];
  const server = await serve(undefined, { args });
  const phone = await openPhone(server, pushes);
  await phone.leave();
  const ask = await post(server, SHIP);
  await arrives(phone, ask);
  server.running.child.kill("SIGKILL");
  await server.running.ended;
  const thief = await steal(server.url);
  expect(await phone.tap(ask, "choice-1")).toEqual([`${phone.base}/asks/${ask.id}`]);
  expect(thief.received.filter((text) => !HARMLESS.test(text))).toEqual([]);
}, 60_000);
