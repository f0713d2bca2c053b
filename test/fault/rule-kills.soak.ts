import { describe, it } from "vitest";
import { checkRuleKills, checkRuleRaces, STORES } from "./rule-kills.ts";

describe.each(STORES)("rules on %s", (store) => {
  it("a hundred kills leave no rule without its decision", () => checkRuleKills(store, 100), 1_800_000);
  it("400 races leave no acknowledged rule missing", () => checkRuleRaces(store, 400), 600_000);
});
