import { checkEqual } from "../check.js";
import { type StoreCase, storeCase } from "./harness.js";

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

  storeCase("a record is not claimed before it is available", async ({ open, clock }) => {
    const store = await open();
    await store.records.put("n", "later", 0, { availableAt: store.now() + 100 });
    await store.records.put("n", "now", 0, { availableAt: store.now() });
    const claim = async () => (await store.records.claim("n", 10, 1_000)).map(({ key }) => key);
    checkEqual(await claim(), ["now"], "at once");
    await clock.advance(100);
    checkEqual(await claim(), ["later"], "once it is available");
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
