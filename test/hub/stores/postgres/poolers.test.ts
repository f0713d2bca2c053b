import { describe, expect, it, onTestFinished } from "vitest";
import { inspectDatabase } from "../../../../src/hub/stores/postgres/database/inspect.ts";
import { systemClock } from "../../../../src/index.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import { fakePooler } from "../../../support/transaction-pooler.ts";
import { askOverTwoHubs, describePooler } from "./pooler-cases.ts";

describePooler("of our own", fakePooler);

describe("a connection of our own", () => {
  it("is not taken for a pooler's", async () => {
    const url = await sharedPostgres();
    expect(await askOverTwoHubs(url)).toEqual([]);
    const inspection = await inspectDatabase({ url, now: systemClock.now });
    onTestFinished(() => inspection.close());
    expect(inspection.pooled).toBe(false);
  });
});
