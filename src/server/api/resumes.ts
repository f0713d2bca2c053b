// Which process resumes a run that was parked for an ask.

import { RESUME_INPUT } from "../../core/model/resume.js";
import type { Principal } from "../access/principal.js";
import { readTaken } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { requireVisible } from "../routing/visible-asks.js";

const RESUME: Operation = {
  id: "resumeAsk",
  summary: "Claim, renew, release or complete the right to resume the run of an ask",
  description:
    "One holder at a time. `claimed` is false while the ask is pending, while another holder has the lease, and once the run was marked as done. A claim by the holder itself renews its lease, so a request can be repeated.",
  body: { schema: "ResumeInput" },
  responses: { 200: { description: "Whether the holder has the lease.", schema: "ResumeResponse" } },
  errors: ["not_found"],
};

export const resumeRoutes: readonly Route[] = [
  {
    path: "/v1/asks/{id}/resume",
    methods: { POST: authorized({ roles: ["agent"], sessions: true }, RESUME, resume) },
  },
];

async function resume(call: Call, principal: Principal): Promise<Reply> {
  const { id } = await requireVisible(call, principal);
  const { holder, leaseMs, end } = await readTaken(call, RESUME_INPUT);
  const { hub } = call.services;
  if (end === "done") return json(200, { claimed: await hub.finishResume(id, holder) });
  const lease = await hub.claimResume(id, { holder, leaseMs });
  if (end === "release") await lease?.release();
  const claimed = lease !== undefined && end === undefined;
  return json(200, claimed ? { claimed, expiresAt: lease.expiresAt } : { claimed });
}
