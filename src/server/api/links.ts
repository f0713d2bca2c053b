import { type Ask, AsklineError } from "../../core/index.js";
import { durationMs } from "../../core/kit/duration.js";
import { mayAnswer } from "../../core/model/visibility.js";
import { LINK_MS, requireOrigin } from "../access/links.js";
import type { Principal } from "../access/principal.js";
import { isId } from "../access/tokens.js";
import { readFields } from "../http/read-body.js";
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
  const target = readLink(ask, await readFields(call, ["person", "expiresIn", "frame"]));
  const { link, expiresAt } = await auth.createLink({ askId: ask.id, ...target });
  return json(201, { url: `${hosts.publicOrigin ?? call.origin}${hosts.base}/a/${link}`, expiresAt });
}

function readLink(
  ask: Ask,
  fields: { readonly person?: unknown; readonly expiresIn?: unknown; readonly frame?: unknown },
): { readonly person: string; readonly expiresIn: number; readonly frame?: string } {
  const { person, frame } = fields;
  const given = fields.expiresIn ?? LINK_MS.usual;
  const expiresIn = typeof given === "string" ? withUnit(given) : given;
  if (!isId(person)) throw new AsklineError("invalid_request", "person must be the id of a person");
  if (!mayAnswer(person, ask)) {
    throw new AsklineError("invalid_request", "this person is not among the recipients of the ask");
  }
  const fits = typeof expiresIn === "number" && Number.isInteger(expiresIn);
  if (!fits || expiresIn < LINK_MS.min || expiresIn > LINK_MS.max) {
    throw new AsklineError(
      "invalid_request",
      `expiresIn must be milliseconds, from ${LINK_MS.min} to ${LINK_MS.max}, or a time such as "1h", up to 90 days`,
    );
  }
  return { person, expiresIn, ...(frame !== undefined && { frame: requireOrigin(frame) }) };
}

/** Milliseconds for a time such as `1h`. A number alone could be seconds or milliseconds. */
function withUnit(text: string): number | undefined {
  return /[a-z]$/.test(text.trim()) ? durationMs(text) : undefined;
}
