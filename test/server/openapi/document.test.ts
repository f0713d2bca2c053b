import { Validator } from "@seriousme/openapi-schema-validator";
import { afterEach, describe, expect, it } from "vitest";
import { ERROR_CODES, type ErrorCode, meaningOf } from "../../../src/core/model/error.js";
import { ROUTES } from "../../../src/server/routes.js";
import { apiDocument } from "../../support/api-schemas.ts";
import { call, closeServers, openServer } from "../open-server.ts";

type Item = Readonly<Record<string, Operation>>;
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

const paths = apiDocument.paths as unknown as Readonly<Record<string, Item>>;
const operations = Object.entries(paths).flatMap(([path, { parameters: _, ...item }]) =>
  Object.entries(item as Item).map(([method, operation]) => ({ path, method, operation })),
);

afterEach(closeServers);

describe("the API's document", () => {
  it("is OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone(apiDocument) as never);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it("is refused by the validator once something in it is wrong", async () => {
    const { info: _, ...broken } = structuredClone(apiDocument);
    expect((await new Validator().validate(broken as never)).valid).toBe(false);
  });

  it("has every route and method of the server, the gateway, and nothing else", () => {
    const served = ROUTES.flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method.toLowerCase()} ${path}`),
    );
    const told = operations.map(({ path, method }) => `${method} ${path}`);
    expect(told.toSorted()).toEqual([...served, "get /v1/gateway"].toSorted());
  });

  it("has servers that join with a path without a double slash", () => {
    const servers = apiDocument.servers as unknown as readonly { readonly url: string }[];
    for (const { url } of servers) expect(`${url}/v1/asks`).not.toContain("//");
  });

  it("has no object that a generated client would take for an empty one", () => {
    const empty = (value: unknown, at: string): readonly string[] => {
      if (typeof value !== "object" || value === null) return [];
      const schema = value as Readonly<Record<string, unknown>>;
      const isObject = [schema.type].flat().includes("object");
      const isFree = isObject && schema.properties === undefined && schema.additionalProperties === undefined;
      return [
        ...(isFree ? [at] : []),
        ...Object.entries(value).flatMap(([key, item]) => empty(item, `${at}/${key}`)),
      ];
    };
    expect(empty({ paths, components: apiDocument.components }, "")).toEqual([]);
  });

  it("names every operation, and no two alike", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it("names no parameter of an operation twice", () => {
    for (const { path, method, operation } of operations) {
      const names = (operation.parameters ?? []).map((one) => `${one.in} ${one.name}`);
      expect(new Set(names).size, `${method} ${path}`).toBe(names.length);
    }
  });

  it("has only references that lead somewhere", () => {
    const text = JSON.stringify(apiDocument);
    const { schemas, responses } = apiDocument.components as {
      readonly schemas: object;
      readonly responses: object;
    };
    const there = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ];
    const named = [...text.matchAll(/"\$ref":"#\/components\/([\w/-]+)"/g)].map(([, name]) => name ?? "");
    expect(text.match(/"\$ref"/g)?.length).toBe(named.length);
    expect([...new Set(named)].filter((name) => !there.includes(name))).toEqual([]);
    // The one response that belongs to no operation is there for readers of the document.
    expect(there.filter((name) => !named.includes(name))).toEqual(["responses/MethodNotAllowed"]);
  });

  it("has every error code, each under its one status", () => {
    const { schemas, responses } = apiDocument.components as never as {
      readonly schemas: { readonly Problem: object };
      readonly responses: Readonly<Record<string, { readonly description: string }>>;
    };
    expect(JSON.stringify(schemas.Problem)).toContain(JSON.stringify(ERROR_CODES));
    const said = new Set<string>();
    for (const { operation } of operations) {
      for (const [status, { $ref = "", description: own = $ref }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const { description } = responses[$ref.slice("#/components/responses/".length)] ?? {
          description: own,
        };
        for (const code of description.split(", ")) {
          said.add(code);
          expect(meaningOf(code as ErrorCode).status, `${code} under ${status}`).toBe(Number(status));
        }
      }
    }
    const neverOfAnOperation = ["method_not_allowed", "unreachable", "address_unavailable"];
    expect([...said].toSorted()).toEqual(
      ERROR_CODES.filter((code) => !neverOfAnOperation.includes(code)).toSorted(),
    );
  });

  it("says who may call, as the server does", async () => {
    const open = await openServer();
    const tokens = {
      agent: await open.token({ role: "agent" }),
      person: await open.token({ role: "person" }),
    };
    const asked = operations.filter(({ path, method }) => path.startsWith("/v1/") && method !== "ws");
    for (const { path, method, operation } of asked) {
      // Streams that are opened stay open, and the gateway is none of HTTP's.
      if (["/v1/gateway", "/v1/events", "/v1/sessions/opened"].includes(path)) continue;
      for (const role of ["agent", "person"] as const) {
        const line = `${method.toUpperCase()} ${path.replace(/\{\w+\}/, "none")}`;
        const { status, body } = await call(open, tokens[role], line);
        const may = operation.security.some(({ token }) => token?.includes(role));
        const refused = status === 403 && body.error?.message.startsWith(`the role ${role}`);
        expect(refused, `${role}: ${line}`).toBe(!may);
      }
    }
  });

  it("needs no credential, and is the same as text each time", async () => {
    const open = await openServer();
    const first = await fetch(`${open.url}/openapi.json`);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const text = await first.text();
    expect(JSON.parse(text)).toEqual(apiDocument);
    expect(await (await fetch(`${open.url}/openapi.json`)).text()).toBe(text);
  });
});
