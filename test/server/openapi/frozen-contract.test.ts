import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../package/repository.ts";
import { apiDocument } from "../../support/api-schemas.ts";
import { compareContracts, contractOf, type Node } from "./contract.ts";

describe("the contract of /v1, as it is frozen in contract/v1.json", () => {
  const text = readFileSync(join(root, "contract/v1.json"), "utf8");
  const frozen = JSON.parse(text) as Node;
  const now = contractOf(apiDocument);
  const { breaks, additions } = compareContracts(frozen, now);

  it("is kept: nothing changed that somebody may rely on", () => {
    expect(breaks, "this breaks those who use /v1").toEqual([]);
  });

  it("has all that was added", () => {
    expect(additions, "compatible, but not recorded: run node scripts/freeze-contract.mjs").toEqual([]);
  });

  it("is as the script writes it", () => {
    expect(text, "run node scripts/freeze-contract.mjs").toBe(`${JSON.stringify(now, null, 1)}\n`);
  });
});
