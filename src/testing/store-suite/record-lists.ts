import { checkEqual } from "../check.js";
import { type StoreCase, storeCase } from "./harness.js";

// In code point order. A locale's collation, UTF-16 units or case folding would each give another order.
const IN_ORDER = [
  "",
  " ",
  "!",
  "%",
  "%a",
  "*",
  "A",
  "B",
  "Z",
  "[",
  "[a]",
  "\\",
  "\\a",
  "_",
  "_a",
  "a",
  "a b",
  "a%b",
  "a/b",
  "aa",
  "a\u0301",
  "b",
  "ß",
  "é",
  "ж",
  "א",
  "한",
  "\ue000",
  "\uffee",
  "\u{1f600}",
  "\u{1f600}a",
  "\u{10ffff}",
];

/** Lists of records: in order, by prefix, page by page. */
export const recordListCases: readonly StoreCase[] = [
  storeCase("records are listed by key in code point order", async ({ open }) => {
    const { records } = await open();
    await putAll(records, "n", [...IN_ORDER].reverse());
    await records.put("other", "x", 0);
    checkEqual(await keys(records.list("n", { limit: 100 })), IN_ORDER, "all");
    checkEqual(await keys(records.list("n", { limit: 3 })), IN_ORDER.slice(0, 3), "the first three");
    checkEqual(await records.list("nobody", { limit: 3 }), [], "in another namespace");
  }),

  storeCase("records are listed page by page after a key", async ({ open }) => {
    const { records } = await open();
    await putAll(records, "n", [...IN_ORDER].reverse());
    const found: string[] = [];
    for (let after: string | undefined; found.length <= IN_ORDER.length; ) {
      const page = await keys(records.list("n", { limit: 4, after }));
      if (page.length === 0) break;
      found.push(...page);
      after = page.at(-1);
    }
    checkEqual(found, IN_ORDER, "all pages together");
    checkEqual(
      await keys(records.list("n", { limit: 2, after: "a\u0300" })),
      ["a\u0301", "b"],
      "after a key that does not exist",
    );
  }),

  storeCase("a prefix is taken literally, whatever it contains", async ({ open }) => {
    const { records } = await open();
    await putAll(records, "n", IN_ORDER);
    const prefixes = [
      "",
      "a",
      "A",
      "%",
      "_",
      "\\",
      "[",
      "*",
      "\u{1f600}",
      "\u{10ffff}",
      "é",
      "\ue000",
      "aa",
      "zz",
    ];
    for (const prefix of prefixes) {
      const expected = IN_ORDER.filter((key) => key.startsWith(prefix));
      checkEqual(await keys(records.list("n", { prefix, limit: 100 })), expected, `"${prefix}"`);
      checkEqual(
        await keys(records.list("n", { prefix, after: "a", limit: 2 })),
        expected.filter((key) => IN_ORDER.indexOf(key) > IN_ORDER.indexOf("a")).slice(0, 2),
        `"${prefix}" after "a"`,
      );
    }
  }),

  storeCase("a list has complete records", async ({ open }) => {
    const store = await open();
    const [expiresAt, availableAt] = [store.now() + 100, store.now() + 50];
    await store.records.put("n", "a", 1);
    await store.records.put("n", "a", { two: 2 }, { expiresAt, availableAt });
    await store.records.put("n", "b", null);
    checkEqual(
      await store.records.list("n", { limit: 10 }),
      [
        { key: "a", value: { two: 2 }, version: 2, expiresAt, availableAt },
        { key: "b", value: null, version: 1 },
      ],
      "the records",
    );
  }),

  storeCase("expired records do not count towards a list's limit", async ({ open, clock }) => {
    const store = await open();
    const expiresAt = store.now() + 10;
    for (const key of ["a", "b", "c"]) await store.records.put("n", key, 0, { expiresAt });
    for (const key of ["d", "e"]) await store.records.put("n", key, 0);
    await clock.advance(10);
    checkEqual(await keys(store.records.list("n", { limit: 2 })), ["d", "e"], "the first two");
  }),
];

async function putAll(
  records: { put(namespace: string, key: string, value: string): Promise<unknown> },
  namespace: string,
  all: readonly string[],
): Promise<void> {
  for (const key of all) await records.put(namespace, key, key);
}

async function keys(list: Promise<readonly { readonly key: string }[]>): Promise<readonly string[]> {
  return (await list).map(({ key }) => key);
}
