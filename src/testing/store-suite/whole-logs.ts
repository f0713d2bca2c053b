import type { LogEntry, LogStore, RestoredEntry } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { durableCase, type StoreCase, sharedCase, storeCase } from "./harness.js";

/** Whole logs: listed, removed, and restored from another store. */
export const wholeLogCases: readonly StoreCase[] = [
  storeCase("logs with entries are listed by prefix, in name order", async (scope) => {
    const store = await scope.open();
    const names = ["s/b", "s/a", "s/\u{1f600}", "s/\uffee", "s", "t", "S/a", "s0", "s/%"];
    for (const log of names) await fill(store.logs, log, 2);
    await scope.clock.advance(5);
    await fill(store.logs, "s/b", 1);
    await fill(store.logs, "s/gone", 1);
    await store.logs.remove("s/gone", 1);
    const read = async (after?: string, limit = 10) =>
      (await store.logs.list({ prefix: "s/", limit, after })).map(({ log }) => log);
    checkEqual(await read(), ["s/%", "s/a", "s/b", "s/\uffee", "s/\u{1f600}"], "all of them");
    checkEqual(await read("s/a", 2), ["s/b", "s/\uffee"], "a page of them");
    checkEqual(await read("s/\u{1f600}"), [], "after the last");
    checkEqual(await read("s/aa", 1), ["s/b"], "after an unknown name");
    const [a, b] = await store.logs.list({ prefix: "s/", after: "s/%", limit: 2 });
    checkEqual(a, { log: "s/a", first: 1, head: 2, lastAt: store.now() - 5 }, "an unchanged log");
    checkEqual(b, { log: "s/b", first: 1, head: 3, lastAt: store.now() }, "a log with a later entry");
    checkEqual((await store.logs.list({ prefix: "", limit: 20 })).length, names.length, "without a prefix");
  }),

  storeCase("a log is removed completely, and no other log", async ({ open }) => {
    const { logs } = await open();
    for (const log of ["l", "L", "l/"]) await fill(logs, log, 3);
    checkEqual(await logs.remove("l", 3), true, "whether it was removed");
    checkEqual(await logs.read("l", { after: 0, limit: 10 }), [], "its entries");
    checkEqual(await logs.read("l", { after: 0, limit: 10, subject: "about" }), [], "its entries by subject");
    checkEqual(await logs.bounds("l"), { first: 4, head: 3 }, "its bounds");
    for (const log of ["L", "l/"]) {
      checkEqual((await logs.read(log, { after: 0, limit: 10 })).length, 3, `the entries of ${log}`);
      checkEqual(await logs.bounds(log), { first: 1, head: 3 }, `the bounds of ${log}`);
    }
    checkEqual(await logs.remove("l", 3), true, "a second time");
    checkEqual(await logs.remove("nobody's", 0), true, "a log without entries");
  }),

  storeCase("the positions of a removed log are never reused", async ({ open }) => {
    const { logs } = await open();
    await fill(logs, "l", 3);
    await logs.remove("l", 3);
    checkEqual(await fill(logs, "l", 2), [4, 5], "the next positions");
    checkEqual(await logs.bounds("l"), { first: 4, head: 5 }, "its bounds");
  }),

  storeCase("a log with newer entries is not removed", async ({ open }) => {
    const { logs } = await open();
    await fill(logs, "l", 3);
    for (const head of [0, 2, 4]) checkEqual(await logs.remove("l", head), false, `with the head ${head}`);
    checkEqual((await logs.read("l", { after: 0, limit: 10 })).length, 3, "its entries");
    checkEqual(await logs.bounds("l"), { first: 1, head: 3 }, "its bounds");
  }),

  storeCase("a long log is removed completely", async ({ open }) => {
    const { logs } = await open();
    await fill(logs, "l", 2_500);
    checkEqual(await logs.remove("l", 2_500), true, "whether it was removed");
    checkEqual(await logs.read("l", { after: 0, limit: 10 }), [], "its entries");
    checkEqual(await logs.bounds("l"), { first: 2_501, head: 2_500 }, "its bounds");
  }),

  durableCase(
    "a removed log is empty after a restart, and continues at the next position",
    async ({ open, reopen }) => {
      const store = await open();
      await fill(store.logs, "l", 3);
      await store.logs.remove("l", 3);
      const { logs } = await reopen(store);
      checkEqual(await logs.bounds("l"), { first: 4, head: 3 }, "its bounds");
      checkEqual(await logs.list({ prefix: "l", limit: 10 }), [], "those that hold entries");
      checkEqual(await fill(logs, "l", 1), [4], "the next position");
    },
  ),

  sharedCase("entries written during a removal are kept", async ({ open, second }) => {
    const firstStore = await open();
    const secondStore = await second(firstStore);
    for (let round = 0, head = 0; round < 10; round += 1) {
      await fill(firstStore.logs, "l", 3);
      const { first } = await firstStore.logs.bounds("l");
      head += 3;
      const [removed, [written = 0]] = await Promise.all([
        firstStore.logs.remove("l", head),
        fill(secondStore.logs, "l", 1),
      ]);
      head += 1;
      checkEqual(written, head, "where it was written");
      const remaining = (await firstStore.logs.read("l", { after: 0, limit: 99 })).map(
        ({ position }) => position,
      );
      checkEqual(remaining.at(-1), head, "the last that is left");
      checkEqual(remaining.length, removed ? 1 : head - first + 1, "how much is left");
    }
  }),

  storeCase("entries from another store are restored with their positions and times", async ({ open }) => {
    const { logs } = await open();
    checkEqual(await logs.restore("l", { head: 0, first: 1, entries: KEPT }), true, "a log of its own");
    checkEqual(await logs.read("l", { after: 0, limit: 10 }), placed(1), "its entries");
    checkEqual(await logs.read("l", { after: 0, limit: 10, subject: "ask_1" }), [placed(1)[1]], "by subject");
    checkEqual(await logs.bounds("l"), { first: 1, head: 3 }, "its bounds");
    checkEqual(await logs.restore("m", { head: 0, first: 8, entries: KEPT }), true, "the end of a log");
    checkEqual(await logs.read("m", { after: 0, limit: 10 }), placed(8), "its entries");
    checkEqual(await logs.bounds("m"), { first: 8, head: 10 }, "its bounds");
    checkEqual(await fill(logs, "m", 1), [11], "what is written next");
    const [summary] = await logs.list({ prefix: "l", limit: 1 });
    checkEqual(summary, { log: "l", first: 1, head: 3, lastAt: 1_500 }, "how it is listed");
  }),

  storeCase("more entries are restored after the existing ones", async ({ open }) => {
    const { logs } = await open();
    await logs.restore("l", { head: 0, first: 8, entries: KEPT });
    checkEqual(await logs.restore("l", { head: 10, first: 11, entries: KEPT }), true, "the rest");
    checkEqual(await logs.read("l", { after: 0, limit: 10 }), [...placed(8), ...placed(11)], "its entries");
    checkEqual(await logs.bounds("l"), { first: 8, head: 13 }, "its bounds");
  }),

  storeCase("entries are restored into a removed log above its old positions", async ({ open }) => {
    const { logs } = await open();
    await fill(logs, "l", 2);
    await logs.remove("l", 2);
    checkEqual(await logs.restore("l", { head: 2, first: 3, entries: KEPT }), true, "whether it was done");
    checkEqual(await logs.read("l", { after: 0, limit: 10 }), placed(3), "its entries");
    checkEqual(await logs.bounds("l"), { first: 3, head: 5 }, "its bounds");
  }),

  storeCase("nothing is restored into a log with another head", async ({ open }) => {
    const { logs } = await open();
    await fill(logs, "l", 2);
    for (const head of [0, 1, 3]) {
      const done = await logs.restore("l", { head, first: head + 1, entries: KEPT });
      checkEqual(done, false, `with the head ${head}`);
    }
    checkEqual((await logs.read("l", { after: 0, limit: 10 })).length, 2, "its entries");
    checkEqual(await logs.bounds("l"), { first: 1, head: 2 }, "its bounds");
  }),

  durableCase("restored entries survive a restart", async ({ open, reopen }) => {
    const store = await open();
    await store.logs.restore("l", { head: 0, first: 8, entries: KEPT });
    const { logs } = await reopen(store);
    checkEqual(await logs.read("l", { after: 0, limit: 10 }), placed(8), "the entries");
    checkEqual(await logs.bounds("l"), { first: 8, head: 10 }, "the bounds");
  }),

  sharedCase("concurrent restores of one log store it once", async ({ open, second }) => {
    const firstStore = await open();
    const secondStore = await second(firstStore);
    const attempts = [firstStore, secondStore, firstStore, secondStore].map(({ logs }) =>
      logs.restore("l", { head: 0, first: 1, entries: KEPT }),
    );
    check(
      (await Promise.all(attempts)).filter(Boolean).length === 1,
      "exactly one of them must have stored it",
    );
    checkEqual(await secondStore.logs.read("l", { after: 0, limit: 10 }), placed(1), "the entries");
  }),
];

/** Old entries from another store, whose clock was set back once. */
const KEPT: readonly RestoredEntry[] = [
  { at: 1_000, type: "opened", data: { text: "\0 \ud800", list: [null] } },
  { at: 2_000, type: "ask.created", subject: "ask_1" },
  { at: 1_500, type: "text", data: null },
];

function placed(first: number): readonly LogEntry[] {
  return KEPT.map((entry, index) => ({ position: first + index, ...entry }));
}

async function fill(logs: LogStore, log: string, count: number): Promise<readonly number[]> {
  const entry = (_: unknown, index: number) => ({ log, type: "t", subject: "about", data: index });
  return logs.append(Array.from({ length: count }, entry));
}
