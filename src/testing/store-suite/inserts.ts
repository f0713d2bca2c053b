import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { askerIdentity } from "../../core/model/visibility.js";
import { EVENT_LOG, type FoundIds } from "../../hub/seam/store.js";
import { check, checkEqual } from "../check.js";
import { answered, newId, sampleNewAsk, settle } from "../samples.js";
import { type StoreCase, storeCase } from "./harness.js";

/** Storing an ask, and finding it again. */
export const insertCases: readonly StoreCase[] = [
  storeCase("an inserted ask can be read", async ({ open }) => {
    const store = await open();
    const wanted = sampleNewAsk(store.now(), { context: "**why**", metadata: { run: [1, null, "x"] } });
    const inserted = await store.asks.insert(wanted);
    checkEqual(inserted, { kind: "created", ask: wanted.ask }, "the result");
    checkEqual(await store.asks.get(wanted.ask.id), wanted.ask, "the stored ask");
  }),

  storeCase("an approval is stored unchanged", async ({ open }) => {
    const store = await open();
    const wanted = sampleNewAsk(store.now(), {
      approval: { actions: [{ name: "delete", args: { path: "/", deep: [{ a: [] }] }, allow: ["reject"] }] },
      agentId: "agent",
      asker: "token_1",
      agentPath: ["outer", "inner"],
      recipients: ["ana", "ben"],
      onDeadline: "wait",
      deadline: store.now() + 5,
      latest: store.now() + 50,
      extendOnActivity: 10,
      requireSurface: true,
      allowPartial: true,
    });
    await store.asks.insert(wanted);
    checkEqual(await store.asks.get(wanted.ask.id), wanted.ask, "the stored ask");
  }),

  storeCase("usage counts what each asker has pending and stored", async ({ open, clock }) => {
    const store = await open();
    const insert = async (asker: string, context: string) =>
      (await store.asks.insert(sampleNewAsk(store.now(), { asker, context }))).ask;
    const sizeOf = ({ status, ...content }: Ask): number =>
      new TextEncoder().encode(JSON.stringify(content)).length;
    checkEqual(await store.asks.usage("one"), { pending: 0, bytes: 0 }, "before anything is stored");
    const [first, second] = [await insert("one", "ü".repeat(100)), await insert("one", "")];
    await insert("other", "x");
    await store.asks.insert(sampleNewAsk(store.now()));
    const bytes = sizeOf(first) + sizeOf(second);
    checkEqual(await store.asks.usage("one"), { pending: 2, bytes }, "two asks");
    await store.asks.insert({ ask: first });
    checkEqual(await store.asks.usage("one"), { pending: 2, bytes }, "the same id again");
    await store.asks.change(first.id, settle(answered("yes")));
    await store.asks.change(first.id, settle(answered("no")));
    checkEqual(await store.asks.usage("one"), { pending: 1, bytes }, "once one has ended");
    await clock.advance(1);
    await store.asks.prune(store.now(), 10, []);
    checkEqual(await store.asks.usage("one"), { pending: 1, bytes: sizeOf(second) }, "once it is pruned");
    checkEqual((await store.asks.usage("other")).pending, 1, "the other's");
  }),

  storeCase("the same session and key return the stored ask", async ({ open }) => {
    const store = await open();
    const first = sampleNewAsk(store.now(), { session: "s", key: "call_1", deadline: store.now() + 100 });
    const again = sampleNewAsk(store.now(), { session: "s", key: "call_1", deadline: store.now() + 900 });
    await store.asks.insert(first);
    checkEqual(await store.asks.insert(again), { kind: "known", ask: first.ask }, "while pending");
    checkEqual(await store.asks.get(again.ask.id), undefined, "the ask that was not stored");
    const changed = await store.asks.change(first.ask.id, settle(answered("yes")));
    checkEqual(await store.asks.insert(again), { kind: "known", ask: changed?.ask }, "once settled");
  }),

  storeCase("an ask is found by its session and key, in its current state", async ({ open, clock }) => {
    const store = await open();
    const { asks } = store;
    const { ask } = await asks.insert(sampleNewAsk(store.now(), { session: "s", key: "k" }));
    await asks.insert(sampleNewAsk(store.now(), { session: "s" }));
    checkEqual(await asks.getByKey({ session: "s", key: "k" }), ask, "while pending");
    for (const [session, key] of [
      ["s", "K"],
      ["S", "k"],
      ["", "k"],
      ["s", ""],
    ] as const) {
      checkEqual(await asks.getByKey({ session, key }), undefined, `the key "${key}" of "${session}"`);
    }
    const changed = await asks.change(ask.id, settle(answered("yes")));
    checkEqual(await asks.getByKey({ session: "s", key: "k" }), changed?.ask, "once settled");
    await clock.advance(1);
    await asks.prune(store.now(), 10, []);
    checkEqual(await asks.getByKey({ session: "s", key: "k" }), undefined, "once pruned");
  }),

  storeCase(
    "a key is shared by all askers of a session no more: each asker has its own",
    async ({ open }) => {
      const store = await open();
      const insert = async (asker?: string) => {
        const wanted = sampleNewAsk(store.now(), { session: "s", key: "k", asker });
        return store.asks.insert(wanted);
      };
      const [nobody, one, other] = [await insert(), await insert("one"), await insert("other")];
      for (const { kind } of [nobody, one, other]) checkEqual(kind, "created", "a first use of the key");
      checkEqual(await insert("one"), { kind: "known", ask: one.ask }, "a second use by the same asker");
      checkEqual(await insert(), { kind: "known", ask: nobody.ask }, "a second use without an asker");
      const find = (asker?: string) =>
        store.asks.getByKey({ session: "s", key: "k", ...(asker !== undefined && { asker }) });
      checkEqual(await find("one"), one.ask, "one's ask");
      checkEqual(await find("other"), other.ask, "the other's ask");
      checkEqual(await find(), nobody.ask, "the ask without an asker");
      checkEqual(await find("One"), undefined, "an asker who has none");
    },
  ),

  storeCase("the uses of a key are found for one asker, in every session or in one", async ({ open }) => {
    const store = await open();
    const insert = async (session: string, key: string, asker?: string) =>
      (await store.asks.insert(sampleNewAsk(store.now(), { session, key, asker }))).ask;
    const first = await insert("s", "k", "one");
    const second = await insert("", "k", "one");
    const third = await insert("s", "l", "one");
    for (const asker of ["other", undefined]) await insert("s", "k", asker);
    await store.asks.insert(sampleNewAsk(store.now(), { asker: "one" }));
    const find = async (keys: readonly string[], session?: string, limit = 10, asker = "one") =>
      (await store.asks.findKeys({ asker, keys, limit, ...(session !== undefined && { session }) }))
        .map(({ id, session, key }) => [id, session, key].join())
        .sort();
    const [inSession, alone, other] = [first, second, third].map(({ id, session, key }) =>
      [id, session, key].join(),
    );
    checkEqual(await find(["k"]), [inSession, alone].sort(), "one key");
    checkEqual(await find(["l", "k", "k", "x"]), [inSession, alone, other].sort(), "several keys");
    checkEqual(await find(["k", "l"], "s"), [inSession, other].sort(), "in one session");
    checkEqual(await find(["k"], ""), [alone], "without a session");
    checkEqual((await find(["k", "l"], undefined, 1)).length, 2, "at most one for each key");
    checkEqual(await find(["k"], undefined, 10, "One"), [], "an asker who has none");
    checkEqual(await find([]), [], "no keys");
    await store.asks.change(first.id, settle(answered("yes")));
    checkEqual(await find(["k"], "s"), [inSession], "once it has ended");
    await store.asks.releaseKey(first.id);
    checkEqual(await find(["k"], "s"), [], "once its key is released");
  }),

  storeCase("ids are found by a part of them, page by page", async ({ open }) => {
    const store = await open();
    const ids = ["ask_0001-ab", "ask_0002-ab", "ask_0003-cd", "ask_0004-AB"];
    for (const id of [...ids].reverse()) await store.asks.insert(sampleNewAsk(store.now(), { id }));
    const find = async (part: string, start = ""): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let after: string | undefined = start; after !== undefined; ) {
        const page: FoundIds = await store.asks.findIds(part, after);
        found.push(...page.ids);
        after = page.next;
      }
      return found;
    };
    checkEqual(await find("-ab"), ids.slice(0, 2), "the end of two ids");
    checkEqual(await find("0003"), ids.slice(2, 3), "a part in the middle");
    checkEqual(await find("ask_"), ids, "what all have");
    checkEqual(await find("-ab", "ask_0001-ab"), ids.slice(1, 2), "above an id");
    for (const none of ["%", "_00_", "ffff"]) checkEqual(await find(none), [], `nothing has ${none}`);
  }),

  storeCase("agents of one name and two owners share no keys and no usage", async ({ open }) => {
    const store = await open();
    const insert = (owner?: string) =>
      store.asks.insert(sampleNewAsk(store.now(), { session: "s", key: "k", asker: "one", owner }));
    const stored = { none: await insert(), ana: await insert("ana"), ben: await insert("ben") };
    for (const { kind } of Object.values(stored)) checkEqual(kind, "created", "a first use of the key");
    const again = await insert("ana");
    checkEqual(again, { kind: "known", ask: stored.ana.ask }, "a second use for the same owner");
    const [none, ana, ben] = [stored.none.ask.id, stored.ana.ask.id, stored.ben.ask.id];
    const find = async (owner?: string) => {
      const query = { asker: "one", keys: ["k"], limit: 10, ...defined({ owner }) };
      return (await store.asks.findKeys(query)).map(({ id }) => id).sort();
    };
    checkEqual(await find("ana"), [none, ana].sort(), "what ana's agent finds");
    checkEqual(await find("ben"), [none, ben].sort(), "what ben's agent finds");
    checkEqual(await find("carl"), [none], "what another owner's agent finds");
    checkEqual(await find(), [none], "what an agent without an owner finds");
    const byKey = { asker: "one", session: "s", key: "k" };
    checkEqual((await store.asks.getByKey({ ...byKey, owner: "ben" }))?.id, ben, "by owner and key");
    checkEqual((await store.asks.getByKey(byKey))?.id, none, "by key, without an owner");
    const usage = (owner?: string) =>
      store.asks.usage(askerIdentity({ asker: "one", ...defined({ owner }) }) ?? "");
    checkEqual((await usage("ana")).pending, 1, "ana's usage");
    checkEqual((await usage()).pending, 1, "the usage without an owner");
    const list = async (owner: string) =>
      (await store.asks.list({ asker: "one", owner, limit: 10 })).asks.map(({ id }) => id);
    checkEqual(await list("ben"), [none, ben], "what ben's agent lists");
  }),

  storeCase("a released key stores a new ask, and the old one keeps it", async ({ open, clock }) => {
    const store = await open();
    const key = { asker: "one", session: "", key: "k" };
    const { ask } = await store.asks.insert(sampleNewAsk(store.now(), key));
    await store.asks.releaseKey(ask.id);
    checkEqual(await store.asks.getByKey(key), ask, "while the ask is pending, nothing is released");
    const ended = await store.asks.change(ask.id, settle(answered("yes")));
    checkEqual(await store.asks.getByKey(key), ended?.ask, "once it has ended");
    await store.asks.releaseKey(ask.id);
    await store.asks.releaseKey("nobody");
    checkEqual(await store.asks.getByKey(key), undefined, "once its key is released");
    checkEqual(await store.asks.get(ask.id), ended?.ask, "the ask itself");
    const again = sampleNewAsk(store.now(), key);
    checkEqual(await store.asks.insert(again), { kind: "created", ask: again.ask }, "the key used again");
    await clock.advance(1);
    await store.asks.prune(store.now(), 10, []);
    checkEqual(await store.asks.getByKey(key), again.ask, "once the old ask is pruned");
  }),

  storeCase("the same session and key return the stored ask even for other content", async ({ open }) => {
    const store = await open();
    const first = sampleNewAsk(store.now(), { session: "s", key: "call_1" });
    const other = sampleNewAsk(store.now(), { session: "s", key: "call_1", context: "other" });
    await store.asks.insert(first);
    checkEqual(await store.asks.insert(other), { kind: "known", ask: first.ask }, "the result");
    checkEqual(await store.asks.get(other.ask.id), undefined, "the ask that was not stored");
  }),

  storeCase("the same key in another session is another ask", async ({ open }) => {
    const store = await open();
    // Some pairs are equal if session and key are just joined.
    const addresses = [
      { session: "a", key: "call" },
      { session: "b", key: "call" },
      { key: "call" },
      { session: "a/c", key: "all" },
      { session: "a", key: "c/all" },
      { session: "A", key: "call" },
      { session: "a", key: "call " },
    ];
    for (const address of addresses) {
      const wanted = sampleNewAsk(store.now(), address);
      checkEqual(
        await store.asks.insert(wanted),
        { kind: "created", ask: wanted.ask },
        JSON.stringify(address),
      );
    }
  }),

  storeCase("asks without a key are never the same", async ({ open }) => {
    const store = await open();
    for (let index = 0; index < 3; index += 1) {
      const { kind } = await store.asks.insert(sampleNewAsk(store.now(), { session: "s" }));
      checkEqual(kind, "created", `ask ${index}`);
    }
  }),

  storeCase("the same id again is acknowledged and stored once", async ({ open }) => {
    const store = await open();
    const wanted = sampleNewAsk(store.now(), { session: "s", key: "call_1" });
    const unkeyed = sampleNewAsk(store.now());
    for (const newAsk of [wanted, unkeyed]) {
      await store.asks.insert(newAsk);
      checkEqual(await store.asks.insert(newAsk), { kind: "created", ask: newAsk.ask }, "the retry");
    }
    const changed = await store.asks.change(wanted.ask.id, settle(answered("yes")));
    checkEqual(await store.asks.insert(wanted), { kind: "created", ask: changed?.ask }, "once settled");
    checkEqual((await store.asks.list({ limit: 10 })).asks.length, 2, "how many asks there are");
    checkEqual(await store.logs.bounds(EVENT_LOG), { first: 1, head: 3 }, "the event log");
  }),

  storeCase("concurrent inserts with one key create one ask, and all get it", async ({ open }) => {
    const store = await open();
    const inserted = await Promise.all(
      Array.from({ length: 50 }, () =>
        store.asks.insert(sampleNewAsk(store.now(), { session: "s", key: "call_1" })),
      ),
    );
    const created = inserted.filter(({ kind }) => kind === "created");
    checkEqual(created.length, 1, "how many created it");
    for (const { ask } of inserted) checkEqual(ask, created[0]?.ask, "the ask that each one got");
    checkEqual(await store.logs.bounds(EVENT_LOG), { first: 1, head: 1 }, "the event log");
  }),

  storeCase("concurrent inserts are all stored", async ({ open }) => {
    const store = await open();
    const wanted = Array.from({ length: 100 }, (_, index) =>
      sampleNewAsk(store.now(), { session: `s${index % 3}`, key: `call_${index}` }),
    );
    const inserted = await Promise.all(wanted.map((newAsk) => store.asks.insert(newAsk)));
    checkEqual(
      inserted,
      wanted.map(({ ask }) => ({ kind: "created", ask })),
      "each result belongs to its call",
    );
    checkEqual((await store.asks.list({ limit: 200 })).asks.length, 100, "how many there are");
  }),

  storeCase("a known key among concurrent inserts does not affect the others", async ({ open }) => {
    const store = await open();
    const { ask: first } = await store.asks.insert(sampleNewAsk(store.now(), { key: "taken" }));
    const newAsks = Array.from({ length: 5 }, () => sampleNewAsk(store.now()));
    const [kinds, known] = await Promise.all([
      Promise.all(newAsks.map(async (newAsk) => (await store.asks.insert(newAsk)).kind)),
      store.asks.insert(sampleNewAsk(store.now(), { key: "taken", context: "other" })),
    ]);
    checkEqual(known, { kind: "known", ask: first }, "the one whose key is known");
    checkEqual(kinds, ["created", "created", "created", "created", "created"], "its neighbours");
    checkEqual((await store.asks.list({ limit: 10 })).asks.length, 6, "how many there are");
  }),

  storeCase("an unknown ask is undefined, not an error", async ({ open }) => {
    const store = await open();
    checkEqual(await store.asks.get(newId("nobody")), undefined, "get");
    checkEqual(await store.asks.change(newId("nobody"), settle(answered("x"))), undefined, "change");
    checkEqual(await store.asks.getMany([newId("nobody")]), [], "getMany");
  }),

  storeCase("getMany returns the asks that exist, each once", async ({ open }) => {
    const store = await open();
    const wanted = [sampleNewAsk(store.now()), sampleNewAsk(store.now()), sampleNewAsk(store.now())];
    for (const newAsk of wanted) await store.asks.insert(newAsk);
    const [first, , third] = wanted.map(({ ask }) => ask);
    check(first !== undefined && third !== undefined, "there are three asks");
    const found = await store.asks.getMany([third.id, newId("nobody"), first.id, third.id]);
    const inOrder = [...found].sort((left, right) => (left.id < right.id ? -1 : 1));
    checkEqual(inOrder, [first, third], "the asks");
    checkEqual(await store.asks.getMany([]), [], "for no ids");
  }),
];
