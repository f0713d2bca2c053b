// Drafts, and marking an ask as opened.

import { DRAFT_INPUT } from "../../core/model/draft.js";
import type { By } from "../../core/model/ports.js";
import type { Principal } from "../access/principal.js";
import { SURFACE_HEADER } from "../http/parameters.js";
import { readKnown, readTaken } from "../http/read-body.js";
import { json, noContent, type Reply } from "../http/reply.js";
import type { Access, Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { surfaceOf } from "../routing/read-query.js";
import { requireVisible } from "../routing/visible-asks.js";

const person: Access = { roles: ["person"], links: true, sessions: true };

const SAVE: Operation = {
  id: "saveDraft",
  summary: "Save a draft",
  description: "One draft per person and ask. The person's other surfaces are notified.",
  parameters: [SURFACE_HEADER],
  body: { schema: "DraftInput" },
  responses: { 204: { description: "The draft is saved." } },
  errors: ["not_found", "already_settled", "invalid_answer", "unsupported"],
};

const GET: Operation = {
  id: "getDraft",
  summary: "Get the draft",
  parameters: [SURFACE_HEADER],
  responses: { 200: { description: "The draft, or null.", schema: "DraftResponse" } },
  errors: ["not_found"],
};

const OPENED: Operation = {
  id: "markOpened",
  summary: "Mark an ask as opened",
  parameters: [SURFACE_HEADER],
  responses: { 204: { description: "Recorded." } },
  errors: ["not_found"],
};

export const draftRoutes: readonly Route[] = [
  {
    path: "/v1/asks/{id}/draft",
    methods: { PUT: authorized(person, SAVE, save), GET: authorized(person, GET, get) },
  },
  { path: "/v1/asks/{id}/opened", methods: { POST: authorized(person, OPENED, opened) } },
];

async function save(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const { id } = await requireVisible(call, principal);
  const { draft } = await readTaken(call, DRAFT_INPUT);
  await hub.saveDraft(id, draft, byOf(call, principal));
  return noContent();
}

async function get(call: Call, principal: Principal): Promise<Reply> {
  const { id } = await requireVisible(call, principal);
  const draft = await call.services.hub.draft(id, byOf(call, principal));
  return json(200, { draft: draft ?? null });
}

async function opened(call: Call, principal: Principal): Promise<Reply> {
  await readKnown(call, []);
  const { id } = await requireVisible(call, principal);
  await call.services.hub.opened(id, byOf(call, principal));
  return noContent();
}

function byOf(call: Call, principal: Principal): By {
  return { by: { kind: "person", id: principal.name, surface: surfaceOf(call, principal) } };
}
