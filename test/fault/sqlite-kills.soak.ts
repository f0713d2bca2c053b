import { it } from "vitest";
import { checkKills } from "./sqlite-kills.js";

it("1,000 processes killed while they ask and answer", () => checkKills(1_000), 1_800_000);
