// The audit of the system, for admins; and the history of one ask, for everyone who may see it: its events, the surfaces it was sent to, and what could not be
// delivered.

import { SYSTEM_LOG } from "../../hub/records/system-log.js";
import type { Principal } from "../access/principal.js";
import { LIMIT, PAGE_AFTER } from "../http/parameters.js";
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

const SYSTEM: Operation = {
  id: "auditSystem",
  summary: "The audit of the system",
  description:
    "Sign-ins, tokens and rules that were made and ended, people who were revoked, exports, and the settings that servers started with; oldest first, without secrets.",
  parameters: [PAGE_AFTER, LIMIT],
  responses: { 200: { description: "A page of the audit.", schema: "SystemAudit" } },
};

export const auditRoutes: readonly Route[] = [
  { path: "/v1/audit", methods: { GET: authorized({ roles: ["admin"] }, SYSTEM, auditSystem) } },
  {
    path: "/v1/asks/{id}/audit",
    methods: { GET: authorized({ roles: ["agent", "person"], sessions: true }, AUDIT, audit) },
  },
];

const USUAL_PAGE = 100;

async function auditSystem({ url, services }: Call): Promise<Reply> {
  const limit = LIMIT.read(url.searchParams) ?? USUAL_PAGE;
  const after = Number(PAGE_AFTER.read(url.searchParams) ?? 0);
  const entries = await services.hub.logs.read(SYSTEM_LOG, { after, limit });
  const last = entries.length < limit ? undefined : entries.at(-1);
  return json(200, { audit: entries, next: last && String(last.position) });
}

async function audit(call: Call, principal: Principal): Promise<Reply> {
  const { hub, deliveries } = call.services;
  const { id } = await requireVisible(call, principal);
  const events = (await hub.audit(id)).map(({ at, type, by, to, position }) => ({
    ...{ at, type },
    by,
    detail: to && `added ${to.join(", ")}`,
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
