import type { UpgradePath } from "../openapi/document.js";
import { GATEWAY_ROLE, GATEWAY_SURFACE, GATEWAY_TIMEOUT } from "../parameters.js";
import { GATEWAY_PATH } from "./admit.js";

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
