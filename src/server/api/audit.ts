// The history of one ask, for everyone who may see it: its events, the surfaces it was sent to, and what could not be
// delivered.

import type { Principal } from "../access/principal.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { requireVisible } from "../routing/visible-asks.js";

const AUDIT: Operation = {
  id: "auditAsk",
  summary: "The history of an ask",
  description:
    "When the ask was created, shown, opened and settled, by whom and on which surface, in order of time.",
  responses: { 200: { description: "The whole history, oldest first.", schema: "Audit" } },
  errors: ["not_found"],
};

export const auditRoutes: readonly Route[] = [
  { path: "/v1/asks/{id}/audit", methods: { GET: authorized({ roles: ["agent", "person"] }, AUDIT, audit) } },
];

async function audit(call: Call, principal: Principal): Promise<Reply> {
  const { hub, deliveries } = call.services;
  const { id } = await requireVisible(call, principal);
  const events = (await hub.audit(id)).map(({ at, type, by, to, position }) => ({
    ...{ at, type },
    ...(by !== undefined && { by }),
    ...(to !== undefined && { detail: `added ${to.join(", ")}` }),
    position,
  }));
  const showings = (await hub.showings(id)).map(({ at, by }) => ({ at, type: "ask.shown", by }));
  const failures = ((await deliveries?.ofAsk(id)) ?? []).flatMap(
    ({ state, title, at, attempts, lastAt = at, lastError = "", diedAt = lastAt }) =>
      state === "waiting"
        ? []
        : {
            at: diedAt,
            type: state === "dead" ? "delivery.dead" : "delivery.failing",
            detail: `${title}: ${lastError} (${attempts} ${attempts === 1 ? "attempt" : "attempts"})`,
          },
  );
  // The sort is stable: within one millisecond, events keep their order and come before showings.
  return json(200, { audit: [...events, ...showings, ...failures].sort((one, other) => one.at - other.at) });
}
