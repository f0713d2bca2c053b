import { expect, it, vi } from "vitest";
import { postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import { systemClock } from "../../../../src/index.ts";

vi.mock("pg", () => {
  throw new Error("Cannot find package 'pg'");
});

it("says what to install when the driver is missing", async () => {
  const store = postgresStore({ url: "postgres://localhost/askline" });
  await expect(store.open({ clock: systemClock, logger: console })).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringMatching(/needs the package pg, .*: npm install pg$/),
  });
});
