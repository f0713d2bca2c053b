import { describe, expect, it } from "vitest";
import { compareContracts, contractOf, type Node } from "./contract.ts";

/** A contract of one route, with what a test wants to have in it. */
function contract(operation: object, schemas: object = {}, parameters?: readonly object[]): Node {
  return {
    paths: { "/v1/things": { ...(parameters !== undefined && { parameters }), post: operation } },
    components: { schemas },
  };
}
const taking = (schema: object): Node =>
  contract({ requestBody: { required: true, content: { "application/json": { schema } } } });
const giving = (schema: object): Node =>
  contract({ responses: { 200: { content: { "application/json": { schema } } } } });
const queried = (...parameters: readonly object[]): Node =>
  contract({ parameters: parameters.map((one) => ({ in: "query", ...one })) });
const text = { type: "string" };
const fields = (properties: object, required: readonly string[] = []): object => ({
  type: "object",
  properties,
  required,
});
const one = (kind: string, more: object = {}): object => fields({ kind: { const: kind }, ...more }, ["kind"]);

type Case = readonly [name: string, before: Node, after: Node, what: string];

const BREAKS: readonly Case[] = [
  ["a route that is gone", contract({}), { paths: {} }, "/v1/things: the route is gone"],
  [
    "a method that is gone",
    contract({}),
    { paths: { "/v1/things": { get: {} } } },
    "/v1/things post: the method is gone",
  ],
  [
    "a parameter that is gone",
    queried({ name: "a", schema: text }),
    queried(),
    "query a: the parameter is gone",
  ],
  [
    "a parameter that is new and required",
    queried(),
    queried({ name: "a", required: true }),
    "is new and required",
  ],
  [
    "a parameter that became required",
    queried({ name: "a" }),
    queried({ name: "a", required: true }),
    "is required now",
  ],
  [
    "a parameter of the path whose shape is narrower",
    contract({}, {}, [{ in: "path", name: "id", schema: text }]),
    contract({}, {}, [{ in: "path", name: "id", schema: { ...text, maxLength: 5 } }]),
    "maxLength was Infinity, is 5",
  ],
  ["a body that is needed now", contract({}), taking(text), "body: is required now"],
  ["a body that is gone", taking(text), contract({}), "body: is gone"],
  [
    "a content type that is gone",
    taking(text),
    contract({ requestBody: { required: true, content: { "text/plain": {} } } }),
    "the content type is gone",
  ],
  [
    "a field that is needed now",
    taking(fields({ a: text })),
    taking(fields({ a: text }, ["a"])),
    ".a: is required now",
  ],
  [
    "a field that is new and needed",
    taking(fields({})),
    taking(fields({ a: text }, ["a"])),
    ".a: is new and required",
  ],
  ["a field of a request that is gone", taking(fields({ a: text })), taking(fields({})), ".a: is gone"],
  ["a field of a response that is gone", giving(fields({ a: text })), giving(fields({})), ".a: is gone"],
  [
    "a field that may be missing now",
    giving(fields({ a: text }, ["a"])),
    giving(fields({ a: text })),
    "may be missing now",
  ],
  [
    "a type that is no longer taken",
    taking({ type: ["string", "null"] }),
    taking(text),
    "no longer takes null",
  ],
  ["a type where anything was taken", taking({}), taking(text), "no longer takes anything"],
  ["a type that may come now", giving(text), giving({ type: ["string", "null"] }), "may now be null"],
  [
    "a number that is an integer no more",
    giving({ type: "integer" }),
    giving({ type: "number" }),
    "may now be number",
  ],
  [
    "a most that is less",
    taking({ ...text, maxLength: 9 }),
    taking({ ...text, maxLength: 8 }),
    "maxLength was 9, is 8",
  ],
  [
    "a most that is new",
    taking({ type: "integer" }),
    taking({ type: "integer", maximum: 8 }),
    "maximum was Infinity, is 8",
  ],
  [
    "a least that is more",
    taking({ type: "integer", minimum: 0 }),
    taking({ type: "integer", minimum: 1 }),
    "minimum was 0, is 1",
  ],
  [
    "fewer items",
    taking({ type: "array", maxItems: 3 }),
    taking({ type: "array", maxItems: 2 }),
    "maxItems was 3, is 2",
  ],
  [
    "a bound of a response that is wider",
    giving({ ...text, maxLength: 8 }),
    giving({ ...text, maxLength: 9 }),
    "maxLength was 8, is 9",
  ],
  ["a pattern that is new", taking(text), taking({ ...text, pattern: "^a" }), "pattern was undefined, is ^a"],
  [
    "another value where none is given",
    taking({ ...text, default: "a" }),
    taking({ ...text, default: "b" }),
    "default was a, is b",
  ],
  ["a value that is no longer taken", taking({ enum: ["a", "b"] }), taking({ enum: ["a"] }), `"b" is gone`],
  [
    "values where any was taken",
    taking(text),
    taking({ ...text, enum: ["a"] }),
    "takes only certain values now",
  ],
  ["a value that may come now", giving({ enum: ["a"] }), giving({ enum: ["a", "b"] }), `may now be "b"`],
  [
    "an error code that is gone",
    giving({ enum: ["a", "b"], "x-extensible": true }),
    giving({ enum: ["a"], "x-extensible": true }),
    `"b" is gone`,
  ],
  ["any value where some came", giving({ ...text, enum: ["a"] }), giving(text), "may have any value now"],
  [
    "an alternative that is no longer taken",
    taking({ anyOf: [one("a"), one("b")] }),
    taking({ anyOf: [one("a")] }),
    "(kind b): is no longer taken",
  ],
  [
    "an alternative that may come now",
    giving({ anyOf: [one("a")] }),
    giving({ anyOf: [one("a"), one("b")] }),
    "(kind b): may come now",
  ],
  [
    "a change within an alternative, wherever it stands",
    giving({ anyOf: [one("a"), one("b", { x: text })] }),
    giving({ anyOf: [one("b"), one("a")] }),
    "(kind b).x: is gone",
  ],
  [
    "no alternatives any more",
    taking({ anyOf: [one("a")] }),
    taking(one("a")),
    "its alternatives have changed",
  ],
  [
    "a change of the items",
    taking({ type: "array", items: fields({ a: text }) }),
    taking({ type: "array", items: fields({ a: text }, ["a"]) }),
    "[].a: is required now",
  ],
  ["a response that is gone", giving(text), contract({ responses: {} }), "200: the response is gone"],
  [
    "a header that is gone",
    contract({ responses: { 200: { headers: { Next: {} } } } }),
    contract({ responses: { 200: {} } }),
    "Next: the header is gone",
  ],
  [
    "somebody who is no longer let in",
    contract({ security: [{ token: ["agent"] }, { link: [] }] }),
    contract({ security: [{ link: [] }] }),
    "no longer lets in",
  ],
  [
    "a credential that is needed now",
    contract({ security: [] }),
    contract({ security: [{ link: [] }] }),
    "needs a credential now",
  ],
  [
    "an event of a stream that lost a field",
    contract({
      responses: { 200: { content: { "text/event-stream": { "x-event": fields({ a: text }) } } } },
    }),
    contract({ responses: { 200: { content: { "text/event-stream": { "x-event": fields({}) } } } } }),
    "event.a: is gone",
  ],
];

