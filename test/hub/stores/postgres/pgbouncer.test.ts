import { expect, it } from "vitest";
import { startPgbouncer } from "../../../support/pgbouncer.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import { askOverTwoHubs, describePooler, opened } from "./pooler-cases.ts";

describePooler("PgBouncer", (url) => startPgbouncer(url, "transaction"));

it("keeps a connection of our own in session mode, which is not taken for a pooler's", async () => {
  const pooler = await startPgbouncer(await sharedPostgres(), "session");
  expect(await askOverTwoHubs(await opened(pooler))).toEqual([]);
});
