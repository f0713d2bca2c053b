import type { Json } from "../../core/kit/json.js";
import type { PutOptions, RecordStore } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { type StoreCase, storeCase } from "./harness.js";

/** Records: one value per key, with compare-and-set and expiry. */
export const recordCases: readonly StoreCase[] = [
  storeCase("a record can be put, replaced and read, and its version increases by one", async ({ open }) => {
    const { records } = await open();
    checkEqual(await records.get("n", "k"), undefined, "before");
    checkEqual(await records.put("n", "k", { a: 1 }), { ok: true, version: 1 }, "the first put");
    checkEqual(await records.get("n", "k"), { key: "k", value: { a: 1 }, version: 1 }, "the first value");
    checkEqual(await records.put("n", "k", ["b"]), { ok: true, version: 2 }, "the second put");
    checkEqual(await records.get("n", "k"), { key: "k", value: ["b"], version: 2 }, "the second value");
  }),

  storeCase("every JSON value is stored unchanged", async ({ open }) => {
    const { records } = await open();
    const odd = JSON.parse('{"__proto__":{"x":1},"constructor":null,"":[[]],"length":-1}') as Json;
    const values: readonly Json[] = [null, true, false, 0, -1.5, 1e300, 5e-324, 2 ** 53 - 1, "", [], {}, odd];
    for (const [index, value] of values.entries()) {
      await records.put("n", `k${index}`, value);
      checkEqual(
        await records.get("n", `k${index}`),
        { key: `k${index}`, value, version: 1 },
        `value ${index}`,
      );
    }
  }),

  storeCase("namespaces are independent of each other", async ({ open }) => {
    const { records } = await open();
    for (const [namespace, key] of [
      ["a", "b/c"],
      ["a/b", "c"],
      ["A", "b/c"],
    ] as const) {
      checkEqual(
        await records.put(namespace, key, namespace, { expect: null }),
        { ok: true, version: 1 },
        namespace,
      );
    }
    checkEqual((await records.get("a/b", "c"))?.value, "a/b", "the value in one of them");
    checkEqual(await records.delete("a", "c"), false, "deleting another's record");
  }),

  storeCase("a put with an expected version applies only to that version", async ({ open }) => {
    const { records } = await open();
    const put = (value: Json, expect: number | null) => records.put("n", "k", value, { expect });
    checkEqual(await put("x", 1), { ok: false }, "a version of a missing record");
    checkEqual(await put("one", null), { ok: true, version: 1 }, "null for a missing record");
    const first = { key: "k", value: "one", version: 1 };
    checkEqual(await put("x", null), { ok: false, current: first }, "null for an existing record");
    checkEqual(await put("x", 2), { ok: false, current: first }, "a future version");
    checkEqual(await put("two", 1), { ok: true, version: 2 }, "the current version");
    const second = { key: "k", value: "two", version: 2 };
    checkEqual(await put("x", 1), { ok: false, current: second }, "an old version");
    checkEqual(await records.get("n", "k"), second, "the record that stands");
  }),

  storeCase("of concurrent puts with the same expected version, one wins", async ({ open }) => {
    const { records } = await open();
    for (const expect of [null, 1, 2]) {
      const puts = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => ({
          index,
          put: await records.put("n", "k", index, { expect }),
        })),
      );
      const winners = puts.filter(({ put }) => put.ok);
      checkEqual(winners.length, 1, `how many won over version ${expect}`);
      const current = { key: "k", value: winners[0]?.index ?? -1, version: (expect ?? 0) + 1 };
      for (const { put } of puts) if (!put.ok) checkEqual(put.current, current, "what a loser saw");
      checkEqual(await records.get("n", "k"), current, "the record that stands");
    }
  }),

  storeCase("concurrent puts without an expected version all apply", async ({ open }) => {
    const { records } = await open();
    const puts = await Promise.all(Array.from({ length: 20 }, (_, index) => records.put("n", "k", index)));
    const versions = puts.map((put) => (put.ok ? put.version : 0)).sort((first, second) => first - second);
    checkEqual(
      versions,
      Array.from({ length: 20 }, (_, index) => index + 1),
      "the versions",
    );
  }),

  storeCase("a delete applies only to the expected version, if one is given", async ({ open }) => {
    const { records } = await open();
    checkEqual(await records.delete("n", "k"), false, "a missing record");
    await records.put("n", "k", 1);
    await records.put("n", "k", 2);
    checkEqual(await records.delete("n", "k", { expect: 1 }), false, "an old version");
    checkEqual((await records.get("n", "k"))?.version, 2, "the version that stands");
    checkEqual(await records.delete("n", "k", { expect: 2 }), true, "the current version");
    checkEqual(await records.get("n", "k"), undefined, "the record");
    checkEqual(await records.delete("n", "k"), false, "a second time");
    checkEqual(await records.put("n", "k", 3, { expect: null }), { ok: true, version: 1 }, "a new one");
  }),

  storeCase("of concurrent deletes, one succeeds", async ({ open }) => {
    const { records } = await open();
    await records.put("n", "k", 1);
    const deleted = await Promise.all(Array.from({ length: 20 }, () => records.delete("n", "k")));
    checkEqual(deleted.filter((wasDeleted) => wasDeleted).length, 1, "how many deleted it");
  }),

  storeCase("an expired record cannot be read", async ({ open, clock }) => {
    const store = await open();
    const { records } = store;
    const expiresAt = store.now() + 100;
    await records.put("n", "k", "v", { expiresAt });
    await clock.advance(99);
    checkEqual(await records.get("n", "k"), { key: "k", value: "v", version: 1, expiresAt }, "before");
    await clock.advance(1);
    await checkGone(records);
    checkEqual(await records.put("n", "k", "x", { expect: 1 }), { ok: false }, "a put on its version");
    checkEqual(await records.put("n", "k", "w", { expect: null }), { ok: true, version: 1 }, "a new one");
    checkEqual(await records.get("n", "k"), { key: "k", value: "w", version: 1 }, "the new record");
  }),

  storeCase("a put over an expired record starts a new one", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "k", "v");
    await store.records.put("n", "k", "v", { expiresAt: store.now() + 10, availableAt: store.now() + 9_000 });
    await clock.advance(10);
    checkEqual(await store.records.put("n", "k", "w"), { ok: true, version: 1 }, "the put");
    checkEqual((await store.records.claim("n", 10, 100)).length, 1, "that it can be claimed");
  }),

  storeCase("a put also replaces the expiry and the availability", async ({ open, clock }) => {
    const store = await open();
    const put = (options: PutOptions = {}) => store.records.put("n", "k", "v", options);
    const soon = store.now() + 100;
    await put({ expiresAt: soon, availableAt: soon });
    checkEqual(
      await store.records.get("n", "k"),
      { key: "k", value: "v", version: 1, expiresAt: soon, availableAt: soon },
      "with both",
    );
    await put({ expiresAt: soon + 1_000 });
    await clock.advance(500);
    checkEqual(
      await store.records.get("n", "k"),
      { key: "k", value: "v", version: 2, expiresAt: soon + 1_000 },
      "with a later expiry",
    );
    await put();
    await clock.advance(5_000);
    checkEqual(await store.records.get("n", "k"), { key: "k", value: "v", version: 3 }, "with none");
  }),

  storeCase("a wall clock jump does not expire a record", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "k", "v", { expiresAt: store.now() + 1_000 });
    clock.jumpWall(86_400_000);
    const found = await store.records.get("n", "k");
    clock.jumpWall(-86_400_000);
    check(found !== undefined, "the record is still there");
  }),

  storeCase("log entries are written with a put only if it applies", async ({ open }) => {
    const { records, logs } = await open();
    const put = (data: string, expect?: number | null) =>
      records.put("n", "k", data, {
        append: [{ log: "l", type: "put", subject: "k", data }],
        ...(expect !== undefined && { expect }),
      });
    await put("one", null);
    await put("lost", null);
    await put("two", 1);
    await put("lost", 7);
    await put("three");
    const entries = await logs.read("l", { after: 0, limit: 10 });
    checkEqual(
      entries.map(({ position, type, subject, data }) => ({ position, type, subject, data })),
      ["one", "two", "three"].map((data, index) => ({
        position: index + 1,
        type: "put",
        subject: "k",
        data,
      })),
      "the log",
    );
  }),
];

