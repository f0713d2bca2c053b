// Authenticates a gateway connection and chooses its role: an agent host or a person's device.

import type { IncomingMessage } from "node:http";
import { AsklineError } from "../../core/index.js";
import type { Principal } from "../access/principal.js";
import { GATEWAY_ROLE, GATEWAY_SURFACE, GATEWAY_TIMEOUT } from "../http/parameters.js";
import type { UpgradePath } from "../openapi/document.js";
import type { Services } from "../routing/call.js";
import { identifyUpgrade } from "../routing/identify.js";

export const GATEWAY_PATH = "/v1/gateway";

export type Admission =
  /** `timeoutMs` is 0 for asks that never expire. */
  | { readonly role: "host"; readonly principal: Principal; readonly timeoutMs: number }
  | { readonly role: "device"; readonly principal: Principal; readonly surface: string };

/** Throws a coded error if the connection is refused. */
export async function admit(incoming: IncomingMessage, url: URL, services: Services): Promise<Admission> {
  const principal = await identifyUpgrade(incoming, url, services);
  return roleOf(principal, url.searchParams) === "host"
    ? { role: "host", principal, timeoutMs: GATEWAY_TIMEOUT.read(url.searchParams) }
    : { role: "device", principal, surface: GATEWAY_SURFACE.read(url.searchParams) };
}

function roleOf({ role }: Principal, query: URLSearchParams): Admission["role"] {
  const own = role === "person" ? "device" : "host";
  const wanted = GATEWAY_ROLE.read(query) ?? own;
  if (wanted === own || role === "admin") return wanted;
  throw new AsklineError("forbidden", `a token with the role ${role} can only connect as a ${own}`);
}

/** What the gateway says of itself; no route of HTTP leads to it. */
export const GATEWAY: UpgradePath = {
  path: GATEWAY_PATH,
  about: {
    id: "openGateway",
    summary: "A WebSocket for agent hosts and devices",
    description:
      "An agent's token connects as a host, which asks; a person's as a device, which answers. Frames are text, one JSON envelope { type, payload } each; docs/gateway.md has their shapes. Without an upgrade there is nothing here.",
    access: { roles: ["agent", "person"] },
    parameters: [GATEWAY_ROLE, GATEWAY_TIMEOUT, GATEWAY_SURFACE],
    responses: { 101: { description: "A WebSocket." } },
    errors: ["not_found"],
  },
};
