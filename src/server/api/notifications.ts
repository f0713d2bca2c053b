// A person's notifications: the push subscription of a device, quiet hours, and whether a page is in front of them.

import { AsklineError } from "../../core/model/error.js";
import { FOCUS_INPUT, PREFERENCE_CHANGES, PUSH_INPUT } from "../../core/model/notifications.js";
import type { SubscriptionCredential } from "../../hub/records/push-subscriptions.js";
import type { Principal } from "../access/principal.js";
import { DEVICE } from "../http/parameters.js";
import { readTaken } from "../http/read-body.js";
import { json, noContent, type Reply } from "../http/reply.js";
import type { Notifications } from "../instruments/notifications.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const PERSON = { roles: ["person"] } as const;

const GET_PUSH: Operation = {
  id: "getPush",
  summary: "The key to subscribe with, and the person's devices",
  responses: { 200: { description: "The key and the devices.", schema: "PushResponse" } },
  errors: ["unsupported"],
};

const PUT_PUSH: Operation = {
  id: "putPush",
  summary: "Notify this device by push",
  description: "The subscription ends when the credential that it was made with ends.",
  body: { schema: "PushInput" },
  responses: { 200: { description: "The device.", schema: "PushDevice" } },
  errors: ["unsupported"],
};

const DELETE_PUSH: Operation = {
  id: "deletePush",
  summary: "Stop notifying a device",
  description: "Without a device, everything that was subscribed with this credential ends.",
  parameters: [DEVICE],
  responses: { 204: { description: "It is not notified any more." } },
  errors: ["unsupported"],
};

const PREFERENCES = { 200: { description: "The settings.", schema: "NotificationPreferences" } } as const;

const GET_PREFERENCES: Operation = {
  id: "getNotifications",
  summary: "A person's quiet hours, privacy and muted agents",
  responses: PREFERENCES,
  errors: ["unsupported"],
};

const PUT_PREFERENCES: Operation = {
  id: "putNotifications",
  summary: "Change quiet hours, privacy and muted agents",
  description:
    "Fields that are missing stay as they are; null ends the quiet hours. mute adds an agent, unmute removes one.",
  body: { schema: "NotificationPreferencesInput" },
  responses: PREFERENCES,
  errors: ["unsupported"],
};

const FOCUS: Operation = {
  id: "putFocus",
  summary: "Report that the inbox is in front of the person",
  description:
    "Counts for 60 seconds: report it again while it stays so, and report focused: false when it no longer is. Meanwhile, the person is not notified.",
  body: { schema: "FocusInput" },
  responses: { 204: { description: "It is noted." } },
  errors: ["unsupported"],
};

export const notificationRoutes: readonly Route[] = [
  {
    path: "/v1/push",
    methods: {
      GET: authorized(PERSON, GET_PUSH, getPush),
      PUT: authorized(PERSON, PUT_PUSH, putPush),
      DELETE: authorized(PERSON, DELETE_PUSH, deletePush),
    },
  },
  {
    path: "/v1/notifications",
    methods: {
      GET: authorized(PERSON, GET_PREFERENCES, async (call, { name }) =>
        json(200, await requireNotifications(call).preferences(name)),
      ),
      PUT: authorized(PERSON, PUT_PREFERENCES, async (call, { name }) => {
        const changes = await readTaken(call, PREFERENCE_CHANGES);
        return json(200, await requireNotifications(call).changePreferences(name, changes));
      }),
    },
  },
  { path: "/v1/focus", methods: { PUT: authorized(PERSON, FOCUS, putFocus) } },
];

async function getPush(call: Call, { name }: Principal): Promise<Reply> {
  const notifications = requireNotifications(call);
  const publicKey = await notifications.publicKey();
  return json(200, { publicKey, devices: await notifications.devices(name) });
}

async function putPush(call: Call, principal: Principal): Promise<Reply> {
  const notifications = requireNotifications(call);
  if ((await notifications.publicKey()) === undefined) {
    throw new AsklineError(
      "unsupported",
      "this server sends no push; its operator can start it with --push-contact mailto:you@example.com",
    );
  }
  const input = await readTaken(call, PUSH_INPUT);
  const subscriber = {
    person: principal.name,
    credential: keptCredential(principal),
    base: call.base,
  };
  return json(200, await notifications.subscribe(subscriber, input));
}

async function deletePush(call: Call, principal: Principal): Promise<Reply> {
  const device = DEVICE.read(call.url.searchParams);
  const which = device === undefined ? { credential: keptCredential(principal) } : { device };
  await requireNotifications(call).unsubscribe(principal.name, which);
  return noContent();
}

async function putFocus(call: Call, principal: Principal): Promise<Reply> {
  const { focused } = await readTaken(call, FOCUS_INPUT);
  await requireNotifications(call).focus(principal.name, holderOf(principal), focused);
  return noContent();
}

function requireNotifications({ services }: Call): Notifications {
  if (services.notifications !== undefined) return services.notifications;
  throw new AsklineError("unsupported", "this server notifies nobody; its owner can pass `notifications`");
}

/** The credential as it is stored: enough to check later whether it still works. */
function keptCredential({ credential }: Principal): SubscriptionCredential {
  if (credential.kind === "token") return { kind: "token", id: credential.id };
  if (credential.kind === "cookie") return { kind: "cookie", hash: credential.hash };
  return { kind: "host" };
}

function holderOf({ credential }: Principal): string {
  if (credential.kind === "token") return credential.id;
  return credential.kind === "cookie" ? credential.hash.slice(0, 16) : "host";
}
