import { describe, it } from "vitest";
import { checkRuleKills, checkRuleRaces, STORES } from "./rule-kills.ts";

describe.each(STORES)("the rule was stored before the decision: on %s", (store) => {
  it(
    "processes killed while they decide leave no rule without its decision",
    () => checkRuleKills(store, 3),
    120_000,
  );
  it("no acknowledged rule is missing after decisions that race", () => checkRuleRaces(store, 40), 120_000);
});
