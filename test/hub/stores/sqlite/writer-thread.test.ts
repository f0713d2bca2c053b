import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../../../../src/hub/seam/store.js";
import {
  createSqliteStore,
  type SqliteStoreOptions,
} from "../../../../src/hub/stores/sqlite/sqlite-store.ts";
import { threadWriter } from "../../../../src/hub/stores/sqlite/write/thread-writer.js";
import { fakeClock } from "../../../../src/testing/index.ts";
import { errorOf, logger, newAsk, sqliteTests } from "./open-sqlite.ts";
import { isRunning, watchThreads } from "./threads.ts";

const { open: openLocal, other, path } = sqliteTests();
const threads = watchThreads();

const PROGRAM = join(import.meta.dirname, "../../../../dist/hub/stores/sqlite/write/writer-program.js");

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(options: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const store = createSqliteStore({ path: path(), ...options });
  opened.push(store);
  await store.open({ clock: fakeClock(), logger });
  return store;
}

function onlyThread(): (typeof threads)[number] {
  const [thread] = threads;
  if (thread === undefined || threads.length > 1) throw new Error(`there are ${threads.length} threads`);
  return thread;
}

const settled = (promise: Promise<unknown>): { readonly done: boolean } => {
  const state = { done: false };
  const done = (): void => {
    state.done = true;
  };
  promise.then(done, done);
  return state;
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the thread", () => {
  it("is one for each store, and makes the writes", async () => {
    const store = await open();
    expect(threads).toHaveLength(1);
    await store.records.put("n", "k", 1);
    await onlyThread().terminate();
    expect((await errorOf(store.records.put("n", "k", 2))).code).toBe("store_unavailable");
    // So that a load balancer sends the server no more requests.
    expect((await errorOf(store.check?.() ?? Promise.resolve())).code).toBe("store_unavailable");
    // What this thread has can read, and no more.
    expect((await store.records.get("n", "k"))?.value).toBe(1);
  });

  it("leaves the event loop free while a write takes long", async () => {
    const store = await open();
    const file = other();
    file.exec(`
      CREATE VIEW slow AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000)
        SELECT count(*) AS n FROM c;
      CREATE TRIGGER slowly AFTER INSERT ON records BEGIN SELECT n FROM slow; END;
    `);
    const written = store.records.put("n", "k", 1);
    const state = settled(written);
    let turns = 0;
    for (; !state.done; turns += 1) {
      await turn();
      await store.asks.get("nobody");
    }
    expect((await written).ok).toBe(true);
    // On the event loop the write would be made within one turn.
    expect(turns).toBeGreaterThan(20);
  });

  it("gets the writes of a turn at its end where it is idle, and else when it is", async () => {
    const store = await open();
    const sent = vi.spyOn(onlyThread(), "postMessage");
    const sizes = (): readonly unknown[] => sent.mock.calls.map(([{ writes }]) => writes?.length);
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const first = store.asks.insert(newAsk());
    expect(sizes()).toEqual([]);
    await turn();
    expect(sizes()).toEqual([1]);
    const more = [store.asks.insert(newAsk()), store.asks.insert(newAsk())];
    await turn();
    expect(sizes()).toEqual([1]);
    holder.exec("COMMIT");
    await Promise.all([first, ...more]);
    expect(sizes()).toEqual([1, 2]);
  });

  it("is spared a write that cannot be sent, which takes none of its neighbours along", async () => {
    const store = await open();
    const put = (key: unknown): Promise<unknown> => store.records.put("n", key as string, 1);
    const unsendable = (): void => undefined;
    const many = Array.from({ length: 12 }, (_, index) => put(index === 5 ? unsendable : `many${index}`));
    const results = await Promise.allSettled([...many, put("next"), put(unsendable)]);
    expect(
      results.map(({ status }, index) => (status === "rejected" ? index : -1)).filter((at) => at >= 0),
    ).toEqual([5, 13]);
    await expect(put(unsendable)).rejects.toThrow(/clone/);
    expect(await put("later")).toMatchObject({ ok: true });
    const kept = await store.records.list("n", { limit: 50 });
    expect(kept.map(({ key }) => key)).toEqual(
      ["later", ...Array.from({ length: 12 }, (_, index) => `many${index}`), "next"]
        .filter((key) => key !== "many5")
        .sort(),
    );
  });

  it("gets one more message while one is under way, if it is worth a commit, and then the rest as one", async () => {
    const store = await open();
    const sent = vi.spyOn(onlyThread(), "postMessage");
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const written: Promise<unknown>[] = [];
    for (const count of [1, 2, 40, 5]) {
      for (let index = 0; index < count; index += 1) written.push(store.asks.insert(newAsk()));
      await turn();
    }
    const sizes = (): readonly unknown[] => sent.mock.calls.map(([{ writes }]) => writes?.length);
    expect(sizes()).toEqual([1, 24]);
    holder.exec("COMMIT");
    await Promise.all(written);
    expect(sizes()).toEqual([1, 24, 23]);
    expect(await store.logs.bounds("events")).toEqual({ first: 1, head: 48 });
  });

  it("waits for a file that is locked, while reads and timers go on", async () => {
    const store = await open();
    const kept = newAsk();
    await store.asks.insert(kept);
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const written = store.asks.insert(newAsk());
    const state = settled(written);
    for (let count = 0; count < 50; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(await store.asks.get(kept.ask.id)).toEqual(kept.ask);
    }
    expect(state.done).toBe(false);
    holder.exec("COMMIT");
    expect((await written).kind).toBe("created");
  });

  it("says that others may have committed when it begins to watch, since it begins a little later", async () => {
    const store = await open();
    await new Promise<void>((resolve) => store.watch(resolve));
  });

  it("notices what others commit, and not what it commits itself", async () => {
    const store = await open();
    let calls = 0;
    const called: (() => void)[] = [];
    const nextCall = (): Promise<void> => new Promise((resolve) => called.push(resolve));
    const first = nextCall();
    store.watch(() => {
      calls += 1;
      for (const resolve of called.splice(0)) resolve();
    });
    await first;
    for (let count = 0; count < 20; count += 1) await store.records.put("n", "mine", count);
    expect(calls).toBe(1);
    const { store: elsewhere } = await openLocal();
    const noticed = nextCall();
    await elsewhere.records.put("n", "theirs", 1);
    await noticed;
    expect((await store.records.get("n", "theirs"))?.value).toBe(1);
  });
});

