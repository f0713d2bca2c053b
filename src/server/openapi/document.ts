// The OpenAPI 3.1 document, made from the descriptions of the routes.

import type { JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { ASK_ID } from "../../core/model/ask.js";
import { NO_CONTROLS } from "../http/parameter.js";
import { EXAMPLES } from "./examples.js";
import { ref, TEXT } from "./json-schema.js";
import type { Access, Operation, ResponseDescription } from "./operation.js";
import { errorsOf, problemResponses, type SharedResponses } from "./problem-responses.js";
import { schemas } from "./schemas.js";

/** A path for WebSocket upgrades only: not a route, but documented with them. */
export interface UpgradePath {
  readonly path: string;
  readonly about: Operation;
}

const DESCRIPTION = `An agent asks, a person answers, the agent goes on.

Requests and responses are JSON in UTF-8. Times are milliseconds since the epoch. Servers and clients ignore unknown fields. An unsupported method is answered with 405 and Allow; HEAD works wherever GET does. A resource that the caller may not see is not_found.`;

export function apiDocument(routes: readonly Described[], upgrades: readonly UpgradePath[]): JsonObject {
  const shared: SharedResponses = new Map([["MethodNotAllowed", METHOD_NOT_ALLOWED]]);
  const described: readonly Described[] = [
    ...routes.filter(({ path }) => path.startsWith("/v1/")),
    ...upgrades.map(({ path, about }) => ({ path, methods: { GET: { about } } })),
    ...routes.filter(({ path }) => !path.startsWith("/v1/")),
  ];
  const paths = Object.fromEntries(described.map((route) => [route.path, pathItem(route, shared)]));
  return {
    openapi: "3.1.1",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Askline",
      version: "1",
      summary: "The line between AI agents and people.",
      description: DESCRIPTION,
    },
    // A client appends a path, which begins with a slash: these end with none.
    servers: [
      { url: "" },
      {
        url: "/i/{key}",
        description: "For the cookie of a signed-in person, which counts nowhere else.",
        variables: { key: { default: "KEY", description: "The key in the address of the person's inbox." } },
      },
    ],
    tags: [
      { name: "api", description: "For programs." },
      { name: "pages", description: "For people, with a browser." },
    ],
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: SECURITY_SCHEMES,
      responses: Object.fromEntries(shared),
    },
  };
}

/** A route, as far as the document describes it. */
interface Described {
  readonly path: string;
  readonly page?: true;
  readonly methods: Readonly<Record<string, { readonly about: Operation }>>;
}

function pathItem({ path, page, methods }: Described, shared: SharedResponses): JsonObject {
  const parameters = pathParameters(path);
  return {
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(
      Object.entries(methods).map(([method, { about }]) => [
        method.toLowerCase(),
        operationObject(method, about, page === true, shared),
      ]),
    ),
  };
}

function operationObject(
  method: string,
  about: Operation,
  page: boolean,
  shared: SharedResponses,
): JsonObject {
  const { id, summary, description, access, parameters = [], responses } = about;
  const body = bodyObject(about);
  return {
    operationId: id,
    tags: [page ? "pages" : "api"],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && {
      parameters: parameters.map(({ read: _, in: place, ...rest }) => ({ ...rest, in: place })),
    }),
    ...(body !== undefined && { requestBody: body }),
    responses: {
      ...problemResponses(errorsOf(method, about), page, shared),
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, responseObject(response)]),
      ),
    },
    security: securityOf(access),
  };
}

function bodyObject({ body }: Operation): JsonObject | undefined {
  if (body === undefined) return undefined;
  if ("form" in body) {
    return { required: true, content: { "application/x-www-form-urlencoded": { schema: body.form } } };
  }
  const { schema, optional } = body;
  const example = EXAMPLES[schema];
  return {
    required: optional !== true,
    content: { "application/json": { schema: ref(schema), ...(example !== undefined && { example }) } },
  };
}

