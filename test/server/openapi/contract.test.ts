import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../package/repository.ts";
import { apiDocument } from "../../support/api-schemas.ts";
import { contractText, resolvedPaths } from "./contract.ts";

const frozen = readFileSync(join(root, "contract/v1.json"), "utf8");

describe("the contract of /v1", () => {
  it("is the one in contract/v1.json", () => {
    expect(
      contractText(apiDocument),
      "the API differs from contract/v1.json. If no client of /v1 breaks, run: node scripts/freeze-contract.mjs",
    ).toBe(frozen);
  });

  it("means what the one in contract/v1.json means: the same paths, fields, types and required lists", () => {
    expect(resolvedPaths(JSON.parse(contractText(apiDocument)))).toEqual(resolvedPaths(JSON.parse(frozen)));
  });

  it("means the same if a schema has a name, and something else if a field is required or a type differs", () => {
    const field = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const contract = (schema: object, schemas: object = {}) => ({
      paths: { "/v1/a": { get: { responses: { 200: { schema } } } } },
      components: { schemas },
    });
    const named = contract({ $ref: "#/components/schemas/Named" }, { Named: field });
    expect(resolvedPaths(named)).toEqual(resolvedPaths(contract(field)));
    for (const other of [
      { ...field, required: [] },
      { ...field, properties: { id: { type: "integer" } } },
    ]) {
      expect(resolvedPaths(named)).not.toEqual(resolvedPaths(contract(other)));
    }
  });

  it("holds what is under /v1 with the schemas that it uses, sorted, without descriptions", () => {
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
    const contract = {
      components: { responses: {}, schemas: { Used: { properties: { description: { type: "string" } } } } },
      paths: {
        "/v1/a": {},
        "/v1/b": { get: { responses: { 200: { $ref: "#/components/schemas/Used" } } } },
      },
    };
    expect(contractText(document)).toBe(`${JSON.stringify(contract, null, 1)}\n`);
  });
});
