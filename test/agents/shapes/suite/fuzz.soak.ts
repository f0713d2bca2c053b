import { it } from "vitest";
import { DIALECTS } from "./dialects.js";
import { fuzz } from "./fuzz.js";

it.each(DIALECTS)("$dialect.name reads 100,000 broken documents without a throw or a hang", (each) => {
  fuzz(each, 100_000);
});
