// Every route of the server, and the document that tells of them.

import type { JsonObject } from "../../core/index.js";
import type { Route } from "../call.js";
import { GATEWAY } from "../gateway/operation.js";
import { apiDocument } from "../openapi/document.js";
import { documentRoutes } from "./api-document.js";
import { askRoutes } from "./asks.js";
import { auditRoutes } from "./audit.js";
import { draftRoutes } from "./drafts.js";
import { endingRoutes } from "./endings.js";
import { eventRoutes } from "./events.js";
import { healthRoutes } from "./health.js";
import { linkRoutes } from "./links.js";
import { metricsRoutes } from "./metrics.js";
import { pageRoutes } from "./pages.js";
import { serverInfoRoutes } from "./server-info.js";
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
