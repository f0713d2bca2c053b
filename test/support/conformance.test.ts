import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../../src/server/openapi/examples.js";
import { departure, type Sent } from "./conformance.ts";

const good: Sent = {
  method: "GET",
  path: "/v1/asks/ask_1",
  status: 200,
  type: "application/json",
  body: JSON.stringify(EXAMPLES.AskResponse),
};
const stream = { ...good, path: "/v1/events", type: "text/event-stream" };
const frame = (data: unknown): string => `id: 1\nevent: ask.created\ndata: ${JSON.stringify(data)}\n\n`;
const problem = (code: string): string => JSON.stringify({ error: { code, message: "m" } });

describe("a response is compared with the API's document", () => {
  it.each<readonly [string, Sent]>([
    ["one that is described", good],
    ["the headers alone", { ...good, method: "HEAD", body: "" }],
    ["a page", { ...good, path: "/", type: "text/html", body: "<html>" }],
    [
      "no content",
      { ...good, method: "POST", path: "/v1/asks/ask_1/opened", status: 204, type: "", body: "" },
    ],
    ["events", { ...stream, body: `:\nid: 0\n\n${frame(EXAMPLES.AskEvent)}` }],
    ["an error", { ...good, status: 404, body: problem("not_found") }],
    ["an error of no route", { ...good, path: "/nowhere", status: 404, body: problem("not_found") }],
    [
      "an error of no method",
      { ...good, method: "DELETE", status: 405, body: problem("method_not_allowed") },
    ],
  ])("%s is as promised", (_name, sent) => {
    expect(departure(sent)).toBeUndefined();
  });

  it.each<readonly [string, Sent, string]>([
    [
      "a field that is missing",
      { ...good, body: `{"ask":{}}` },
      "GET /v1/asks/{id} 200: body/ask must have required",
    ],
    [
      "a field that is not described",
      { ...good, body: JSON.stringify({ ...(EXAMPLES.AskResponse as object), more: 1 }) },
      "additional properties",
    ],
    ["a status", { ...good, status: 202 }, "GET /v1/asks/{id} 202: this status is not described"],
    ["a content type", { ...good, type: "text/plain" }, "the content type text/plain is not described"],
    [
      "a body where there is none",
      { ...good, method: "POST", path: "/v1/asks/ask_1/opened", status: 204 },
      "has a body",
    ],
    ["what is no JSON", { ...good, body: "{" }, "body must be object"],
    [
      "an event",
      { ...stream, body: frame({ position: 1 }) },
      "GET /v1/events 200: an event: body must have required",
    ],
    [
      "an error code that this route does not have",
      { ...good, status: 404, body: problem("wrong_kind") },
      "must be equal to one of the allowed values",
    ],
    [
      "an error of another shape",
      { ...good, path: "/nowhere", status: 404, body: "{}" },
      "must have required property 'error'",
    ],
    ["a route", { ...good, path: "/nowhere" }, "is not described"],
  ])("%s that is not promised is told", (_name, sent, what) => {
    expect(departure(sent)).toContain(what);
  });
});
