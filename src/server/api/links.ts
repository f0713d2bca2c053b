import { AsklineError } from "../../core/model/error.js";
import { LINK_INPUT } from "../../core/model/link.js";
import { mayAnswer } from "../../core/model/visibility.js";
import type { Principal } from "../access/principal.js";
import { readTaken } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { requireVisible } from "../routing/visible-asks.js";

const CREATE: Operation = {
  id: "createLink",
  summary: "Create a signed link to an ask for one person",
  description:
    "The creator of a link can also open it, so agents may create links only if the server allows it.",
  body: { schema: "LinkInput" },
  responses: { 201: { description: "The link.", schema: "LinkResponse" } },
  errors: ["not_found"],
};

export const linkRoutes: readonly Route[] = [
  {
    path: "/v1/asks/{id}/links",
    methods: { POST: authorized({ roles: ["agent"], sessions: true }, CREATE, create) },
  },
];

async function create(call: Call, principal: Principal): Promise<Reply> {
  const { auth, hosts, agentLinks } = call.services;
  if (principal.role === "agent" && !agentLinks) {
    throw new AsklineError(
      "forbidden",
      "agents may not create links on this server; use an admin's token, or start it with --agent-links",
    );
  }
  const ask = await requireVisible(call, principal);
  const target = await readTaken(call, LINK_INPUT);
  if (!mayAnswer(target.person, ask)) {
    throw new AsklineError("invalid_request", "this person is not among the recipients of the ask");
  }
  const { link, expiresAt } = await auth.createLink({ askId: ask.id, ...target });
  return json(201, { url: `${hosts.publicOrigin ?? call.origin}${hosts.base}/a/${link}`, expiresAt });
}
