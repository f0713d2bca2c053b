// The browsers in which a person is signed in.

import { AsklineError } from "../../core/model/error.js";
import { deviceId } from "../access/inbox-sessions.js";
import type { Principal } from "../access/principal.js";
import { json, noContent, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const PERSON = { roles: ["person"], admin: false } as const;

const LIST: Operation = {
  id: "listDevices",
  summary: "The browsers in which the person is signed in, newest first",
  responses: { 200: { description: "The browsers.", schema: "DeviceList" } },
};

const END: Operation = {
  id: "endDevice",
  summary: "Sign the person out of one browser",
  description: "Its cookie stops working within a second, and what it has open is closed.",
  responses: { 204: { description: "It is signed out." } },
  errors: ["not_found"],
};

export const deviceRoutes: readonly Route[] = [
  { path: "/v1/devices", methods: { GET: authorized(PERSON, LIST, list) } },
  { path: "/v1/devices/{id}", methods: { DELETE: authorized(PERSON, END, end) } },
];

async function list({ services }: Call, { name, credential }: Principal): Promise<Reply> {
  const own = credential.kind === "cookie" ? deviceId(credential.hash) : undefined;
  const devices = await services.auth.devices(name);
  const marked = devices.map((device) => ({ ...device, current: device.id === own ? true : undefined }));
  return json(200, { devices: marked });
}

async function end({ services, param }: Call, { name }: Principal): Promise<Reply> {
  if (!(await services.auth.endDevice(name, param("id")))) {
    throw new AsklineError("not_found", "you are not signed in on a device with this id");
  }
  return noContent();
}