const ADDITIONS: readonly Case[] = [
  ["a route", { paths: {} }, contract({}), "/v1/things: the route is new"],
  ["a parameter", queried(), queried({ name: "a" }), "the parameter is new"],
  ["a field of a request", taking(fields({})), taking(fields({ a: text })), ".a: is new"],
  ["a field of a response", giving(fields({})), giving(fields({ a: text }, ["a"])), ".a: is new"],
  [
    "a field that may be left away",
    taking(fields({ a: text }, ["a"])),
    taking(fields({ a: text })),
    "may be left away now",
  ],
  [
    "a field that is always there",
    giving(fields({ a: text })),
    giving(fields({ a: text }, ["a"])),
    "is always there now",
  ],
  ["a type that is taken", taking(text), taking({ type: ["string", "null"] }), "takes null"],
  ["a type that no longer comes", giving({ type: ["string", "null"] }), giving(text), "is never null"],
  [
    "a wider bound",
    taking({ ...text, maxLength: 8 }),
    taking({ ...text, maxLength: 9 }),
    "maxLength was 8, is 9",
  ],
  ["a pattern less", taking({ ...text, pattern: "^a" }), taking(text), "pattern was ^a"],
  ["a value that is taken", taking({ enum: ["a"] }), taking({ enum: ["a", "b"] }), `"b" is new`],
  [
    "a value of a list that may grow",
    giving({ enum: ["a"], "x-extensible": true }),
    giving({ enum: ["a", "b"], "x-extensible": true }),
    `"b" is new`,
  ],
  [
    "an alternative that is taken",
    taking({ anyOf: [one("a")] }),
    taking({ anyOf: [one("a"), one("b")] }),
    "(kind b): is taken now",
  ],
  ["a response", contract({ responses: {} }), giving(text), "200: the response is new"],
  [
    "somebody who is let in",
    contract({ security: [{ link: [] }] }),
    contract({ security: [{ link: [] }, { token: ["agent"] }] }),
    "lets in",
  ],
];