async function checkGone(records: RecordStore): Promise<void> {
  checkEqual(await records.get("n", "k"), undefined, "get");
  checkEqual(await records.list("n", { limit: 10 }), [], "list");
  checkEqual(await records.claim("n", 10, 100), [], "claim");
  checkEqual(await records.delete("n", "k"), false, "delete");
}

/** Claims: shared work that is done only once. */
export const recordClaimCases: readonly StoreCase[] = [
  storeCase("a claimed record cannot be claimed again until the lease ends", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "k", "v");
    const claimed = { key: "k", value: "v", version: 1, availableAt: store.now() + 100 };
    checkEqual(await store.records.claim("n", 10, 100), [claimed], "the first claim");
    checkEqual(await store.records.get("n", "k"), claimed, "the record meanwhile");
    await clock.advance(99);
    checkEqual(await store.records.claim("n", 10, 100), [], "within the lease");
    await clock.advance(1);
    checkEqual(
      await store.records.claim("n", 10, 100),
      [{ ...claimed, availableAt: store.now() + 100 }],
      "after the lease",
    );
  }),

  storeCase("records are claimed in key order, up to the limit", async ({ open }) => {
    const { records } = await open();
    for (const key of ["c", "\u{1f600}", "a", "\uffee", "B"]) await records.put("n", key, 0);
    await records.put("other", "0", 0);
    const claim = async (limit: number) => (await records.claim("n", limit, 100)).map(({ key }) => key);
    checkEqual(await claim(2), ["B", "a"], "the first two");
    checkEqual(await claim(2), ["c", "\uffee"], "the next two");
    checkEqual(await claim(2), ["\u{1f600}"], "the last");
    checkEqual(await claim(2), [], "no more");
  }),

  storeCase("a claim takes only what is in its range of keys", async ({ open }) => {
    const { records } = await open();
    for (const key of ["a/1", "a/2", "b/1", "c/1", "\u{1f600}"]) await records.put("n", key, 0);
    const claim = async (limit: number, range: { from?: string; before?: string }) =>
      (await records.claim("n", limit, 100, range)).map(({ key }) => key);
    checkEqual(await claim(9, { from: "b/1", before: "c/1" }), ["b/1"], "a part");
    checkEqual(await claim(1, { before: "b" }), ["a/1"], "the first of the beginning");
    checkEqual(await claim(9, { from: "b" }), ["c/1", "\u{1f600}"], "the end");
    checkEqual(await claim(9, {}), ["a/2"], "the rest");
  }),

  storeCase("a record is not claimed before it is available", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "later", 0, { availableAt: store.now() + 100 });
    await store.records.put("n", "now", 0, { availableAt: store.now() });
    const claim = async () => (await store.records.claim("n", 10, 1_000)).map(({ key }) => key);
    checkEqual(await claim(), ["now"], "at once");
    await clock.advance(100);
    checkEqual(await claim(), ["later"], "once it is available");
  }),

  storeCase("times between two milliseconds are kept on time", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "k", 0, { availableAt: store.now() + 9.5, expiresAt: store.now() + 99.5 });
    const claim = async () => (await store.records.claim("n", 10, 1)).length;
    await clock.advance(9);
    checkEqual(await claim(), 0, "before");
    await clock.advance(1);
    checkEqual(await claim(), 1, "after");
    await clock.advance(90);
    checkEqual(await store.records.get("n", "k"), undefined, "expired");
  }),

  storeCase("a put sets the availability of a claimed record", async ({ open }) => {
    const store = await open();
    await store.records.put("n", "k", 1);
    await store.records.claim("n", 10, 1_000);
    checkEqual(await store.records.put("n", "k", 2, { expect: 1 }), { ok: true, version: 2 }, "the put");
    checkEqual((await store.records.claim("n", 10, 1_000)).length, 1, "claimed again");
  }),

  storeCase("a deleted or expired record is not claimed", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "a", 1);
    await store.records.put("n", "b", 1, { expiresAt: store.now() + 50 });
    await store.records.delete("n", "a");
    await clock.advance(50);
    checkEqual(await store.records.claim("n", 10, 100), [], "what is claimed");
  }),

  storeCase("concurrent claims never get the same record", async ({ open }) => {
    const { records } = await open();
    for (let index = 0; index < 15; index += 1) await records.put("n", `k${index}`, index);
    const claims = await Promise.all(Array.from({ length: 20 }, () => records.claim("n", 2, 1_000)));
    const keys = claims.flat().map(({ key }) => key);
    checkEqual(keys.length, 15, "how many were claimed");
    checkEqual(new Set(keys).size, 15, "how many different ones");
  }),
];
