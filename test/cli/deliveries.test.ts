import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createOutbox, entryKey, type StoredEntry } from "../../src/hub/delivery/outbox/entry.ts";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { systemClock } from "../../src/index.ts";
import { runHere } from "./in-process.ts";
import { newFolder, removeFolders } from "./servers.ts";

afterAll(removeFolders);

/** A store with a delivery that waits, and one that was given up. */
async function storeWithDeliveries(): Promise<string> {
  const path = join(newFolder(), "askline.db");
  const store = sqliteStore({ path });
  await store.open({ clock: systemClock, logger: console });
  const outbox = createOutbox(store);
  await outbox.openLane("webhook-abc", "webhook hooks.example.com");
  for (const position of [1, 2]) {
    const entry = {
      key: entryKey({ id: "ask_1" }, position),
      askId: "ask_1",
      type: "ask.created",
      position,
      at: position,
    };
    await outbox.add("webhook-abc", entry, false);
  }
  const [first] = await outbox.claim("webhook-abc", 1, 1);
  const failed: StoredEntry = { ...(first as StoredEntry), attempts: 40, lastError: "HTTP 500" };
  await outbox.bury(failed, "webhook hooks.example.com");
  await store.close();
  return `sqlite:${path}`;
}

describe("askline deliveries", () => {
  it("lists what waits and what was given up, at every width", async () => {
    const db = await storeWithDeliveries();
    const listed = await runHere(["deliveries", "--db", db, "--json"]);
    expect((JSON.parse(listed.stdout) as { deliveries: unknown[] }).deliveries).toMatchObject([
      { state: "dead", attempts: 40, lastError: "HTTP 500", title: "webhook hooks.example.com" },
      { state: "waiting", attempts: 0 },
    ]);
    for (const columns of [44, 80, 120]) {
      const { stdout } = await runHere(["deliveries", "--db", db], { columns });
      expect(stdout).toMatch(/dead .*HTTP 500/);
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it("said now of a delivery that waits for quiet hours to end, or for its time", async () => {
    const db = await storeWithDeliveries();
    const store = sqliteStore({ path: db.slice("sqlite:".length) });
    await store.open({ clock: systemClock, logger: console });
    const outbox = createOutbox(store);
    await outbox.openLane("ntfy", "ntfy");
    const later = (hours: number): number => store.now() + hours * 3_600_000 + 60_000;
    const entryAt = (position: number) => ({
      ...{
        key: entryKey({ id: "ask_2" }, position),
        askId: "ask_2",
        type: "ask.created",
        position,
        at: position,
      },
    });
    await outbox.add("ntfy", { ...entryAt(3), availableAt: later(3) }, false);
    await outbox.add("ntfy", entryAt(4), false);
    const [quiet] = await outbox.claim("ntfy", 1, 1);
    const waitsFor = "until 07:00, quiet hours (Europe/Berlin)";
    await outbox.postpone({ ...(quiet as StoredEntry), waitsFor }, later(5));
    await store.close();

    const wide = (await runHere(["deliveries", "--db", db, "--ask", "ask_2"], { columns: 120 })).stdout;
    expect(wide).toMatch(/waiting .* in 3h/);
    expect(wide).toMatch(/waiting .* in 5h +until 07:00, quiet hours \(Europe\/Berlin\)/);
    expect(wide).not.toContain("now");
    const narrow = (await runHere(["deliveries", "--db", db, "--ask", "ask_2"], { columns: 44 })).stdout;
    expect(narrow).toContain("until 07:00, quiet");
    const { stdout } = await runHere(["deliveries", "--db", db, "--json", "--ask", "ask_2"]);
    const { deliveries } = JSON.parse(stdout) as { deliveries: unknown[] };
    expect(deliveries).toMatchObject([
      { nextAt: expect.any(Number) },
      { nextAt: expect.any(Number), waitsFor },
    ]);
  });

  it("retries what was given up, and says what is wrong with an id", async () => {
    const db = await storeWithDeliveries();
    expect(await runHere(["deliveries", "retry", "99", "--db", db])).toMatchObject({ code: 2 });
    expect(await runHere(["deliveries", "retry", "--db", db])).toMatchObject({ code: 2 });
    const { stdout } = await runHere(["deliveries", "retry", "--dead", "--db", db]);
    expect(stdout).toContain("1 delivery is attempted again");
    const listed = await runHere(["deliveries", "list", "--dead", "--db", db]);
    expect(listed.stdout).toContain("nothing was given up");
  });

  it("prints a secret for each asker, and rotates it", async () => {
    const db = await storeWithDeliveries();
    const secret = async (...args: readonly string[]): Promise<string> =>
      (await runHere(["deliveries", "secret", ...args, "--db", db])).stdout.trim();
    for (const name of ["builder", "other"]) {
      await runHere(["token", "create", "--role", "agent", "--name", name, "--db", db]);
    }
    const builder = await secret("--asker", "builder");
    expect(builder).toMatch(/^whsec_/);
    expect(await secret("--asker", "builder")).toBe(builder);
    expect(await secret("--asker", "other")).not.toBe(builder);
    expect(await secret("--webhooks")).not.toBe(builder);
    expect(await secret("--asker", "builder", "--rotate")).not.toBe(builder);
    expect(await runHere(["deliveries", "secret", "--db", db])).toMatchObject({ code: 2 });
  });

  it("printed a secret for the typing error of an asker's name", async () => {
    const db = await storeWithDeliveries();
    await runHere(["token", "create", "--role", "agent", "--name", "builder", "--db", db]);
    const typo = await runHere(["deliveries", "secret", "--asker", "bilder", "--db", db]);
    expect(typo).toMatchObject({ code: 2, stdout: "" });
    expect(typo.stderr).toBe('askline: there is no agent "bilder"; did you mean "builder"?\n');
  });
});