describe("breaks those who rely on it:", () => {
  it.each(BREAKS)("%s", (_name, before, after, what) => {
    expect(compareContracts(before, after).breaks.join("\n")).toContain(what);
  });
});

describe("breaks nobody, and is told:", () => {
  it.each(ADDITIONS)("%s", (_name, before, after, what) => {
    const { breaks, additions } = compareContracts(before, after);
    expect(breaks).toEqual([]);
    expect(additions.join("\n")).toContain(what);
  });
});

describe("what is compared", () => {
  it("is the same as itself", () => {
    for (const [, before, after] of [...BREAKS, ...ADDITIONS]) {
      expect(compareContracts(before, before)).toEqual({ breaks: [], additions: [] });
      expect(compareContracts(after, after)).toEqual({ breaks: [], additions: [] });
    }
  });

  it("goes through names, also where they lead back to themselves", () => {
    const schema = { $ref: "#/components/schemas/Tree" };
    const tree = (more: object): object => ({ Tree: fields({ inner: schema, ...more }) });
    const of = (more: object): Node =>
      contract({ responses: { 200: { content: { "application/json": { schema } } } } }, tree(more));
    expect(compareContracts(of({ a: text }), of({})).breaks).toEqual([
      "POST /v1/things 200 application/json Tree.a: is gone",
    ]);
  });

  it("counts what stands beside a name", () => {
    const of = (...codes: readonly string[]): Node =>
      contract(
        {
          responses: {
            409: {
              content: {
                "application/json": {
                  schema: { $ref: "#/components/schemas/Problem", properties: { code: { enum: codes } } },
                },
              },
            },
          },
        },
        { Problem: fields({ code: { enum: ["a", "b", "c"], "x-extensible": true } }, ["code"]) },
      );
    expect(compareContracts(of("a", "b"), of("a")).breaks).toEqual([
      `POST /v1/things 409 application/json.code: "b" is gone`,
    ]);
    expect(compareContracts(of("a"), of("a", "b"))).toEqual({
      breaks: [],
      additions: [`POST /v1/things 409 application/json.code: "b" is new`],
    });
  });

  it("is what is under /v1 with the schemas that it uses, in order, without its words", () => {
    const document = {
      paths: {
        "/v1/b": { get: { summary: "words", responses: { 200: { $ref: "#/components/schemas/Used" } } } },
        "/v1/a": {},
        "/page": { get: { x: { $ref: "#/components/schemas/Unused" } } },
      },
      components: {
        schemas: {
          Used: { properties: { description: { type: "string", description: "words" } } },
          Unused: {},
        },
      },
    };
    expect(JSON.stringify(contractOf(document))).toBe(
      JSON.stringify({
        components: { responses: {}, schemas: { Used: { properties: { description: { type: "string" } } } } },
        paths: {
          "/v1/a": {},
          "/v1/b": { get: { responses: { 200: { $ref: "#/components/schemas/Used" } } } },
        },
      }),
    );
  });
});
