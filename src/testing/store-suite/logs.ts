import type { Json } from "../../core/kit/json.js";
import type { LogAppend, LogStore } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { type StoreCase, storeCase } from "./harness.js";

/** Append-only lists with positions. */
export const logCases: readonly StoreCase[] = [
  storeCase("a log without writes is empty", async ({ open }) => {
    const { logs } = await open();
    checkEqual(await logs.bounds("empty"), { first: 1, head: 0 }, "the bounds");
    checkEqual(await logs.read("empty", { after: 0, limit: 10 }), [], "the entries");
    checkEqual(await logs.append([]), [], "the positions of no entries");
  }),

  storeCase("entries are returned unchanged, with their time", async ({ open, clock }) => {
    const store = await open();
    const values: readonly Json[] = [null, false, 0, "", [], {}, { a: [1, { b: null }] }, 2 ** 53 - 1, 1e300];
    const first = store.now();
    const positions = await store.logs.append([
      { log: "l", type: "bare" },
      { log: "l", type: "about", subject: "s" },
      ...values.map((data) => ({ log: "l", type: "with", data })),
    ]);
    await clock.advance(5);
    await store.logs.append([{ log: "l", type: "later" }]);
    checkEqual(
      positions,
      Array.from({ length: values.length + 2 }, (_, index) => index + 1),
      "the positions",
    );
    checkEqual(
      await store.logs.read("l", { after: 0, limit: 100 }),
      [
        { position: 1, at: first, type: "bare" },
        { position: 2, at: first, type: "about", subject: "s" },
        ...values.map((data, index) => ({ position: index + 3, at: first, type: "with", data })),
        { position: values.length + 3, at: first + 5, type: "later" },
      ],
      "the entries",
    );
  }),

  storeCase("logs are independent of each other", async ({ open }) => {
    const { logs } = await open();
    const entry = (log: string): LogAppend => ({ log, type: `to ${log}` });
    checkEqual(await logs.append(["a", "b", "a", "A", "b"].map(entry)), [1, 1, 2, 1, 2], "in one call");
    checkEqual(await logs.append(["b", "a"].map(entry)), [3, 3], "in another");
    checkEqual(await logs.bounds("a"), { first: 1, head: 3 }, "the bounds of a");
    checkEqual(await logs.bounds("A"), { first: 1, head: 1 }, "the bounds of A");
    const types = (await logs.read("b", { after: 0, limit: 10 })).map(({ type }) => type);
    checkEqual(types, ["to b", "to b", "to b"], "the entries of b");
  }),

  storeCase("a log is read in pages from a position", async ({ open }) => {
    const { logs } = await open();
    await logs.append(Array.from({ length: 25 }, (_, index) => ({ log: "l", type: "t", data: index })));
    const pages: number[][] = [];
    // Bounded, so that an endless log cannot hang the suite.
    for (let after = 0; pages.length < 9; ) {
      const page = await logs.read("l", { after, limit: 10 });
      if (page.length === 0) break;
      pages.push(page.map(({ position }) => position));
      after = page.at(-1)?.position ?? 0;
    }
    checkEqual(
      pages.map((page) => page.length),
      [10, 10, 5],
      "the sizes of the pages",
    );
    checkEqual(
      pages.flat(),
      Array.from({ length: 25 }, (_, index) => index + 1),
      "the positions",
    );
    checkEqual(await logs.read("l", { after: 25, limit: 10 }), [], "after the head");
    checkEqual(await logs.read("l", { after: 999, limit: 10 }), [], "far beyond the head");
  }),

  storeCase("a log is read by subject", async ({ open }) => {
    const { logs } = await open();
    await logs.append([
      ...Array.from({ length: 12 }, (_, index) => ({ log: "l", type: "t", subject: `s${index % 3}` })),
      { log: "l", type: "t" },
      { log: "other", type: "t", subject: "s1" },
    ]);
    const read = async (after: number, limit: number, subject: string) =>
      (await logs.read("l", { after, limit, subject })).map(({ position }) => position);
    checkEqual(await read(0, 10, "s1"), [2, 5, 8, 11], "all about s1");
    checkEqual(await read(2, 2, "s1"), [5, 8], "a page of them");
    checkEqual(await read(0, 10, "nobody"), [], "about nobody");
    checkEqual(await read(0, 10, "S1"), [], "another case");
  }),

  storeCase("a read ends before the entry that would make it too large", async ({ open }) => {
    const { logs } = await open();
    const sizes = [10_000, 10_000, 10_000, 60_000, 0, 10];
    const withoutData = { log: "l", type: "t", subject: "s" };
    await logs.append(
      sizes.map((size) => (size === 0 ? withoutData : { ...withoutData, data: "x".repeat(size) })),
    );
    const read = async (after: number, limit: number, subject?: string) => {
      const query = { after, limit, maxSize: 25_000, ...(subject !== undefined && { subject }) };
      return (await logs.read("l", query)).map(({ position }) => position);
    };
    checkEqual(await read(0, 10), [1, 2], "the first");
    checkEqual(await read(2, 10, "s"), [3], "by subject");
    checkEqual(await read(3, 10), [4], "one is always there");
    checkEqual(await read(4, 10), [5, 6], "the last");
    checkEqual(await read(0, 1), [1], "of one");
    checkEqual(await read(6, 10), [], "after the head");
  }),

  storeCase("entries of one call are consecutive and in order", async ({ open }) => {
    const { logs } = await open();
    const calls = await Promise.all(
      Array.from({ length: 30 }, (_, call) =>
        logs.append([0, 1, 2].map((index) => ({ log: "l", type: "t", data: { call, index } }))),
      ),
    );
    const entries = await logs.read("l", { after: 0, limit: 1_000 });
    checkEqual(
      entries.map(({ position }) => position),
      Array.from({ length: 90 }, (_, index) => index + 1),
      "all positions",
    );
    calls.forEach((positions, call) => {
      const [first = 0] = positions;
      checkEqual(positions, [first, first + 1, first + 2], "the positions of one call");
      checkEqual(
        positions.map((position) => entries[position - 1]?.data),
        [0, 1, 2].map((index) => ({ call, index })),
        "what stands at them",
      );
    });
  }),

  storeCase("a reader misses nothing during concurrent writes", async ({ open }) => {
    const { logs } = await open();
    await checkTail([logs], logs);
  }),
];

/** Writes concurrently while a reader follows; the reader must see every position without a gap. */
export async function checkTail(writers: readonly LogStore[], reader: LogStore): Promise<void> {
  const each = 40;
  let writing = true;
  const written = Promise.all(
    writers.map(async (logs, writer) => {
      for (let index = 0; index < each; index += 2) {
        await Promise.all([
          logs.append([{ log: "tail", type: "t", data: `${writer}/${index}` }]),
          logs.append([{ log: "tail", type: "t", data: `${writer}/${index + 1}` }]),
        ]);
      }
    }),
  ).finally(() => {
    writing = false;
  });
  // A failing writer must not cause an unhandled rejection while the reader runs.
  written.catch(() => undefined);
  const seen: Json[] = [];
  for (let last = false; !last; ) {
    last = !writing;
    const page = await reader.read("tail", { after: seen.length, limit: 7 });
    for (const { position, data } of page) {
      check(position === seen.length + 1, `position ${position} was read right after ${seen.length}`);
      seen.push(data ?? null);
    }
    if (page.length > 0) last = false;
  }
  await written;
  const expected = writers.flatMap((_, writer) =>
    Array.from({ length: each }, (_entry, index) => `${writer}/${index}`),
  );
  checkEqual([...seen].sort(), expected.sort(), "everything that was read");
}
