// The API's document. It needs no credential: it is the same for every server.

import type { JsonObject } from "../../core/index.js";
import type { Route } from "../call.js";
import type { Operation } from "../operation.js";
import type { Reply } from "../reply.js";

const DOCUMENT: Operation = {
  id: "apiDocument",
  summary: "This document",
  responses: { 200: { description: "OpenAPI 3.1.", schema: "ApiDocument" } },
};

export function documentRoutes(document: () => JsonObject): readonly Route[] {
  let json: string | undefined;
  const handle = async (): Promise<Reply> => {
    json ??= JSON.stringify(document());
    return {
      status: 200,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
      },
      body: json,
    };
  };
  return [{ path: "/openapi.json", methods: { GET: { about: DOCUMENT, handle } } }];
}
