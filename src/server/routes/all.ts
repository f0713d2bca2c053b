// Every route of the server, and the document that tells of them.

import type { JsonObject } from "../../core/index.js";
import type { Route } from "../call.js";
import { GATEWAY } from "../gateway/admit.js";
import { apiDocument } from "../openapi/document.js";
import { askRoutes } from "./asks.js";
import { auditRoutes } from "./audit.js";
import { draftRoutes } from "./drafts.js";
import { endingRoutes } from "./endings.js";
import { eventRoutes } from "./events.js";
import { linkRoutes } from "./links.js";
import { documentRoutes, healthRoutes, metricsRoutes, serverInfoRoutes } from "./operating.js";
import { pageRoutes } from "./pages.js";
import { sessionRoutes } from "./sessions.js";

export const ROUTES: readonly Route[] = [
  ...askRoutes,
  ...auditRoutes,
  ...endingRoutes,
  ...draftRoutes,
  ...linkRoutes,
  ...eventRoutes,
  ...sessionRoutes,
  ...serverInfoRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...documentRoutes(() => document()),
  ...pageRoutes,
];

let made: JsonObject | undefined;

/** The API's document. It is the same for every server, and made when it is first asked for. */
export function document(): JsonObject {
  made ??= apiDocument(ROUTES, [GATEWAY]);
  return made;
}
