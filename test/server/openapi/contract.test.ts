import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../package/repository.ts";
import { apiDocument } from "../../support/api-schemas.ts";
import { contractText } from "./contract.ts";

describe("the contract of /v1", () => {
  it("is the one in contract/v1.json", () => {
    expect(
      contractText(apiDocument),
      "the API differs from contract/v1.json. If no client of /v1 breaks, run: node scripts/freeze-contract.mjs",
    ).toBe(readFileSync(join(root, "contract/v1.json"), "utf8"));
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
