import { describe, expect, it } from "vitest";
import { createHub, type Hub, memoryStore, type Store } from "../../../src/hub/index.js";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.js";
import type { Ask, Clock } from "../../../src/index.js";
import { createNames } from "../../../src/server/gateway/names.js";
import { fakeClock } from "../../../src/testing/fake-clock.js";
import { codeOf, question } from "../../hub/open-hub.js";
import { sqliteTests } from "../../hub/stores/sqlite/open-sqlite.js";

const sqlite = sqliteTests();
const DAY = 86_400_000;

const stores: Readonly<Record<string, () => Store>> = {
  memory: memoryStore,
  sqlite: () => sqliteStore({ path: sqlite.path() }),
};

/** Ids have the time of the machine, so the clock begins with it. */
function passing(): { readonly clock: Clock; readonly pass: (milliseconds: number) => void } {
  const inner = fakeClock({ now: Date.now() });
  let passed = 0;
  const clock = { ...inner, monotonic: () => inner.monotonic() + passed };
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
  };
  return { clock, pass };
}

function post(hub: Hub, session: string, key = "exec-1"): Promise<Ask> {
  return hub.post({ questions: [question], metadata: { gateway: true }, session, key });
}

/** The name that the gateway gives an ask now: nothing is remembered from before. */
async function nameOf(hub: Hub, ask: Ask): Promise<string> {
  return createNames(hub).of(ask);
}

describe.each(Object.keys(stores))("the name of an ask that was pruned, in %s", (kind) => {
  async function opened(): Promise<{ hub: Hub; pass: (milliseconds: number) => void }> {
    const { clock, pass } = passing();
    const hub = await createHub({ store: stores[kind]?.() ?? memoryStore(), clock });
    return { hub, pass };
  }

  it("means that ask for 30 days, and is gone then", async () => {
    const { hub, pass } = await opened();
    const old = await post(hub, "old");
    expect(await nameOf(hub, old)).toBe("exec-1");
    await hub.withdraw(old.id);
    pass(100 * DAY);
    await hub.prune({ settledBefore: hub.now() - DAY });
    expect(await codeOf(hub.get(old.id))).toBe("not_found");
    pass(30 * DAY - 1);
    // A later prune does not begin the 30 days anew.
    await hub.prune({ settledBefore: hub.now() });
    const next = await post(hub, "next");
    expect(await createNames(hub).askIdOf("exec-1")).toBe(old.id);
    expect(await nameOf(hub, next)).toBe(next.id);
    pass(1);
    expect(await createNames(hub).askIdOf("exec-1")).toBeUndefined();
    expect(await nameOf(hub, next)).toBe("exec-1");
    await hub.close();
  });

  it("does not end with the names of asks that are kept", async () => {
    const { hub, pass } = await opened();
    const [settled, pending, old] = [
      await post(hub, "settled", "exec-1"),
      await post(hub, "pending", "exec-2"),
      await post(hub, "old", "exec-3"),
    ];
    for (const ask of [settled, pending, old]) await nameOf(hub, ask);
    await hub.withdraw(old.id);
    pass(10 * DAY);
    await hub.withdraw(settled.id);
    await hub.prune({ settledBefore: hub.now() - DAY });
    pass(365 * DAY);
    const { askIdOf } = createNames(hub);
    expect(await askIdOf("exec-1")).toBe(settled.id);
    expect(await askIdOf("exec-2")).toBe(pending.id);
    expect(await askIdOf("exec-3")).toBeUndefined();
    await hub.close();
  });

  it("is gone 30 days after the last of several batches", async () => {
    const { hub, pass } = await opened();
    const asks = [await post(hub, "one", "exec-1"), await post(hub, "two", "exec-2")];
    for (const ask of asks) {
      await nameOf(hub, ask);
      await hub.withdraw(ask.id);
    }
    pass(DAY);
    for (const removed of [1, 1, 0])
      expect(await hub.prune({ settledBefore: hub.now(), limit: 1 })).toMatchObject({ asks: removed });
    pass(30 * DAY - 1);
    const { askIdOf } = createNames(hub);
    expect(await askIdOf("exec-1")).toBe(asks[0]?.id);
    pass(1);
    expect([await askIdOf("exec-1"), await askIdOf("exec-2")]).toEqual([undefined, undefined]);
    await hub.close();
  });
});
