// Remembered rules: what people decided about actions, for the next time. They are made by a decision (`remember`).

import { AsklineError } from "../../core/model/error.js";
import type { Principal } from "../access/principal.js";
import { json, noContent, type Reply } from "../http/reply.js";
import type { Access, Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const PERSON: Access = { roles: ["person"] };

const LIST: Operation = {
  id: "listRules",
  summary: "The remembered rules of the caller, oldest first; an admin sees everybody's",
  responses: { 200: { description: "The rules.", schema: "RuleList" } },
};

const REVOKE: Operation = {
  id: "revokeRule",
  summary: "Revoke a remembered rule",
  description: "The next such action is asked about again.",
  responses: { 204: { description: "It is revoked." } },
  errors: ["not_found"],
};

export const ruleRoutes: readonly Route[] = [
  { path: "/v1/rules", methods: { GET: authorized(PERSON, LIST, list) } },
  { path: "/v1/rules/{id}", methods: { DELETE: authorized(PERSON, REVOKE, revoke) } },
];

async function list({ services }: Call, principal: Principal): Promise<Reply> {
  return json(200, { rules: await services.hub.rules.list(ownerOf(principal)) });
}

async function revoke({ param, services }: Call, principal: Principal): Promise<Reply> {
  const id = param("id");
  const known =
    /^rule_[0-9a-z_]{1,100}$/.test(id) &&
    (await services.hub.rules.revoke(id, ownerOf(principal), principal.name));
  if (known) return noContent();
  throw new AsklineError("not_found", "there is no such rule; it may have been revoked already");
}

/** Undefined for an admin, who sees all rules. */
function ownerOf({ role, name }: Principal): string | undefined {
  return role === "admin" ? undefined : name;
}