describe("an error in the thread", () => {
  it("keeps its code and message when there is no room, and fails nobody else", async () => {
    const store = await open();
    // A table whose last number is taken is full, like a disk.
    other().exec(`
      CREATE TABLE numbers (n INTEGER PRIMARY KEY AUTOINCREMENT);
      INSERT INTO numbers VALUES (9223372036854775807);
      CREATE TRIGGER fill BEFORE INSERT ON records BEGIN INSERT INTO numbers VALUES (NULL); END;
    `);
    const [failed, appended] = await Promise.all([
      errorOf(store.records.put("n", "k", 1)),
      store.logs.append([{ log: "l", type: "t" }]),
    ]);
    expect(failed.code).toBe("store_full");
    expect(failed.message).toMatch(`the store ${path()} is out of disk space: free some space`);
    expect(appended).toEqual([1]);
  });

  it("keeps its code and message when the file cannot be written", async () => {
    await (await open()).close();
    const options = { path: `file:${path()}?mode=ro`, busyTimeoutMs: 100, now: () => 1 };
    const writer = await threadWriter(PROGRAM, {
      ...options,
      onCommit: () => undefined,
      committed: () => undefined,
      broken: () => undefined,
      failed: () => undefined,
    });
    const failed = await errorOf(
      writer.write("append", [{ log: "l", type: "t", subject: null, data: null }]),
    );
    await writer.close();
    expect(failed.code).toBe("store_readonly");
    expect(failed.message).toMatch(/make the file and its folder writable/);
  });

  it("keeps its code and message when the file is locked for too long", async () => {
    const store = await open({ busyTimeoutMs: 50 });
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const failed = await errorOf(store.asks.insert(newAsk()));
    expect(failed.code).toBe("store_busy");
    expect(failed.message).toMatch(`the store ${path()} is locked by another process`);
    holder.exec("ROLLBACK");
    expect((await store.asks.insert(newAsk())).kind).toBe("created");
  });

  it("keeps its message where it has no code", async () => {
    const store = await open();
    other().exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'not this one'); END",
    );
    const [failed, appended] = await Promise.allSettled([
      store.records.put("n", "k", 1),
      store.logs.append([{ log: "l", type: "t" }]),
    ]);
    expect(failed).toMatchObject({ status: "rejected", reason: { message: "not this one" } });
    expect(appended).toEqual({ status: "fulfilled", value: [1] });
  });
});

