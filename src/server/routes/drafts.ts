// What a person does with an ask before ending it.

import { AsklineError, type By, type Draft, isRecord } from "../../core/index.js";
import type { Principal } from "../auth/principal.js";
import type { Call, Route } from "../call.js";
import { type Access, authorized } from "../identify.js";
import { readJson } from "../read-body.js";
import { json, noContent } from "../respond.js";
import { requireVisible } from "./require-visible.js";
import { surfaceOf } from "./surface.js";

const person: Access = { roles: ["person"], links: true };

export const draftRoutes: readonly Route[] = [
  {
    path: "/v1/asks/:id/draft",
    methods: { PUT: authorized(person, save), GET: authorized(person, get) },
  },
  { path: "/v1/asks/:id/opened", methods: { POST: authorized(person, opened) } },
];

async function save(call: Call, principal: Principal): Promise<Response> {
  const { hub } = call.services;
  const { id } = await requireVisible(call, principal);
  const body = await readJson(call);
  if (!isRecord(body) || !isRecord(body.draft)) {
    throw new AsklineError("invalid_request", `send { "draft": { … } }`);
  }
  await hub.saveDraft(id, body.draft as Draft, byOf(call, principal));
  return noContent();
}

async function get(call: Call, principal: Principal): Promise<Response> {
  const { id } = await requireVisible(call, principal);
  const draft = await call.services.hub.draft(id, byOf(call, principal));
  return json(200, { draft: draft ?? null });
}

async function opened(call: Call, principal: Principal): Promise<Response> {
  const { id } = await requireVisible(call, principal);
  await call.services.hub.opened(id, byOf(call, principal));
  return noContent();
}

function byOf(call: Call, principal: Principal): By {
  return { by: { kind: "person", id: principal.name, surface: surfaceOf(call, principal) } };
}
