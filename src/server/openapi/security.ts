// Who is let in, as OpenAPI says it.

import type { JsonObject } from "../../core/index.js";
import type { Access } from "../operation.js";

/** Each role is a way of its own to be let in. */
export function securityOf(access: Access | undefined): readonly JsonObject[] {
  if (access === undefined) return [];
  const { roles, admin, links } = access;
  return [
    ...[...new Set<string>([...roles, ...(admin === false ? [] : ["admin"])])].map((role) => ({
      token: [role],
    })),
    ...(roles.includes("person") ? [{ inboxCookie: [] }] : []),
    ...(links ? [{ link: [] }] : []),
  ];
}

export const SECURITY_SCHEMES: JsonObject = {
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A token of a role: agent, person or admin. A WebSocket of a browser offers it as a subprotocol.",
  },
  inboxCookie: {
    type: "apiKey",
    in: "cookie",
    name: "askline_PORT",
    description:
      "A person's, from a one-time code; PORT is that of the server. What changes something must come from a page of the server.",
  },
  link: { type: "http", scheme: "bearer", description: "A signed link to one ask, sent as a token." },
};
