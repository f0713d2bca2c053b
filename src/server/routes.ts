// Every route of the server, and the OpenAPI document made from them.

import type { JsonObject } from "../core/kit/json.js";
import { actionRoutes } from "./api/actions.js";
import { askRoutes } from "./api/asks.js";
import { auditRoutes } from "./api/audit.js";
import { deviceRoutes } from "./api/devices.js";
import { draftRoutes } from "./api/drafts.js";
import { endingRoutes } from "./api/endings.js";
import { eventRoutes } from "./api/events.js";
import { hookRoutes } from "./api/hooks.js";
import { linkRoutes } from "./api/links.js";
import { mcpRoutes } from "./api/mcp.js";
import { notificationRoutes } from "./api/notifications.js";
import { documentRoutes, healthRoutes, metricsRoutes, serverInfoRoutes } from "./api/operating.js";
import { peopleRoutes } from "./api/people.js";
import { proofRoutes } from "./api/proof.js";
import { resumeRoutes } from "./api/resumes.js";
import { ruleRoutes } from "./api/rules.js";
import { sessionRoutes } from "./api/sessions.js";
import { ticketRoutes } from "./api/tickets.js";
import { tokenRoutes } from "./api/tokens.js";
import { GATEWAY } from "./gateway/admit.js";
import { apiDocument } from "./openapi/document.js";
import { previewFrameRoutes } from "./pages/preview-frame.js";
import { pageRoutes } from "./pages/routes.js";
import type { Route } from "./routing/call.js";

export const ROUTES: readonly Route[] = [
  ...askRoutes,
  ...auditRoutes,
  ...endingRoutes,
  ...resumeRoutes,
  ...draftRoutes,
  ...deviceRoutes,
  ...linkRoutes,
  ...tokenRoutes,
  ...peopleRoutes,
  ...notificationRoutes,
  ...actionRoutes,
  ...ticketRoutes,
  ...eventRoutes,
  ...sessionRoutes,
  ...serverInfoRoutes,
  ...mcpRoutes,
  ...hookRoutes,
  ...ruleRoutes,
  ...healthRoutes,
  ...proofRoutes,
  ...metricsRoutes,
  ...documentRoutes(() => document()),
  ...pageRoutes,
  ...previewFrameRoutes,
];

let made: JsonObject | undefined;

/** The OpenAPI document. It is the same on every server, and made on first use. */
export function document(): JsonObject {
  made ??= apiDocument(ROUTES, [GATEWAY]);
  return made;
}
