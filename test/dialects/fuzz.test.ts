import { expect, it } from "vitest";
import { DIALECT_NAMES, decodeHostile, fuzz } from "./fuzz.js";

it.each(DIALECT_NAMES)("%s reads 10,000 broken documents without a throw or a hang", (name) => {
  const passed = fuzz(name, 1, 10_000);
  // Both ways out are exercised: a mutation that never lets anything through would prove little.
  expect(passed.asked).toBeGreaterThan(100);
  expect(passed.asked).toBeLessThan(10_000);
  expect(passed.ended).toBeLessThan(10_000);
});

it.each(DIALECT_NAMES)("%s refuses an object that throws when looked at", (name) => {
  expect(decodeHostile(name)).not.toContain(true);
});
