import { expect, it } from "vitest";
import { fuzz } from "./fuzz.js";

it("100,000 broken asks, answers and decisions: no throw, no hang, and what passes is valid", () => {
  expect(fuzz(1_000_000, 100_000).asked).toBeGreaterThan(1_000);
});
