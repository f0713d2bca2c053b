// The API's document. It needs no credential: it is the same for every server.

import type { JsonObject } from "../../core/index.js";
import type { Route } from "../call.js";
import type { Operation } from "../operation.js";
import { respond } from "../respond.js";

const DOCUMENT: Operation = {
  id: "apiDocument",
  summary: "This document",
  responses: { 200: { description: "OpenAPI 3.1.", schema: "ApiDocument" } },
};

export function documentRoutes(document: () => JsonObject): readonly Route[] {
  let json: string | undefined;
  const handle = async (): Promise<Response> => {
    json ??= JSON.stringify(document());
    return respond(200, json, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
  };
  return [{ path: "/openapi.json", methods: { GET: { about: DOCUMENT, handle } } }];
}
