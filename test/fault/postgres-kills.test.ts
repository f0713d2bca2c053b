import { it } from "vitest";
import { checkKills } from "./postgres-kills.ts";

it(
  "loses nothing and settles nothing twice when PostgreSQL is killed under load",
  () => checkKills(3),
  60_000,
);
