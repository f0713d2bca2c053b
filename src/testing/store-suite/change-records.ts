import type { Store } from "../../hub/seam/store.js";
import { checkEqual } from "../check.js";
import { answered, newId, sampleNewAsk, settle } from "../samples.js";
import { type StoreCase, sharedCase, storeCase } from "./harness.js";

const put = { namespace: "n", key: "k" } as const;
const newAskId = async ({ asks, now }: Store): Promise<string> =>
  (await asks.insert(sampleNewAsk(now()))).ask.id;

/** Records that are put together with a change of an ask. */
export const changeRecordCases: readonly StoreCase[] = [
  storeCase(
    "records are put with a change that is made, once, and with no other",
    async ({ open, clock }) => {
      const store = await open();
      const { asks, records } = store;
      const id = await newAskId(store);
      const availableAt = store.now() + 5;
      const won = settle(answered("mine"), newId("settlement"));
      const value = { rule: ["mine", null] };
      const puts = [
        { ...put, value, availableAt, expiresAt: store.now() + 10 },
        { ...put, namespace: "other", value: "lasts" },
      ];
      const ended = await asks.change(id, won, [{ log: "audit", type: "settled" }], puts);
      const stored = { key: "k", value, version: 1, expiresAt: store.now() + 10, availableAt };
      checkEqual(await records.get("n", "k"), stored, "the first record");
      checkEqual((await records.get("other", "k"))?.value, "lasts", "the second record");
      checkEqual(await asks.change(id, won, [], puts), { applied: true, ask: ended?.ask }, "a retry");
      const late = [{ ...put, value: "lost" }];
      checkEqual(
        (await asks.change(id, settle(answered("lost")), [], late))?.applied,
        false,
        "another settle",
      );
      checkEqual((await asks.change(id, { kind: "overdue" }, [], late))?.applied, false, "overdue");
      checkEqual(await asks.change("ask_none", won, [], late), undefined, "a change of a missing ask");
      checkEqual(await records.get("n", "k"), stored, "the first record as it stands");
      await clock.advance(10);
      checkEqual(await records.list("n", { limit: 2 }), [], "what is left in the namespace");
      const due = (await asks.insert(sampleNewAsk(store.now(), { deadline: store.now() + 5 }))).ask.id;
      await asks.change(
        due,
        { kind: "extend", deadline: store.now() + 9 },
        [],
        [{ ...put, value: "extended" }],
      );
      checkEqual(
        await records.get("n", "k"),
        { key: "k", value: "extended", version: 1 },
        "with an extension",
      );
    },
  ),

  storeCase("a change is made only if its records have the versions it expects", async ({ open }) => {
    const store = await open();
    const { asks, records } = store;
    const id = await newAskId(store);
    const free = { ...put, key: "free", value: "free" };
    const attempt = async (expect: number | null) =>
      (
        await asks.change(
          id,
          settle(answered("x")),
          [{ log: "audit", type: "settled" }],
          [free, { ...put, value: "x", expect }],
        )
      )?.applied;
    checkEqual(await attempt(1), false, "a version of a missing record");
    await records.put("n", "k", "one");
    await records.put("n", "k", "two");
    for (const expect of [null, 1, 3]) checkEqual(await attempt(expect), false, `version 2 is not ${expect}`);
    checkEqual((await asks.get(id))?.status, "pending", "the status");
    checkEqual((await store.logs.bounds("audit")).head, 0, "how many entries were written");
    checkEqual(await records.get("n", "free"), undefined, "the record that expects nothing");
    checkEqual(await attempt(2), true, "the current version");
    checkEqual(await records.get("n", "k"), { key: "k", value: "x", version: 3 }, "the record");
    await records.delete("n", "k");
    const other = await newAskId(store);
    const again = [{ ...put, value: "new", expect: null }];
    checkEqual((await asks.change(other, settle(answered("y")), [], again))?.applied, true, "null");
    checkEqual(await records.get("n", "k"), { key: "k", value: "new", version: 1 }, "a record put again");
  }),

  sharedCase(
    "of racing changes that expect the same version of a record, one is made",
    async ({ open, second }) => {
      const store = await open();
      const stores = [store, await second(store)];
      for (const expect of [null, 1, 2, 3]) {
        const ids = await Promise.all(Array.from({ length: 20 }, () => newAskId(store)));
        const applied = await Promise.all(
          ids.map(async (id, index) => {
            const puts = [{ ...put, value: id, expect }];
            const changed = await stores[index % 2]?.asks.change(id, settle(answered(id)), [], puts);
            return changed?.applied === true && changed.ask.status === "answered" ? [id] : [];
          }),
        );
        checkEqual(applied.flat().length, 1, `how many changes that expect ${expect} were made`);
        const record = { key: "k", value: applied.flat()[0] ?? null, version: (expect ?? 0) + 1 };
        checkEqual(await store.records.get("n", "k"), record, "the record");
        const { asks } = await store.asks.list({ status: "pending", limit: 100 });
        checkEqual(asks.filter(({ id }) => ids.includes(id)).length, 19, "how many are still pending");
      }
    },
  ),
];
