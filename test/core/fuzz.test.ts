import { expect, it } from "vitest";
import { fuzz } from "./fuzz.js";

it("10,000 broken asks, answers and decisions: no throw, no hang, and what passes is valid", () => {
  const passed = fuzz(1, 10_000);
  // Both ways out are exercised: mutations that never let anything through would prove little.
  for (const count of [passed.asked, passed.ended]) {
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(9_900);
  }
});
