import { it } from "vitest";
import { checkKills } from "./postgres-kills.ts";

it("loses nothing and settles nothing twice when PostgreSQL is killed 50 times under load", () =>
  checkKills(50));