describe("a thread that ends", () => {
  it("rejects what was under way and what comes, and nothing else", async () => {
    const store = await open();
    const kept = newAsk();
    await store.asks.insert(kept);
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const writes = [store.asks.insert(newAsk()), store.records.put("n", "k", 1)];
    await turn();
    await turn();
    const rejected = Promise.all(writes.map(errorOf));
    await onlyThread().terminate();
    for (const error of await rejected) {
      expect(error.code).toBe("store_unavailable");
      expect(error.message).toMatch(`the writer thread of the store ${path()} has ended`);
    }
    expect((await errorOf(store.asks.insert(newAsk()))).code).toBe("store_unavailable");
    expect(await store.asks.get(kept.ask.id)).toEqual(kept.ask);
    await store.close();
    holder.exec("ROLLBACK");
    const again = await open();
    expect((await again.asks.insert(newAsk())).kind).toBe("created");
    expect((await again.asks.list({ limit: 10 })).asks).toHaveLength(2);
  });

  it("because of a fault in it does not end the process", async () => {
    const store = await open();
    onlyThread().postMessage({ kind: "write", now: 1, writes: 5 });
    const error = await errorOf(store.records.put("n", "k", 1));
    expect(error.code).toBe("store_unavailable");
    expect(error.cause).toBeInstanceOf(Error);
    await store.close();
  });

  it("is told to whoever wants to know, before or after, once and with the reason", async () => {
    const store = await open();
    const told: unknown[] = [];
    const ended = new Promise<void>((resolve) => {
      store.onBroken?.((reason) => {
        told.push(reason);
        resolve();
      });
    });
    onlyThread().postMessage({ kind: "write", now: 1, writes: 5 });
    await ended;
    await errorOf(store.records.put("n", "k", 1));
    store.onBroken?.((reason) => told.push(reason));
    await store.close();
    expect(told).toHaveLength(2);
    expect(new Set(told)).toEqual(
      new Set([expect.objectContaining({ code: "store_unavailable", cause: expect.any(Error) })]),
    );
  });

  it("because the store was closed is told to nobody", async () => {
    const store = await open();
    const told = vi.fn();
    store.onBroken?.(told);
    await store.records.put("n", "k", 1);
    await store.close();
    expect(isRunning(onlyThread())).toBe(false);
    expect(told).not.toHaveBeenCalled();
  });

  it("before it has begun fails the opening", async () => {
    const listen = (worker: (typeof threads)[number]): void => void worker.terminate();
    process.once("worker", listen);
    expect((await errorOf(open())).code).toBe("store_unavailable");
    expect((await (await open()).records.put("n", "k", 1)).ok).toBe(true);
  });

  it("because it cannot have the file fails the opening with a code", async () => {
    const options = {
      busyTimeoutMs: 10,
      now: () => 1,
      onCommit: () => undefined,
      committed: () => undefined,
      broken: () => undefined,
      failed: () => undefined,
    };
    const error = await errorOf(threadWriter(PROGRAM, { ...options, path: path("no/such/folder.db") }));
    expect(error.code).toBe("store_unavailable");
    expect(error.message).toContain("cannot be opened");
  });
});

describe("closing", () => {
  const walSize = (): number => (existsSync(`${path()}-wal`) ? statSync(`${path()}-wal`).size : 0);

  it("finishes what was begun, and leaves neither a log beside the file nor a thread", async () => {
    const store = await open();
    store.watch(() => undefined);
    const asks = Array.from({ length: 300 }, () => newAsk());
    const begun = Promise.all(asks.map((ask) => store.asks.insert(ask)));
    await store.close();
    for (const { kind } of await begun) expect(kind).toBe("created");
    expect(walSize()).toBe(0);
    expect(threads.filter(isRunning)).toEqual([]);
    const again = await open();
    expect((await again.asks.list({ limit: 1_000 })).asks).toHaveLength(300);
  });

  it("waits for a write that waits for a lock", async () => {
    const store = await open();
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    const begun = store.records.put("n", "k", 1);
    const closing = store.close();
    const state = settled(closing);
    for (let count = 0; count < 20; count += 1) await turn();
    expect(state.done).toBe(false);
    holder.exec("ROLLBACK");
    expect(await begun).toEqual({ ok: true, version: 1 });
    await closing;
  });

  it("of a store that is being opened waits for that, and closes it", async () => {
    const store = createSqliteStore({ path: path() });
    const opening = store.open({ clock: fakeClock(), logger });
    await store.close();
    await opening;
    expect(isRunning(onlyThread())).toBe(false);
    expect((await errorOf(store.records.get("n", "k"))).code).toBe("closed");
  });

  it("leaves nothing behind, however often a store is opened", async () => {
    const before = process.getActiveResourcesInfo().length;
    for (let count = 0; count < 10; count += 1) {
      const store = await open();
      await store.records.put("n", "k", count);
      await store.close();
    }
    expect(threads).toHaveLength(10);
    expect(threads.filter(isRunning)).toEqual([]);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
    expect(walSize()).toBe(0);
  });
});
