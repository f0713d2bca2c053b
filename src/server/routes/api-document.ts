// The API's document: for programs, and as a page for people. Neither needs a credential: both say the same of every
// server, and nothing of this one.

import type { JsonObject } from "../../core/index.js";
import type { Call, Route } from "../call.js";
import type { Operation } from "../operation.js";
import { apiPage } from "../page/api-page.js";
import { type Page, pageResponse } from "../page/layout.js";
import { respond } from "../respond.js";

const JSON_DOCUMENT: Operation = {
  id: "apiDocument",
  summary: "This document",
  responses: { 200: { description: "OpenAPI 3.1.", schema: "ApiDocument" } },
};

const PAGE: Operation = {
  id: "apiPage",
  summary: "This document, as a page",
  responses: { 200: { description: "A page.", type: "text/html" } },
};

export function documentRoutes(document: () => JsonObject): readonly Route[] {
  // Made once and kept: nothing in them depends on who asks.
  let json: string | undefined;
  let page: Page | undefined;
  const sendJson = async (): Promise<Response> => {
    json ??= JSON.stringify(document());
    return respond(200, json, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
  };
  const sendPage = async ({ origin }: Call): Promise<Response> => {
    page ??= apiPage(document());
    return pageResponse(200, page, origin);
  };
  return [
    { path: "/openapi.json", methods: { GET: { about: JSON_DOCUMENT, handle: sendJson } } },
    { path: "/openapi", page: true, methods: { GET: { about: PAGE, handle: sendPage } } },
  ];
}