function responseObject({
  description,
  schema,
  type = "application/json",
  items,
  streams,
  hints,
  headers,
}: ResponseDescription): JsonObject {
  const example = schema && EXAMPLES[schema];
  const isEmpty = schema === undefined && type === "application/json";
  const media = {
    schema: schema === undefined ? { type: "string" } : ref(schema),
    ...(example !== undefined && { example }),
    // OpenAPI cannot describe the events of a stream before 3.2.
    ...(items !== undefined && { "x-event": ref(items) }),
    ...(hints !== undefined && {
      "x-hints": Object.fromEntries(Object.entries(hints).map(([event, data]) => [event, ref(data)])),
    }),
  };
  return {
    description,
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, says]) => [
          name,
          { description: says, schema: { type: "string" } },
        ]),
      ),
    }),
    ...(!isEmpty && {
      content: {
        [type]: media,
        ...(streams !== undefined && { "text/event-stream": { schema: TEXT, "x-event": ref(streams) } }),
      },
    }),
  };
}

const METHOD_NOT_ALLOWED: JsonObject = {
  description:
    "method_not_allowed: the path does not support this method. Allow lists the supported methods.",
  headers: { Allow: { schema: { type: "string" } } },
  content: { "application/json": { schema: ref("Problem") } },
};

/** Each role is an alternative. */
function securityOf(access: Access | undefined): readonly JsonObject[] {
  if (access === undefined) return [];
  const { roles, admin, links } = access;
  return [
    ...[...new Set<string>([...roles, ...(admin === false ? [] : ["admin"])])].map((role) => ({
      token: [role],
    })),
    ...(roles.includes("person") ? [{ inboxCookie: [] }] : []),
    ...(links ? [{ link: [] }] : []),
  ];
}

const SECURITY_SCHEMES: JsonObject = {
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A token with the role agent, person or admin. A browser sends it to a WebSocket as a subprotocol.",
  },
  inboxCookie: {
    type: "apiKey",
    in: "cookie",
    name: "askline_PORT",
    description:
      "The cookie of a signed-in person; PORT is the port of the server. It counts only below the path of the person's inbox, /i/KEY, where every route can be reached. A request that changes something must come from a page of the server.",
  },
  link: { type: "http", scheme: "bearer", description: "A signed link to one ask, sent as a bearer token." },
};

const ASK = { description: "The id of an ask.", schema: { type: "string", pattern: ASK_ID.source } };

const SESSION = {
  description: "The id of a session, URL-encoded.",
  schema: { type: "string", minLength: 1, maxLength: LIMITS.sessionLength, pattern: NO_CONTROLS },
} as const;

const PARTS: Readonly<Record<string, { readonly description: string; readonly schema: JsonObject }>> = {
  "/v1/asks/{id}": ASK,
  "/asks/{id}": ASK,
  "/v1/sessions/{id}": SESSION,
  "/chat/{session}": SESSION,
  "/v1/tokens/{id}": {
    description: "The id of a token.",
    schema: { type: "string", pattern: "^[0-9a-f]{12}$" },
  },
  "/actions/{token}": {
    description: "The token of the button, from the notification.",
    schema: { type: "string", pattern: "^[\\w-]{43}$" },
  },
  "/v1/rules/{id}": {
    description: "The id of a rule.",
    schema: { type: "string", pattern: "^rule_[0-9a-z_]{1,100}$" },
  },
  "/v1/people/{id}": {
    description: "The id of a person, URL-encoded.",
    schema: { type: "string", minLength: 1, maxLength: LIMITS.idLength, pattern: NO_CONTROLS },
  },
  "/v1/devices/{id}": {
    description: "The id of a device.",
    schema: { type: "string", pattern: "^[\\w-]{16}$" },
  },
  "/assets/{file}": { description: "The name of a file.", schema: { type: "string" } },
  "/a/{link}": { description: "A signed link.", schema: { type: "string" } },
};

function pathParameters(path: string): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: part, 1: name = "", index }) => {
    const known = PARTS[path.slice(0, index) + part];
    if (known === undefined) throw new Error(`${path}: describe in openapi/document.ts what ${part} is`);
    return { name, in: "path", required: true, ...known };
  });
}
