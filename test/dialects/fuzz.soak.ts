import { it } from "vitest";
import { DIALECT_NAMES, fuzz } from "./fuzz.js";

it.each(DIALECT_NAMES)("%s reads 100,000 broken documents without a throw or a hang", (name) => {
  fuzz(name, 1_000_000, 100_000);
});
