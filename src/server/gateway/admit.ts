// Authenticates a gateway connection and chooses its role: an agent host or a person's device.

import type { IncomingMessage } from "node:http";
import { AsklineError } from "../../core/model/error.js";
import type { Principal } from "../access/principal.js";
import { GATEWAY_ROLE, GATEWAY_SURFACE, GATEWAY_TIMEOUT, GATEWAY_TOKEN, TICKET } from "../http/parameters.js";
import type { UpgradePath } from "../openapi/document.js";
import type { Services } from "../routing/call.js";
import { identifyUpgrade } from "../routing/identify.js";

const GATEWAY_PATH = "/v1/gateway";
const OWN_PATH = /^\/v1(?:\/|$)/;

/** The paths of the gateway: its own, and those that clients of other backends have built in. */
export function gatewayPaths(more: readonly string[]): ReadonlySet<string> {
  const paths = more.map((path) => {
    const isPath = path.startsWith("/") && path.length <= 256 && URL.canParse(path, "http://localhost");
    const { pathname } = isPath ? new URL(path, "http://localhost") : { pathname: undefined };
    if (pathname !== path || OWN_PATH.test(path)) {
      const message = `${JSON.stringify(path)} cannot be a gateway path; use one such as /api/v1/providers/ws, outside of /v1`;
      throw new AsklineError("invalid_request", message);
    }
    return path;
  });
  return new Set([GATEWAY_PATH, ...paths]);
}

export type Admission =
  /** `timeoutMs` is 0 for asks that never expire. */
  | { readonly role: "host"; readonly principal: Principal; readonly timeoutMs: number }
  | { readonly role: "device"; readonly principal: Principal; readonly surface: string };

/** Throws a coded error if the connection is refused. */
export async function admit(incoming: IncomingMessage, url: URL, services: Services): Promise<Admission> {
  const token = GATEWAY_TOKEN.read(url.searchParams);
  const principal = await identifyUpgrade(incoming, url, services, token);
  // URLs end up in the logs of proxies, where a person's token would let any reader answer.
  if (token !== undefined && principal.role !== "agent") {
    throw new AsklineError("forbidden", "only an agent's token may be sent in the URL; revoke this one");
  }
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
    parameters: [GATEWAY_ROLE, GATEWAY_TIMEOUT, GATEWAY_SURFACE, GATEWAY_TOKEN, TICKET],
    responses: { 101: { description: "A WebSocket." } },
    errors: ["not_found"],
  },
};
