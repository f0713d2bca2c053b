// What happened to one ask, for everyone who may see it: the same events that `/v1/events` has told them, and to
// which surfaces it was sent.

import type { Principal } from "../access/principal.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { requireVisible } from "../routing/visible-asks.js";

const AUDIT: Operation = {
  id: "auditAsk",
  summary: "What happened to an ask",
  description: "Asked, shown, opened and ended: when, by whom and where, in the order of time.",
  responses: { 200: { description: "From its beginning.", schema: "Audit" } },
  errors: ["not_found"],
};

export const auditRoutes: readonly Route[] = [
  { path: "/v1/asks/{id}/audit", methods: { GET: authorized({ roles: ["agent", "person"] }, AUDIT, audit) } },
];

async function audit(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const { id } = await requireVisible(call, principal);
  const events = (await hub.audit(id)).map(({ at, type, by, position }) => ({
    ...{ at, type },
    ...(by !== undefined && { by }),
    position,
  }));
  const showings = (await hub.showings(id)).map(({ at, by }) => ({ at, type: "ask.shown", by }));
  // The sort is stable: of one millisecond, the events come in their own order, and before what was shown.
  return json(200, { audit: [...events, ...showings].sort((one, other) => one.at - other.at) });
}
