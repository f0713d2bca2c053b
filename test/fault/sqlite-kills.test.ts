import { it } from "vitest";
import { checkKills } from "./sqlite-kills.js";

it(
  "8 processes killed while they ask and answer: nothing acknowledged is lost, nothing is settled twice",
  () => checkKills(8),
  120_000,
);
